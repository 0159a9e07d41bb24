"""talus plot: figures of a run as SVG that an XML parser reads, options in both spellings, mistakes answered."""
import os
import pathlib
import re
import unittest
import xml.etree.ElementTree as xml

from cli_support import TalusTest, disks

SPACE = """
talus: 1
dimension: 3
units: cgs
gravity: 981
step: 1e-3
duration: 0.2
materials:
  grain: {density: 2.5, friction: 0.4}
bodies:
  - {name: floor, plane: {normal: [0, 0, 1]}, material: grain}
  - {name: cup, cylinder_inside: {radius: 3}, material: grain}
generate:
  - {name: grains, lattice: {kind: cubic, counts: [3, 3, 3], origin: [-1, -1, 0.6], spacing: 1.05}, diameter: 1, material: grain}
record: {every: 0.05, sums: true}
observe: [energy, contacts]
"""
SVG = "{http://www.w3.org/2000/svg}"


class Plot(TalusTest):
    def setUp(self):
        super().setUp()
        self.write("disks.yaml", disks())
        self.talus("run", "disks.yaml", "--out", "plane")

    def figure(self, *words, run="plane/run.h5"):
        """The root of the figure, drawn into a file of its own."""
        self.talus("plot", run, *words, "-o", "figure.svg")
        return xml.parse(self.path("figure.svg")).getroot()

    def text(self, name):
        return pathlib.Path(self.path(name)).read_text(encoding="utf-8")

    def count(self, root, name):
        return sum(1 for _ in root.iter(SVG + name))

    def test_the_default_name_tells_run_and_figure(self):
        said = self.talus("plot", "plane/run.h5", "grains").stdout
        self.assertEqual(said, "plane-grains.svg\n")
        root = xml.parse(self.path("plane-grains.svg")).getroot()
        self.assertEqual(self.count(root, "circle"), 30)

    def test_every_figure_that_the_run_allows_is_drawn(self):
        for words in (["grains", "colour=load"], ["grains", "colour=speed", "--frame", "0"], ["grains", "colour=rotation"], ["forces"],
                      ["forces", "strong=mark", "average"], ["displacement"], ["trajectories"], ["curves"], ["curves", "y=energy.kinetic"],
                      ["curves", "y=force_y:floor", "--from", "0.1"], ["curves", "what=law_error"], ["bars", "y=energy.kinetic"]):
            with self.subTest(words=words):
                self.assertGreater(len(list(self.figure(*words).iter())), 20)

    def test_options_have_two_spellings(self):
        self.talus("plot", "plane", "grains", "frame=2", "-o", "a.svg")
        self.talus("plot", "plane", "grains", "--frame", "2", "-o", "b.svg")
        self.talus("plot", "plane", "grains", "--time", "0.1", "-o", "c.svg")
        texts = [self.text(name) for name in ("a.svg", "b.svg", "c.svg")]
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], texts[2])

    def test_runs_are_overlaid(self):
        self.talus("run", "disks.yaml", "--out", "other", "--set", "seed=4")
        root = self.figure("other/run.h5", "curves", "y=kinetic")
        words = [text.text for text in root.iter(SVG + "text")]
        self.assertIn("plane", words)
        self.assertIn("other", words)

    def test_space_has_views(self):
        self.write("space.yaml", SPACE)
        self.talus("run", "space.yaml", "--out", "space")
        for view in ("slab", "side", "top", "oblique"):
            with self.subTest(view=view):
                self.assertGreaterEqual(self.count(self.figure("grains", "--view", view, run="space/run.h5"), "circle"), 9)
        words = " ".join(text.text or "" for text in self.figure("grains", run="space/run.h5").iter(SVG + "text"))
        self.assertIn("height [cm]", words)
        self.assertGreater(self.count(self.figure("displacement", "meridian", run="space/run.h5"), "circle"), 27)

    def test_the_list_names_figures_and_options(self):
        listed = self.json("plot", "--list")["figures"]
        names = [figure["name"] for figure in listed]
        for name in ("grains", "forces", "displacement", "trajectories", "rose", "histogram", "curves", "bars", "table", "rings", "profile",
                     "tension", "probe", "cuts", "fossil"):
            self.assertIn(name, names)
        page = pathlib.Path(os.environ["TALUS_SOURCE_DIR"], "docs", "plot.md").read_text(encoding="utf-8")
        for figure in listed:
            with self.subTest(figure=figure["name"]):
                self.assertTrue(f"`{figure['name']}`" in page)
                for option in figure["options"]:
                    self.assertTrue(re.search(rf"[` ]{option['name']}[`=]", page), f"docs/plot.md does not name {option['name']}")
        self.assertIn("colour=", self.talus("plot", "--list", "grains").stdout)

    def test_the_figure_goes_to_standard_output(self):
        self.assertTrue(self.talus("plot", "plane/run.h5", "grains", "-o", "-").stdout.startswith("<svg"))

    def test_mistakes_are_answered(self):
        for words, answer in ((["grain"], "did you mean 'grains'?"), (["grains", "colur=speed"], "did you mean 'colour'?"),
                              (["grains", "colour=hot"], "must be one of"), (["grains", "--frame", "99"], "no frame 99"),
                              (["grains", "--time", "7"], "not within run"), (["curves", "y=kinetik"], "did you mean 'kinetic'?"),
                              (["grains", "--view", "top"], "for runs in space"), ([], "no figure; known figures: "),
                              (["grains", "slab="], "has no value")):
            with self.subTest(words=words):
                self.assertIn(answer, self.talus("plot", "plane/run.h5", *words, code=2).stderr)
        self.assertIn("no run file", self.talus("plot", "grains", code=2).stderr)
        self.talus("plot", "nowhere.h5", "grains", code=4)
        self.write("broken.h5", "this is no run")
        self.talus("plot", "broken.h5", "grains", code=4)
        self.talus("plot", "plane/run.h5", "grains", "-o", "no/such/folder.svg", code=4)

    def test_the_same_figure_is_the_same_text(self):
        for name in ("a.svg", "b.svg"):
            self.talus("plot", "plane/run.h5", "forces", "-o", name)
        self.assertEqual(self.text("a.svg"), self.text("b.svg"))


if __name__ == "__main__":
    unittest.main()
