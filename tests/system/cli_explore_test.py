"""talus explore: exact bounds, samples and their files, from scenes and runs, and what it says when asked wrongly."""
import math
import os
import pathlib
import re
import subprocess
import unittest

import h5py

from cli_support import TALUS, TalusTest

SCENES = pathlib.Path(os.environ["TALUS_SOURCE_DIR"]) / "gallery/scenes"
BAR = str(SCENES / "wedged_bar.yaml")
BALLS = str(SCENES / "three_balls.yaml")
LEAST_THRUST = 9.81 / (2.0 * math.tan(math.atan(0.4) - math.radians(10.0)))

# A disk dropped from nowhere: it touches nothing.
LOOSE = """
talus: 1
dimension: 2
gravity: 9.81
step: 1e-3
duration: 0.01
materials: {disk: {density: 1000, friction: 0.5}}
bodies:
  - {name: floor, plane: {normal: [0, 1]}, material: disk}
  - {name: disk, ball: {radius: 0.05}, position: [0, 1], material: disk}
"""


def named(found, name):
    return next(q for q in found["quantities"] if q["name"] == name)


class Explore(TalusTest):
    def test_the_wedged_bar_has_both_outcomes_and_its_least_thrust(self):
        found = self.json("explore", BAR, "--samples", "100", "--out", "x")
        self.assertEqual(found["equilibrium"], "some")
        thrust = named(found, "wall right: x")
        self.assertAlmostEqual(thrust["least"]["value"], LEAST_THRUST, delta=1e-7)   # the touch of 1e-9 in the geometry
        self.assertEqual(thrust["greatest"]["kind"], "unbounded")
        self.assertGreaterEqual(thrust["sample_least"], LEAST_THRUST - 1e-6)
        lift = named(found, "wall right: y")
        for end in ("least", "greatest"):
            self.assertAlmostEqual(lift[end]["value"], -9.81 / 2, delta=1e-8)
        samples = found["samples"]
        self.assertGreater(samples["stay"], 50)
        self.assertGreater(samples["move"], 0)
        self.assertEqual(samples["stay"] + samples["move"], 100)
        self.assertEqual(samples["fixed_points"], samples["stay"])
        self.assertTrue(found["consistent"])

    def test_the_text_shows_both_outcomes(self):
        text = self.talus("explore", BAR, "--samples", "50", "--out", "x").stdout
        with open(self.path("x/starts.svg")) as svg:
            self.assertIn("starts stay at rest", svg.read())
        self.assertRegex(text, r"stays  \d+ of 50")
        self.assertRegex(text, r"moves  \d+ of 50")
        self.assertIn("unbounded", text)

    def test_the_file_holds_the_cloud_and_the_bounds(self):
        found = self.json("explore", BALLS, "--contact", "left,right", "--contact", "left,top", "--samples", "30", "--order",
                          "random", "--out", "x")
        with h5py.File(self.path("x/explore.h5"), "r") as file:
            self.assertEqual(file.attrs["equilibrium"].decode() if isinstance(file.attrs["equilibrium"], bytes)
                             else file.attrs["equilibrium"], "some")
            self.assertEqual(file["samples/forces"].shape, (30, 5, 2))
            at_rest = file["samples/outcome"][:] == 0
            self.assertEqual(at_rest.sum(), found["samples"]["stay"])
            values = file["samples/values"][:][at_rest]
            least, greatest = file["quantities/least"][:], file["quantities/greatest"][:]
            self.assertTrue((values >= least - 1e-6).all() and (values <= greatest + 1e-6).all())
            # weights . forces = values, for samples and for the forces that attain the bounds
            again = (file["samples/forces"][:][:, None] * file["quantities/weights"][:][None]).sum(axis=(2, 3))
            self.assertLess(abs(again - file["samples/values"][:]).max(), 1e-9)
            attained = (file["quantities/least_forces"][:] * file["quantities/weights"][:]).sum(axis=(1, 2))
            self.assertLess(abs(attained - least).max(), 1e-8)
        with open(self.path("x/forces.svg")) as svg:
            self.assertIn("exact set", svg.read())
        self.assertFalse(os.path.exists(self.path("x/starts.svg")), "all samples stay: nothing to tell apart")

    def test_the_same_seed_gives_the_same_file(self):
        for out in ("one", "two"):
            self.talus("explore", BALLS, "--samples", "5", "--order", "random", "--out", out)
        with h5py.File(self.path("one/explore.h5"), "r") as one, h5py.File(self.path("two/explore.h5"), "r") as two:
            self.assertEqual(one["samples/forces"][:].tobytes(), two["samples/forces"][:].tobytes())
            self.assertEqual(one["quantities/least"][:].tobytes(), two["quantities/least"][:].tobytes())

    def test_below_the_threshold_there_is_none(self):
        found = self.json("explore", BALLS, "--set", "materials.disk.friction=0.2652", "--samples", "20", "--out", "x")
        self.assertEqual(found["equilibrium"], "none")
        self.assertEqual(found["samples"]["stay"], 0)
        found = self.json("explore", BALLS, "--set", "materials.disk.friction=0.2707", "--samples", "0", "--out", "x")
        self.assertEqual(found["equilibrium"], "some")

    def test_it_names_bodies_that_touch_nothing(self):
        scene = self.write("loose.yaml", LOOSE)
        done = self.talus("explore", scene, "--bounds", "--out", "x")
        self.assertIn("impossible", done.stdout)
        self.assertIn("touch nothing: 1", done.stdout)

    def test_collapse_and_cut_of_an_arch(self):
        found = self.json("explore", str(SCENES / "standing_arch.yaml"), "--bounds", "--cut", "x=0.02:normal", "--cut", "x=0.02:y",
                          "--collapse", "acceleration x", "--out", "x")
        limits = found["collapse"][0]
        self.assertAlmostEqual(limits["greatest"]["multiplier"], 0.1498, delta=0.01 * 0.1498)   # B14; plane faces weigh less outside
        self.assertAlmostEqual(limits["least"]["multiplier"], -limits["greatest"]["multiplier"], delta=1e-6)
        for figure, words in (("mechanism.svg", "Mechanism of collapse"), ("least.svg", "Least"), ("greatest.svg", "Greatest")):
            with open(self.path("x", figure)) as svg:
                self.assertIn(words, svg.read())
        thrust = named(found, "cut x=0.02: normal")
        self.assertLess(0.0, thrust["least"]["value"])
        self.assertLess(thrust["least"]["value"], thrust["greatest"]["value"])

    def test_a_run_carries_its_forces(self):
        self.talus("run", BALLS, "--until", "0.01", "--out", "run")
        found = self.json("explore", "run/run.h5", "--samples", "0", "--wall", "floor:y", "--out", "x")
        floor = named(found, "wall floor: y")
        self.assertAlmostEqual(floor["carried"], floor["least"]["value"], delta=1e-5)

    def test_wrong_words_are_told(self):
        for arguments, words in (
                (("--contact", "left"), "A,B"), (("--contact", "left,nobody"), "nobody"), (("--contact", "left,right,7"), "no number 7"),
                (("--wall", "floor:up"), "axes"), (("--cut", "q=3"), "x=0.5"), (("--collapse", "wind"), "acceleration x"),
                (("--collapse", "force floor x"), "cannot move"), (("--plane", "1,99"), "--plane"), (("--frame", "0"), "run file")):
            with self.subTest(arguments=arguments):
                done = self.talus("explore", BALLS, "--bounds", "--out", "x", *arguments, code=2)
                self.assertIn(words, done.stderr)

    def test_every_option_is_documented(self):
        usage = subprocess.run([TALUS, "explore", "--help"], capture_output=True, text=True, check=True).stdout
        page = (SCENES.parent.parent / "docs/explore.md").read_text(encoding="utf-8")
        for option in set(re.findall(r"--[a-z-]+", usage)) - {"--help"}:
            self.assertIn(f"`{option}", page, option)


if __name__ == "__main__":
    unittest.main()
