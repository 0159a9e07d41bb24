"""talus reproduce: an experiment is made and judged, a failed claim is exit code 1, mistakes of expect.yaml are told with their place, an interrupted one goes on."""
import json
import os
import pathlib
import shutil
import signal
import unittest

import cli_support

HEAD = """talus: 1
paper: tests
where: nowhere
shows: thirty disks come to rest on a floor
scales:
  quick: {size: 30 disks, minutes: 0.01, set: {duration: 0.3}}
  full: {size: 30 disks, minutes: 0.02}
runs:
  main: {scene: scene.yaml}
  slow: {scene: scene.yaml, set: {step: 5e-4}, scales: [full]}
  again: {scene: scene.yaml, from: main, set: {duration: 0.05, generate: []}}
"""
GOOD = HEAD + """values: {start: first(main.energy.potential)}
checks:
  - {name: falls, claim: they fall, value: main.energy.potential / start, expect: [0, 0.999]}
  - {name: closed, claim: the account closes, value: main.energy_residual, expect: [0, 1e-10]}
  - {name: goes_on, claim: the second run starts where the first ended, value: first(again.energy.potential) / main.energy.potential, expect: {value: 1, within: 1e-12}}
figures:
  - {file: disks.svg, run: main, figure: FIGURE, caption: the disks at the end}
"""
BAD = HEAD + """checks:
  - {name: rises, claim: they rise, value: main.energy.potential - first(main.energy.potential), expect: [0, null]}
  - {name: told, claim: nobody minds, value: main.steps, expect: [0, 1], gate: false}
"""
SWEEP = """talus: 1
kind: sweeping
from: 0
until: 2
step: 0.01
dimension: 1
set: [{name: wall, inside: t - x}]
start: [[1]]
picture: {x: [0, 3]}
"""
COMMANDED = HEAD.split("runs:")[0] + """runs: {dragged: {command: [sweep, wall.sweep]}}
checks: [{name: pushed, claim: the wall pushes the point, value: dragged.paths.0.end.0, expect: {value: 2, within: 1e-9}}]
"""


class Reproduce(cli_support.TalusTest):
    def experiment(self, expect, **files):
        folder = pathlib.Path(self.path("gallery", "tests", "disks"))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "scene.yaml").write_text(cli_support.disks(duration=0.5))
        (folder / "expect.yaml").write_text(expect.replace("FIGURE", "grains"))
        for name, text in files.items():
            (folder / name.replace("_", ".")).write_text(text)
        return "gallery/tests/disks"

    def test_a_claim_that_holds(self):
        result = self.json("reproduce", self.experiment(GOOD), "--quick", "--out", "out")
        self.assertEqual((result["experiment"], result["scale"], result["pass"]), ("tests-disks", "quick", True))
        self.assertEqual([check["pass"] for check in result["checks"]], [True] * 3)
        for key in ("name", "claim", "value", "expected"):
            self.assertIn(key, result["checks"][0])
        self.assertEqual(json.loads(pathlib.Path(self.path("out/result.json")).read_text()), result)
        for file in ("report.html", "disks.svg", "main/run.h5", "again/run.h5"):
            self.assertTrue(os.path.exists(self.path("out", file)), file)
        self.assertFalse(os.path.exists(self.path("out/slow")))  # of the other scale

    def test_a_claim_that_fails(self):
        done = self.talus("reproduce", self.experiment(BAD), "--full", "--out", "out", "--json", code=1)
        result = json.loads(done.stdout.splitlines()[-1])
        self.assertFalse(result["pass"])
        self.assertEqual([(check["pass"], check["gate"]) for check in result["checks"]], [(False, True), (False, False)])
        self.assertIn("they rise", done.stdout)
        self.assertIn("1 of 2 checks FAILED", done.stdout)

    def test_it_is_made_anew_unless_asked_to_judge(self):
        folder = self.experiment(GOOD)
        self.json("reproduce", folder, "--quick", "--out", "out")
        when = os.stat(self.path("out/main/run.h5")).st_mtime_ns
        self.experiment(BAD)
        self.json("reproduce", folder, "--quick", "--out", "out", "--judge", code=1)
        self.assertEqual(os.stat(self.path("out/main/run.h5")).st_mtime_ns, when)
        self.json("reproduce", folder, "--quick", "--out", "out", code=1)
        self.assertNotEqual(os.stat(self.path("out/main/run.h5")).st_mtime_ns, when)

    def test_an_interrupted_one_goes_on(self):
        folder = self.experiment(GOOD.replace("duration: 0.3", "duration: 30"))
        process = self.start("reproduce", folder, "--quick", "--out", "out")
        self.wait_for(lambda: os.path.exists(self.path("out/main/run.h5")), process)
        code, _, err = self.stop(process, signal.SIGINT)
        self.assertEqual(code, 130, err)
        self.assertFalse(os.path.exists(self.path("out/result.json")))
        info = self.json("info", "out/main/run.h5")
        self.assertEqual(info["state"], "interrupted")
        self.json("reproduce", folder, "--quick", "--out", "out")
        whole = self.json("reproduce", folder, "--quick", "--out", "other")
        self.assertEqual([run["hash"] for run in json.loads(pathlib.Path(self.path("out/result.json")).read_text())["runs"]],
                         [run["hash"] for run in whole["runs"]])

    def test_several_seeds(self):
        result = self.json("reproduce", self.experiment(GOOD), "--quick", "--out", "out", "--seeds", "3")
        check = result["checks"][0]
        self.assertEqual(len(check["values"]), 3)
        self.assertAlmostEqual(check["value"], sum(check["values"]) / 3)
        self.assertGreater(check["deviation"], 0)  # the seed moves the disks
        self.assertTrue(os.path.exists(self.path("out/seed=3/main/run.h5")))

    def test_a_command_gives_results_too(self):
        folder = self.experiment(COMMANDED, wall_sweep=SWEEP)
        self.assertTrue(self.json("reproduce", folder, "--quick", "--out", "out")["pass"])

    def test_mistakes_are_told_with_their_place(self):
        for wrong, words in [("value: main.energy.potential / start", "value: main.energy.potential / strat"), ("expect: [0, 0.999]", "expect: 3"),
                             ("scene: scene.yaml, from", "scene: other.yaml, from"), ("size: 30 disks, minutes: 0.01", "size: 30 disks")]:
            with self.subTest(words=words):
                done = self.talus("reproduce", self.experiment(GOOD.replace(wrong, words)), "--quick", code=2)
                self.assertRegex(done.stderr, r"^gallery/tests/disks/expect.yaml:\d+:\d+: ")
        # A scene that its changes make wrong, and a result that there is not.
        done = self.talus("reproduce", self.experiment(GOOD.replace("duration: 0.3", "duratoin: 0.3")), "--quick", code=2)
        self.assertIn("duratoin", done.stderr)
        done = self.talus("reproduce", self.experiment(GOOD.replace("main.energy_residual", "main.energy_residuum")), "--quick", "--out", "out", code=2)
        self.assertRegex(done.stderr, r"expect.yaml:\d+:\d+: no 'energy_residuum'.*did you mean 'energy_residual'")
        self.talus("reproduce", "no-such-experiment", code=2)
        self.talus("reproduce", code=2)
        self.talus("reproduce", self.experiment(GOOD), "--quick", "--full", code=2)

    def test_the_table_of_results(self):
        folder = self.experiment(GOOD)
        self.talus("reproduce", folder, "--quick", "--out", "results/a")
        shutil.copytree(self.path("results/a"), self.path("results/b"))
        page = self.talus("reproduce", "--table", "results").stdout
        self.assertEqual(page.count("### tests-disks, quick"), 1)
        self.assertIn("| they fall |", page)


class Gallery(cli_support.TalusTest):
    """The gallery itself."""

    PAPERS = {"moreau1994": ["fig1", "fig2", "fig3", "vessel3d", "block", "wall", "backspin", "energy"], "moreau-jean1996": ["fig1", "fig2", "fig3"],
              "moreau2001": ["fig1", "fig2", "fig3", "fig4"], "moreau2003": ["pile", "sweeping", "bar"],
              "sanni2009": ["silo", "pile", "cannonball", "impact", "brazilnut"]}

    def test_it_lists_every_experiment(self):
        listed = {entry["experiment"]: entry for entry in self.json("reproduce", "--list")["experiments"]}
        for paper, names in self.PAPERS.items():
            for name in names:
                entry = listed[f"{paper}-{name}"]
                self.assertEqual(entry["paper"], paper)
                self.assertLess(entry["scales"]["quick"]["minutes"], 1)
                self.assertTrue(os.path.exists(os.path.join(entry["folder"], "README.md")), name)
        text = self.talus("reproduce", "--list").stdout
        self.assertIn("moreau2003-pile", text)

    def test_every_experiment_and_its_scenes_are_accepted(self):
        self.talus("reproduce", "--check")


if __name__ == "__main__":
    unittest.main()
