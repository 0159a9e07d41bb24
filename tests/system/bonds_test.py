"""Bonds as a user meets them: a run records which contacts are bonded and what couples they pass, and a run that
starts from its last frame goes on with the same bonds."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy

TALUS = os.environ["TALUS_BINARY"]
HEAD = """talus: 1
dimension: 2
gravity: {gravity}
step: 1e-3
duration: {duration}
materials: {{stone: {{density: 2500, friction: 0.5, rolling: 0.1, cohesion: {{force: 400, brittle: true}}}}}}
record: {{every: 0.1}}
"""
FLOOR = """
bodies:
  - {name: floor, plane: {normal: [0, 1]}, material: stone}
"""
# Weight 193 N. The first stands on the floor from the start; the second arrives there.
BALLS = """
  - {name: bonded, ball: {radius: 0.05}, position: [0, 0.05], material: stone}
  - {name: late, ball: {radius: 0.05}, position: [1, 0.06], material: stone}
"""


class Bonds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_scene(self, name, gravity, duration, rest):
        (self.folder / f"{name}.yaml").write_text(HEAD.format(gravity=gravity, duration=duration) + rest)
        done = subprocess.run([TALUS, "run", f"{name}.yaml", "--out", name], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return h5py.File(self.folder / name / "run.h5", "r")

    def last_frame(self, run, group, name):
        row = run["frames/index"][-1]
        begin = int(row[f"{group}_begin"])
        return run[f"{group}/{name}"][begin:begin + int(row[f"{group}_count"])]

    def test_are_recorded_and_carried_over(self):
        with self.run_scene("first", "9.81", 0.3, FLOOR + BALLS) as run:
            order = numpy.argsort(self.last_frame(run, "contacts", "point")[:, 0])
            self.assertEqual(list(self.last_frame(run, "contacts", "bond")[order]), [1, 2])
            self.assertEqual(list(self.last_frame(run, "contacts", "cohesion")[order]), [400, 0])
            self.assertEqual(len(self.last_frame(run, "contacts", "couple")), 2)
        with self.run_scene("second", "[0, 9.81]", 0.2, FLOOR + "start: {run: first/run.h5}\n") as run:
            # Pulled upwards by its weight the bonded one stays, the other is gone with v = g t.
            speed = sorted(v[1] for v, wall in zip(self.last_frame(run, "bodies", "velocity"), self.last_frame(run, "bodies", "wall"))
                           if not wall)
            self.assertAlmostEqual(speed[0], 0.0, delta=1e-9)
            self.assertAlmostEqual(speed[1], 9.81 * 0.2, delta=1e-6)


if __name__ == "__main__":
    unittest.main()
