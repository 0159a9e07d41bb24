"""A run that was stopped, in whatever way, and resumed leaves the same file as one that never stopped."""
import os
import resource
import signal
import subprocess
import time
import unittest

from cli_support import RAIN, REST, TALUS, TalusTest, disks, run_rows

try:
    import h5py
except ImportError:
    print("skipped: needs python3-h5py")
    raise SystemExit(77)


class Resume(TalusTest):
    def steps(self, name="run"):
        return self.json("info", f"{name}/run.h5")["checkpoint"]["step"]

    def reports(self, name="run"):
        """Steps reported so far, from outside, while the run goes."""
        try:
            with h5py.File(self.path(name, "run.h5"), "r", swmr=True) as run:
                return len(run["frames/index"])
        except OSError:
            return 0

    def expect_same_run(self, resumed, whole, first="run", second="whole"):
        self.assertEqual(resumed["hash"], whole["hash"])
        for key in ("time", "steps", "law_error", "law_error_max", "energy_residual", "max_overlap", "mean_overlap", "energy", "observables",
                    "momentum_residual", "frames", "steps_with_energy_gain"):
            self.assertEqual(resumed[key], whole[key], key)
        x, y = run_rows(self.path(first, "run.h5")), run_rows(self.path(second, "run.h5"))
        self.assertEqual(x.keys(), y.keys())
        for name in x:
            self.assertEqual(x[name], y[name], name)

    def interrupt(self, scene, how, frames=4):
        """Starts a run without end, waits for some frames, stops it; returns its exit code."""
        process = self.start("run", scene, "--out", "run")
        self.wait_for(lambda: self.reports() >= frames, process)
        return self.stop(process, how)

    def compare_with_uninterrupted(self, scene):
        until = "%.3f" % (self.steps() * 1e-3 + 0.15)
        resumed = self.json("run", scene, "--out", "run", "--resume", "--until", until)
        whole = self.json("run", scene, "--out", "whole", "--until", until)
        self.expect_same_run(resumed, whole)

    def test_ctrl_c_writes_a_checkpoint_and_resumes_to_the_same_bits(self):
        for name, text in (("disks.yaml", disks(duration=1000)), ("rain.yaml", RAIN)):
            with self.subTest(name):
                self.write(name, text)
                code, out, err = self.interrupt(name, signal.SIGINT)
                self.assertEqual(code, 130)
                self.assertIn("interrupted at t =", err)
                self.assertIn("--resume", err)
                self.assertEqual(self.json("info", "run/run.h5")["state"], "interrupted")
                self.compare_with_uninterrupted(name)
                subprocess.run(["rm", "-r", self.path("run"), self.path("whole")], check=True)

    def test_sigterm_does_the_same(self):
        self.write("disks.yaml", disks(duration=1000))
        self.assertEqual(self.interrupt("disks.yaml", signal.SIGTERM)[0], 130)
        self.compare_with_uninterrupted("disks.yaml")

    def test_a_killed_run_resumes_to_the_same_bits(self):
        self.write("rain.yaml", RAIN)
        self.assertEqual(self.interrupt("rain.yaml", signal.SIGKILL, frames=6)[0], -signal.SIGKILL)
        self.assertEqual(self.json("info", "run/run.h5")["state"], "running")
        self.compare_with_uninterrupted("rain.yaml")

    def test_stopped_by_until_again_and_again(self):
        self.write("disks.yaml", disks(duration=0.3))
        self.json("run", "disks.yaml", "--out", "run", "--until", "0.12")
        for until in ("0.121", "0.17", "0.17", "0.25"):
            self.json("run", "disks.yaml", "--out", "run", "--resume", "--until", until)
        resumed = self.json("run", "disks.yaml", "--out", "run", "--resume")
        whole = self.json("run", "disks.yaml", "--out", "whole")
        self.expect_same_run(resumed, whole)
        again = self.json("run", "disks.yaml", "--out", "run", "--resume")  # nothing left to do
        self.expect_same_run(again, whole)

    def test_another_scene_is_refused(self):
        self.write("disks.yaml", disks(duration=0.3))
        self.talus("run", "disks.yaml", "--out", "run", "--until", "0.1")
        done = self.talus("run", "disks.yaml", "--out", "run", "--resume", "--set", "materials.grain.friction=0.1", code=2)
        self.assertIn("not the one this run was started with", done.stderr)
        self.talus("run", "disks.yaml", "--out", "run", "--resume")

    def test_the_second_signal_kills(self):
        self.write("rest.yaml", REST % (0, 1000000000))  # its first step would take minutes
        process = self.start("run", "rest.yaml", "--out", "run")
        self.wait_for(lambda: os.path.exists(self.path("run/run.h5")), process)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), "the first signal waits for the end of the step")
        code, _, _ = self.stop(process, signal.SIGTERM)
        self.assertEqual(code, -signal.SIGTERM)

    def test_a_full_disk_gives_4_and_the_run_can_be_resumed(self):
        self.write("rain.yaml", RAIN)

        def limit():  # stands for a full disk: write() fails in the same place
            resource.setrlimit(resource.RLIMIT_FSIZE, (1500000, 1500000))

        done = self.talus("run", "rain.yaml", "--out", "run", code=4, preexec_fn=limit)
        self.assertIn("run/run.h5: cannot write", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertGreater(self.steps(), 0)
        self.compare_with_uninterrupted("rain.yaml")


if __name__ == "__main__":
    unittest.main()
