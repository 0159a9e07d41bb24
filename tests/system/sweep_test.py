"""`talus sweep`: the trickle of moreau2003 section 2.6 from a file of formulas, and what is said to mistakes."""

import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

SOURCE = pathlib.Path(os.environ["TALUS_SOURCE_DIR"])
TALUS = os.environ["TALUS_BINARY"]
CAVERN = SOURCE / "gallery/moreau2003/sweeping/cavern.sweep"

DOME = """talus: 1
kind: sweeping
from: -0.5
until: 3
step: 0.01
set:
- {name: dome, inside: 1 - (t - 1)^2 - x^2 - y^2}
start:
- [0.03, 0.04]
"""


def talus(*arguments):
    return subprocess.run([TALUS, *map(str, arguments)], capture_output=True, text=True, check=False)


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text):
        path = self.folder / "scene.sweep"
        path.write_text(text, encoding="utf-8")
        return path

    def sweep(self, path):
        done = talus("sweep", path, "--out", self.folder / "out", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def test_the_trickle_leaves_the_dome_at_its_equator(self):
        result = self.sweep(self.write(DOME))["paths"][0]
        # Radius 1 but for rounding of the formula: 1e-16 over the slope there, which catching-up meets from t = 0.99.
        self.assertAlmostEqual(math.hypot(*result["end"]), 1.0, delta=1e-12)
        self.assertAlmostEqual(result["end"][1] / result["end"][0], 4.0 / 3.0, delta=1e-6)
        self.assertLess(result["violation"], 1e-12)

    def test_the_cavern_runs_and_is_drawn(self):
        self.assertEqual(talus("check", CAVERN).returncode, 0)
        result = self.sweep(CAVERN)
        self.assertTrue(all(path["converged"] for path in result["paths"]))
        with open(self.folder / "out/paths.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["path"] for row in rows}, {str(k) for k in range(len(result["paths"]))})
        # All water ends in the shaft of the funnel.
        for path in result["paths"]:
            self.assertLess(math.hypot(*path["end"]), 0.27)
        root = xml.etree.ElementTree.parse(self.folder / "out/sweep.svg").getroot()
        self.assertTrue(root.tag.endswith("svg"))

    def test_mistakes_are_told_with_their_place(self):
        for old, new, message in [
            ("x^2 - y^2", "x^2 - z^2", "scene.sweep:7:"),
            ("step: 0.01", "stop: 0.01", "stop"),
            ("until: 3", "until: -3", "'until' is not after 'from'"),
            ("[0.03, 0.04]", "[0.03]", "scene.sweep:9:3"),
        ]:
            with self.subTest(message=message):
                done = talus("sweep", self.write(DOME.replace(old, new)), "--out", self.folder / "out")
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
