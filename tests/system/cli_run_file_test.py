"""The h5py example of docs/run-file.md works on a finished run, on one that is going, and on a killed one."""
import os
import re
import signal
import subprocess
import sys
import unittest
import zlib

from cli_support import RAIN, TalusTest, disks

try:
    import h5py
except ImportError:
    print("skipped: needs python3-h5py")
    raise SystemExit(77)

DOCUMENT = os.path.join(os.environ["TALUS_SOURCE_DIR"], "docs", "run-file.md")


class RunFile(TalusTest):
    def setUp(self):
        super().setUp()
        with open(DOCUMENT) as text:
            example = re.search(r"```python\n(.*?)```", text.read(), re.S).group(1)
        self.write("example.py", example)

    def example(self, run):
        done = subprocess.run([sys.executable, self.path("example.py"), self.path(run)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_on_a_finished_run(self):
        self.write("fall.yaml", disks())
        self.talus("run", "fall.yaml", "--out", "run")
        text = self.example("run/run.h5")
        self.assertIn("fall in 2 D, finished", text)
        self.assertIn("7 frames, t = 0.0 ... 0.3", text)
        self.assertIn("30 grains", text)

    def test_on_a_run_that_is_going_and_after_its_kill(self):
        self.write("rain.yaml", RAIN)
        process = self.start("run", "rain.yaml", "--out", "run")
        self.wait_for(lambda: os.path.exists(self.path("run/run.h5")), process)
        frames = 0
        while frames < 5:
            with h5py.File(self.path("run/run.h5"), "r", swmr=True) as run:
                frames = len(run["frames/index"])
        self.assertIn("rain in 3 D, running", self.example("run/run.h5"))
        self.assertEqual(self.stop(process, signal.SIGKILL)[0], -signal.SIGKILL)
        self.talus("info", "run/run.h5")   # completes the write that the kill may have cut short, as the page says
        self.assertIn("rain in 3 D, running", self.example("run/run.h5"))

    def test_a_reader_that_stays_open_sees_the_run_grow(self):
        self.write("rain.yaml", RAIN)
        process = self.start("run", "rain.yaml", "--out", "run")
        self.wait_for(lambda: os.path.exists(self.path("run/run.h5")), process)
        with h5py.File(self.path("run/run.h5"), "r", swmr=True) as run:
            index, seen = run["frames/index"], []
            while len(seen) < 3:
                index.refresh()
                if not seen or len(index) > seen[-1]:
                    seen.append(len(index))
                self.assertIsNone(process.poll())
        self.assertEqual(self.stop(process)[0], 130)

    def test_a_resumed_run_can_be_followed_too(self):
        self.write("rain.yaml", RAIN)
        process = self.start("run", "rain.yaml", "--out", "run")
        for how, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
            self.wait_for(lambda: os.path.exists(self.path("run/run.h5")), process)
            with h5py.File(self.path("run/run.h5"), "r", swmr=True) as before:  # a reader that does not let go
                first = len(before["frames/index"])

                def has_grown():  # asked from another process: HDF5 shares what is open within one
                    return len(self.json("info", "run/run.h5")["frames"]) >= first + 3

                self.wait_for(has_grown, process)
                self.assertEqual(self.stop(process, how)[0], code)
                process = self.start("run", "rain.yaml", "--out", "run", "--resume")
                first = len(self.json("info", "run/run.h5")["frames"])  # frames after the checkpoint may go: wait for more than these
                self.wait_for(has_grown, process)
        self.assertEqual(self.stop(process)[0], 130)

    def test_checkpoints_carry_the_checksum_that_is_documented(self):
        self.write("fall.yaml", disks())
        self.talus("run", "fall.yaml", "--out", "run")
        with h5py.File(self.path("run/run.h5"), "r", swmr=True) as run:
            headers = [run[f"checkpoints/header{k}"][0] for k in (0, 1)]
            newest = max((0, 1), key=lambda k: headers[k]["sequence"])
            data = run[f"checkpoints/bytes{newest}"][:int(headers[newest]["size"])].tobytes()
            self.assertEqual(zlib.crc32(data), headers[newest]["bytes_crc"])


if __name__ == "__main__":
    unittest.main()
