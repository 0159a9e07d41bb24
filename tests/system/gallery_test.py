"""Every scene to start from passes `talus check`, runs, closes its accounts and leaves a page that
loads nothing from elsewhere; a pile of a hundred grains rests on its ground with its whole weight."""

import html.parser
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TALUS_SOURCE_DIR"])
TALUS = os.environ["TALUS_BINARY"]
# Scenes to start from; those of the experiments are checked and run by talus reproduce (reproduce_test.py, label gallery).
SCENES = sorted((SOURCE / "gallery/scenes").glob("*.yaml")) + [SOURCE / "gallery/moreau2003/pile/scene.yaml"]
VOID = {"meta", "br", "img", "hr", "link", "input"}


class Nesting(html.parser.HTMLParser):
    """Notes tags that do not nest, and addresses that a browser would fetch."""

    def __init__(self):
        super().__init__()
        self.open, self.faults, self.fetched = [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.fetched += [value for name, value in attributes if name in ("src", "href", "xlink:href") and not value.startswith(("data:", "#"))]

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


def run(scene, out, *arguments):
    done = subprocess.run([TALUS, "run", str(scene), "--out", str(out), "--json", *arguments], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{scene}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout.strip().splitlines()[-1])


class Gallery(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_there_are_scenes(self):
        self.assertGreaterEqual(len(SCENES), 6)

    def test_every_scene_passes_check(self):
        for scene in SCENES:
            with self.subTest(scene=scene.name):
                done = subprocess.run([TALUS, "check", str(scene)], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_scene_starts_and_closes_its_accounts(self):
        for scene in SCENES:
            with self.subTest(scene=scene.name):
                out = self.folder / scene.stem
                summary = run(scene, out, "--until", "0.05")
                # Rounding of sums over a thousand bodies; a term left out would show at 1e-3 or more.
                self.assertLess(summary["energy_residual"], 1e-10)
                self.assertGreater(summary["steps"], 0)
                self.check_page(out / "report.html")

    def check_page(self, path):
        page = Nesting()
        page.feed(path.read_text(encoding="utf-8"))
        self.assertEqual((page.faults, page.open, page.fetched), ([], [], []))

    def test_a_small_pile_rests_on_its_ground(self):
        out = self.folder / "pile"
        summary = run(SOURCE / "gallery/moreau2003/pile/scene.yaml", out, "--set", "emitters.source.count=100")
        measured = summary["observables"]
        # At rest the ground carries the weight; what is missing is the law error of the last step.
        self.assertAlmostEqual(measured["weight_balance"]["wall_force_over_weight"], 1.0, delta=1e-3)
        self.assertLess(measured["energy"]["kinetic_over_mgd"], 1e-8)
        self.assertLess(measured["overlap"]["max_overlap"], 0.1)
        self.assertTrue((out / "csv").is_dir())
        self.assertTrue((out / "vtp").is_dir())
        self.check_page(out / "report.html")


if __name__ == "__main__":
    unittest.main()
