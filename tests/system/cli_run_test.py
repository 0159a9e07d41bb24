"""talus run, check, info: options, exit codes, JSON, what is printed where."""
import csv
import json
import os
import pty
import signal
import subprocess
import time
import unittest

from cli_support import REST, TALUS, TalusTest, disks

RUN_KEYS = """time steps bodies contacts law_error law_error_max steps_over_tolerance energy_residual max_overlap
              mean_overlap seconds cpu_seconds seconds_detect seconds_solve contact_updates_per_second out
              contact_updates seconds_steps peak_resident_bytes""".split()


class Run(TalusTest):
    def test_a_run_gives_a_run_file_a_report_and_the_promised_json(self):
        self.write("fall.yaml", disks())
        done = self.talus("run", "fall.yaml", "--json")
        result = json.loads(done.stdout.splitlines()[-1])
        for key in RUN_KEYS:
            self.assertIn(key, result)
        self.assertEqual(result["out"], "out/fall")
        self.assertEqual(result["steps"], 300)
        self.assertEqual(result["bodies"], 31)
        self.assertAlmostEqual(result["time"], 0.3)
        self.assertLess(result["energy_residual"], 1e-12)  # rounding of sums of some thousand terms
        self.assertEqual(result["frames"], 7)
        self.assertIn("energy", result["observables"])
        self.assertTrue(os.path.exists(self.path("out/fall/run.h5")))
        self.assertTrue(os.path.exists(self.path("out/fall/report.html")))

    def test_exports_are_written_when_the_scene_asks(self):
        self.write("fall.yaml", disks().replace("sums: true", "sums: true, csv: true, vtp: true"))
        self.talus("run", "fall.yaml", "--out", "here")
        for name in ("csv/bodies.csv", "csv/contacts.csv", "csv/reports.csv", "csv/observables.csv", "vtp/bodies.pvd", "vtp/contacts.pvd"):
            self.assertTrue(os.path.exists(self.path("here", name)), name)

    def test_nothing_of_the_progress_reaches_a_pipe(self):
        self.write("fall.yaml", disks())
        done = self.talus("run", "fall.yaml")
        for text in (done.stdout, done.stderr):
            self.assertNotIn("\r", text)
            self.assertNotIn("\033", text)
            self.assertNotIn("steps/s", text)

    def test_a_terminal_shows_progress_and_is_left_clean(self):
        self.write("fall.yaml", disks(duration=1000))
        try:
            master, slave = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had here: {error}")
        process = subprocess.Popen([TALUS, "run", "fall.yaml"], cwd=self.folder, stdout=slave, stderr=slave)
        self.addCleanup(self.reap, process)
        os.close(slave)
        text = b""
        while b"left" not in text:  # the remaining time comes after half a second
            text += os.read(master, 4096)
        process.send_signal(signal.SIGINT)
        try:
            while chunk := os.read(master, 4096):
                text += chunk
        except OSError:  # the terminal is gone with the program
            pass
        os.close(master)
        self.assertEqual(process.wait(), 130)
        self.assertIn(b"steps/s", text)
        self.assertIn(b"\r\033[Kinterrupted at t =", text)

    def test_a_run_is_not_overwritten_unless_forced(self):
        self.write("fall.yaml", disks())
        self.talus("run", "fall.yaml")
        refused = self.talus("run", "fall.yaml", code=2)
        self.assertIn("out/fall/run.h5: a run is already there", refused.stderr)
        self.assertIn("--resume", refused.stderr)
        self.talus("run", "fall.yaml", "--force")

    def test_two_runs_do_not_share_a_folder(self):
        self.write("fall.yaml", disks(duration=1000))
        process = self.start("run", "fall.yaml")
        self.wait_for(lambda: os.path.exists(self.path("out/fall/run.h5")), process)
        self.assertIn("another run is writing here", self.talus("run", "fall.yaml", "--resume", code=2).stderr)
        self.assertEqual(self.stop(process)[0], 130)

    def test_until_stops_early(self):
        self.write("fall.yaml", disks(duration=1000))
        result = self.json("run", "fall.yaml", "--until", "0.1")
        self.assertEqual(result["steps"], 100)
        self.assertAlmostEqual(result["time"], 0.1)

    def test_set_replaces_a_value(self):
        self.write("fall.yaml", disks())
        self.assertEqual(self.json("run", "fall.yaml", "--set", "duration=0.05", "--set", "seed=9")["steps"], 50)
        self.assertIn("seed: 9", self.talus("info", "out/fall/run.h5", "--scene").stdout)

    def test_a_tolerance_that_is_demanded_and_missed_gives_3(self):
        self.write("fall.yaml", disks(tolerance=1e-14, max_sweeps=1, demand="true"))
        done = self.talus("run", "fall.yaml", "--json", code=3)
        self.assertIn("missed the tolerance", done.stderr)
        self.assertGreater(json.loads(done.stdout.splitlines()[-1])["steps_over_tolerance"], 0)
        self.write("lax.yaml", disks(tolerance=1e-14, max_sweeps=1))
        self.talus("run", "lax.yaml")

    def test_a_gain_of_energy_is_one_warning_line(self):
        self.write("fall.yaml", disks(restitution=0.5))  # tangential restitution is 0: they differ
        done = self.talus("run", "fall.yaml", "--json")
        gains = json.loads(done.stdout.splitlines()[-1])["steps_with_energy_gain"]
        self.assertEqual(done.stderr.count("contacts created energy"), 1 if gains > 0 else 0)


class Grid(TalusTest):
    def test_values_and_seeds_multiply_into_one_table(self):
        self.write("fall.yaml", disks(duration=0.25))
        result = self.json("run", "fall.yaml", "--set", "materials.grain.friction=0.1,0.5", "--seeds", "2")
        self.assertEqual(len(result["runs"]), 4)
        self.assertEqual([run["set"]["seed"] for run in result["runs"]], ["3", "4", "3", "4"])
        for run in result["runs"]:
            self.assertTrue(os.path.exists(self.path(run["out"], "run.h5")), run["out"])
        with open(self.path("out/fall/grid.csv")) as table:
            rows = list(csv.DictReader(table))
        self.assertEqual([row["materials.grain.friction"] for row in rows], ["0.1", "0.1", "0.5", "0.5"])
        self.assertEqual([int(row["steps"]) for row in rows], [250] * 4)
        self.assertIn("energy.kinetic", rows[0])
        self.assertEqual(len({run["hash"] for run in result["runs"]}), 4)

    def test_resume_of_a_grid_does_what_is_missing(self):
        self.write("fall.yaml", disks(duration=0.15))
        grid = ("run", "fall.yaml", "--set", "materials.grain.friction=0.1,0.5")
        whole = self.json(*grid, "--out", "whole")
        self.json("run", "fall.yaml", "--set", "materials.grain.friction=0.1", "--out", "part/friction=0.1", "--until", "0.1")
        part = self.json(*grid, "--out", "part", "--resume")
        self.assertEqual([run["hash"] for run in part["runs"]], [run["hash"] for run in whole["runs"]])

    def test_a_mistake_in_the_last_run_of_a_grid_shows_before_the_first_starts(self):
        self.write("fall.yaml", disks())
        self.talus("run", "fall.yaml", "--set", "materials.grain.friction=0.1,-3", code=2)
        self.assertFalse(os.path.exists(self.path("out")))


class Usage(TalusTest):
    def test_bad_usage_gives_2_and_says_what_to_write(self):
        for arguments, words in ((["frob"], "unknown command 'frob'"), ([], "subcommand"), (["run"], "SCENE"),
                                 (["run", "x.yaml", "--threads", "0"], "--threads"), (["run", "x.yaml", "--until", "soon"], "--until"),
                                 (["run", "x.yaml", "--frob"], "--frob"), (["run", "x.yaml", "--resume", "--force"], "--resume and --force"),
                                 (["run", "x.yaml", "--set", "friction"], "--set"), (["export", "x.h5"], "--vtp")):
            self.assertIn(words, self.talus(*arguments, code=2).stderr, arguments)

    def test_help_and_version_give_0(self):
        self.assertIn("run", self.talus("--help").stdout)
        self.assertIn("--resume", self.talus("run", "--help").stdout)
        self.assertRegex(self.talus("--version").stdout, r"^talus \d+\.\d+\.\d+\n$")

    def test_a_bad_scene_gives_2_with_file_line_and_column(self):
        self.write("bad.yaml", disks().replace("seed: 3", "sead: 3"))
        for command in ("run", "check"):
            self.assertRegex(self.talus(command, "bad.yaml", code=2).stderr, r"^bad\.yaml:8:1: .*sead")

    def test_a_missing_or_foreign_file_gives_4_with_its_name(self):
        self.write("fall.yaml", disks())
        self.write("text.h5", "not a run")
        for arguments, name in ((["run", "no.yaml"], "no.yaml"), (["check", "no.yaml"], "no.yaml"), (["info", "no.h5"], "no.h5"),
                                (["info", "text.h5"], "text.h5"), (["export", "text.h5", "--csv", "c"], "text.h5"),
                                (["run", "fall.yaml", "--resume"], "out/fall/run.h5"),
                                (["run", "fall.yaml", "--out", "fall.yaml/below"], "fall.yaml/below")):
            self.assertTrue(self.talus(*arguments, code=4).stderr.startswith(name), arguments)

    def test_info_tells_what_is_in_a_run(self):
        self.write("fall.yaml", disks())
        self.talus("run", "fall.yaml")
        info = self.json("info", "out/fall/run.h5", "--frames")
        self.assertEqual(info["state"], "finished")
        self.assertEqual(info["dimension"], 2)
        self.assertEqual(len(info["frames"]), 7)
        self.assertEqual(info["reports"], 300)
        self.assertEqual(info["summary"]["steps"], 300)
        self.assertEqual(info["checkpoint"]["step"], 300)
        self.assertIn("talus run fall.yaml", info["command"])

    def test_output_to_a_full_device_gives_4(self):
        self.write("fall.yaml", disks())
        self.talus("run", "fall.yaml")
        with open("/dev/full", "w") as full:
            done = subprocess.run([TALUS, "info", "out/fall/run.h5"], cwd=self.folder, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 4)


class Check(TalusTest):
    def test_check_summarises_and_runs_nothing(self):
        self.write("fall.yaml", disks())
        done = self.talus("check", "fall.yaml")
        self.assertIn("disks fall on a floor", done.stdout)
        self.assertEqual(os.listdir(self.folder), ["fall.yaml"])

    def test_balls_at_rest_are_an_equilibrium_that_carries_their_weight(self):
        self.write("rest.yaml", REST % (1e-3, 1000))
        found = self.json("check", "rest.yaml", "--equilibrium", "--forces", "forces.csv")
        self.assertTrue(found["equilibrium"])
        self.assertLess(found["max_velocity_over_v_ref"], 1e-6)
        with open(self.path("forces.csv")) as table:
            rows = list(csv.DictReader(table))
        weight = 2 * 2500 * 3.141592653589793 * 0.25 * 9.81
        carried = sum(float(row["normal_force"]) for row in rows if row["b"] == "0")
        self.assertAlmostEqual(carried / weight, 1.0, places=6)  # the check's own tolerance

    def test_grains_in_the_air_are_not(self):
        self.write("fall.yaml", disks())
        done = self.talus("check", "fall.yaml", "--equilibrium", code=1)
        self.assertTrue(done.stdout.startswith("equilibrium: no"))

    def test_a_run_is_checked_where_it_stands(self):
        self.write("rest.yaml", REST % (1e-3, 1000))
        self.talus("run", "rest.yaml")
        self.assertTrue(self.json("check", "out/rest/run.h5", "--equilibrium")["equilibrium"])
        self.write("fall.yaml", disks())
        self.talus("run", "fall.yaml")
        self.assertFalse(self.json("check", "out/fall/run.h5", "--equilibrium", "--frame", "0", code=1)["equilibrium"])


if __name__ == "__main__":
    unittest.main()
