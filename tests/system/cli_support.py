"""What the tests of the program share: a folder that removes itself, small scenes, and ways to call it."""
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

TALUS = os.environ.get("TALUS_BINARY", "build/talus")

# Thirty disks fall on a floor: contacts come and go from t = 0.1 s on. About 5000 steps a second.
DISKS = """
talus: 1
title: disks fall on a floor
dimension: 2
gravity: 9.81
step: 1e-3
duration: {duration}
seed: 3
solver: {{tolerance: {tolerance}, max_sweeps: {max_sweeps}, demand: {demand}}}
materials:
  grain: {{density: 2500, friction: 0.4, restitution: {restitution}}}
bodies:
  - {{name: floor, plane: {{normal: [0, 1]}}, material: grain}}
generate:
  - {{name: grains, lattice: {{kind: square, counts: [6, 5], origin: [0, 0.1], jitter: 0.004, spacing: 0.05}},
      diameter: 0.03, material: grain}}
record: {{every: {every}, sums: true}}
observe: [energy]
"""

# Spheres rain one by one on a plane: bodies are added while the run goes.
RAIN = """
talus: 1
title: rain
dimension: 3
gravity: 9.81
step: 1e-3
duration: 1000
seed: 5
materials:
  floor: {}
  grain: {density: 2500, friction: 0.4}
pairs:
  - {between: [grain, floor], friction: 0.6}
bodies:
  - {name: floor, plane: {normal: [0, 0, 1]}, material: floor}
emitters:
  - {name: tap, region: {disk: {centre: [0, 0], radius: 0.05}}, rate: 200, height: 0.3, diameter: 0.02, material: grain}
record: {every: 0.05, checkpoint_every: 0.07}
observe: [energy]
"""

# Two balls that rest on a floor: an equilibrium.
REST = """
talus: 1
dimension: 2
gravity: 9.81
step: 1e-3
duration: 0.01
solver: {tolerance: %s, max_sweeps: %s}
materials:
  grain: {density: 2500, friction: 0.4}
bodies:
  - {name: floor, plane: {normal: [0, 1]}, material: grain}
  - {name: left, ball: {radius: 0.5}, position: [-0.5, 0.5], material: grain}
  - {name: right, ball: {radius: 0.5}, position: [0.5, 0.5], material: grain}
"""


def disks(duration=0.3, every=0.05, tolerance=1e-3, max_sweeps=1000, demand="false", restitution=0.0):
    return DISKS.format(duration=duration, every=every, tolerance=tolerance, max_sweeps=max_sweeps, demand=demand,
                        restitution=restitution)


class TalusTest(unittest.TestCase):
    """Every test has a folder of its own and runs the program in it."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="talus-cli-")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path(name), "w") as out:
            out.write(text)
        return name

    def talus(self, *arguments, code=0, **options):
        """Runs to the end; checks the exit code; returns the finished process with its text."""
        done = subprocess.run([TALUS, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300, **options)
        self.assertEqual(done.returncode, code, f"talus {' '.join(arguments)}\n{done.stdout}\n{done.stderr}")
        return done

    def json(self, *arguments, code=0):
        """The object that --json prints as the last line."""
        return json.loads(self.talus(*arguments, "--json", code=code).stdout.splitlines()[-1])

    def start(self, *arguments):
        process = subprocess.Popen([TALUS, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.reap, process)
        return process

    @staticmethod
    def reap(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def wait_for(self, predicate, process, seconds=60):
        """Waits until `predicate` holds while the process runs."""
        end = time.time() + seconds
        while not predicate():
            if process.poll() is not None:
                self.fail("the program ended too early: %s" % (process.communicate(),))
            self.assertLess(time.time(), end, "waited too long")
            time.sleep(0.005)

    def stop(self, process, how=signal.SIGINT):
        """Sends a signal; returns exit code and outputs."""
        process.send_signal(how)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err


def run_rows(path):
    """Everything of a run file that must not depend on how the run was done, as name -> bytes."""
    import h5py
    rows = {}
    with h5py.File(path, "r", swmr=True) as run:
        for group in ("frames", "bodies", "contacts", "sums", "shapes", "reports", "observables", "materials"):
            if group in run:
                for name, data in run[group].items():
                    rows[f"{group}/{name}"] = data[:].tobytes()
        rows["scene"] = run["scene/text"][()]
        rows["state"] = run["state"][()]
    return rows
