"""A scene that starts from a frame keeps its own walls: a floor made wider stays wider. Solids of the frame come
along with their shapes; one whose freedoms were partly held is held again."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TALUS = os.environ["TALUS_BINARY"]
HEAD = """talus: 1
dimension: 2
gravity: 9.81
step: 1e-3
duration: {duration}
materials: {{stone: {{density: 2000, friction: 0.5}}}}
record: {{every: 0.1}}
observe: [energy]
"""


class StartFromAFrameWithSolids(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_scene(self, name, duration, rest):
        (self.folder / f"{name}.yaml").write_text(HEAD.format(duration=duration) + rest)
        done = subprocess.run([TALUS, "run", f"{name}.yaml", "--out", name, "--json"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.strip().splitlines()[-1])

    def test_walls_are_those_of_the_scene(self):
        self.run_scene("first", 0.1, """
bodies:
  - {name: floor, box: {size: [1, 0.2]}, position: [0, -0.1], material: stone}
  - {polygon: {points: [[0, 0], [0.2, 0], [0.1, 0.2]]}, freedoms: free, material: stone}
""")
        second = self.run_scene("second", 0.5, """
bodies:
  - {name: floor, box: {size: [6, 0.2]}, position: [0, -0.1], material: stone}
  - {box: {size: [0.2, 0.2]}, position: [2, 0.2], freedoms: free, material: stone}
start: {run: first/run.h5}
""")
        self.assertEqual(second["bodies"], 3)
        self.assertLess(second["observables"]["energy"]["max_speed"], 1e-3)  # both rest on the wide floor
        self.assertLess(second["max_overlap"], 0.01)

    def test_a_shape_placed_by_its_own_origin_stays_where_it_was(self):
        scene = """
bodies:
  - {name: floor, plane: {normal: [0, 1]}, material: stone}
  - {name: wedge, polygon: {points: [[0, 0], [1, 0], [0, 1]]}, position: [1, 0], material: stone}
  - {box: {size: [0.2, 0.2]}, position: [0, 0.1], freedoms: free, material: stone}
stages:
  - {duration: 0.05}
  - {duration: 0.05, bodies: {wedge: {freedoms: free}}}
"""
        first = self.run_scene("first", 1, scene)
        second = self.run_scene("second", 1, scene.replace("  - {box: {size: [0.2, 0.2]}, position: [0, 0.1], freedoms: free, material: stone}\n", "")
                                + "start: {run: first/run.h5, frame: 0}\n")
        self.assertEqual(second["bodies"], first["bodies"])
        self.assertLess(second["max_overlap"], 1e-3)
        self.assertLess(second["observables"]["energy"]["max_speed"], 1e-2)


if __name__ == "__main__":
    unittest.main()
