#!/usr/bin/env python3
"""A run gives the same bits for any number of threads: balls, polygons, polyhedra and a drum, in the plane and in
space, grains that are poured in and leave; state hash and run file alike."""
import os
import unittest

from cli_support import TalusTest, run_rows

SCENES = os.path.join(os.environ["TALUS_SOURCE_DIR"], "gallery", "scenes")
# A pile small enough for a test: grains are set down one by one on a rough bed, some roll off the edge.
PILE = """
talus: 1
dimension: 3
units: cgs
gravity: 981
step: 5e-4
solver: {tolerance: 0.01, max_sweeps: 100}
materials:
  grain: {density: 1, friction: 0.4}
generate:
  - name: bed
    rough_bed: {region: {disk: {radius: 2}}, spacing: [0.30, 0.28], jitter: 0.05}
    diameter: {uniform: [0.25, 0.50]}
emitters:
  - {name: source, region: {disk: {radius: 0.8}}, rate: 200, count: 60, height: lowest_free, above_apex: 1,
     diameter: {uniform: [0.25, 0.50]}, material: grain}
sinks:
  - {name: edge, below: -1}
duration: 0.3
record: {every: 0.05, sums: true}
observe: [slope, contacts, energy]
"""


class Threads(TalusTest):
    def check(self, scene, until):
        first = None
        for threads in (1, 2, 3, 8):
            out = f"out{threads}"
            result = self.json("run", scene, "--out", out, "--until", str(until), "--threads", str(threads))
            seen = (result["hash"], result["law_error"], result["energy_residual"], run_rows(self.path(out, "run.h5")))
            first = first or seen
            self.assertEqual(seen[:3], first[:3], f"{scene} with {threads} threads")
            self.assertEqual(seen[3].keys(), first[3].keys())
            for name, data in seen[3].items():
                self.assertEqual(data, first[3][name], f"{name} of {scene} with {threads} threads")

    def test_drum(self):
        self.check(os.path.join(SCENES, "drum.yaml"), 0.02)

    def test_polygons(self):
        self.check(os.path.join(SCENES, "polygons.yaml"), 0.05)

    def test_polyhedra(self):
        self.check(os.path.join(SCENES, "polyhedra.yaml"), 0.06)

    def test_hopper(self):
        self.check(os.path.join(SCENES, "hopper.yaml"), 0.03)

    def test_pile(self):
        self.check(self.write("pile.yaml", PILE), 0.3)

    def test_one_thread_at_least(self):
        self.assertIn("--threads", self.talus("run", self.write("pile.yaml", PILE), "--threads", "0", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
