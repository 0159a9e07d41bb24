#!/usr/bin/python3
"""Scenes give the same bits on a processor without fused multiply-add: runs are repeated with the C library told to use the versions of its
functions for such a machine, whose sines, powers and logarithms differ in the last bit. State hashes must not.
"""
import glob
import json
import os
import subprocess
import tempfile
import unittest

TALUS = os.environ.get("TALUS_BINARY", "build/talus")
SOURCE = os.environ.get("TALUS_SOURCE_DIR", os.getcwd())
PLAIN = "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable,-FMA4,-FMA4_Usable"
UNTIL = 0.1   # [s] the whole of most scenes

# Grains between walls that all move, each by another law, long enough for a last bit to come to the others.
DRIVEN = """
talus: 1
dimension: 2
gravity: [1.3, -9.7]
step: 4e-4
duration: 0.6
seed: 4
materials: {grain: {density: 1000, friction: 0.4, restitution: 0.3}}
bodies:
  - {name: bed, segment: {from: [-0.3, -0.02], to: [1.31, 0.013]}, drive: {ellipse: {cosine: [0.01, 0.002], sine: [0.003, 0.012], frequency: 11, phase: 20}}}
  - {name: left, plane: {normal: [1, 0.1]}, freedoms: {x: {sine: {amplitude: 0.02, frequency: 7, phase: 33}}}}
  - {name: right, plane: {normal: [-1, 0.2]}, position: [1, 0],
     freedoms: {x: {expression: "0.01*(exp(-t)*sin(2*_pi*9*t) + (1 + t)^2.7 - 1 + tanh(t) + ln(1 + t) + atan2(t, 1 + t) + asinh(t) - cosh(t) + 1)"}}}
  - {name: lid, plane: {normal: [0, -1]}, position: [0, 0.9], freedoms: {y: {table: {time: [0, 0.05, 0.1, 0.6], value: [0, 3, -2, 1], quantity: acceleration}}}}
generate:
  - {name: grains, fill: {region: {box: {low: [0.15, 0.03], high: [0.8, 0.8]}}, count: 80, gap: 1e-3}, radius: {uniform_mass: [0.02, 0.03]}}
"""


def hash_of(scene, folder, until, tunables=None):
    environment = {key: value for key, value in os.environ.items() if key != "GLIBC_TUNABLES"}
    if tunables:
        environment["GLIBC_TUNABLES"] = tunables
    command = [TALUS, "run", scene, "--out", folder, "--force", "--json", "--threads", "1", "--until", str(until)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode in (0, 3), done.stderr
    return json.loads(done.stdout.splitlines()[-1])["hash"]


class AnyProcessor(unittest.TestCase):
    def compare(self, scene, until):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            self.assertEqual(hash_of(scene, folder, until), hash_of(scene, folder, until, PLAIN), scene)

    def test_walls_driven_by_every_law(self):
        with tempfile.TemporaryDirectory(dir=".") as folder:
            scene = os.path.join(folder, "driven.yaml")
            with open(scene, "w", encoding="utf-8") as file:
                file.write(DRIVEN)
            self.compare(scene, 0.6)

    def test_scenes_of_every_kind(self):
        """Cylinders, hoppers, drums, generators, solids, loads, joints."""
        for scene in sorted(glob.glob(os.path.join(SOURCE, "tests/system/good_scenes/*.yaml"))):
            with self.subTest(scene=os.path.basename(scene)):
                self.compare(scene, UNTIL)


if __name__ == "__main__":
    unittest.main()
