"""Observables with a memory while running, resumed, and measured afterwards on the run file."""
import json
import math
import os
import pathlib
import unittest

from cli_support import TalusTest, run_rows

try:
    import h5py
except ImportError:
    print("skipped: needs python3-h5py")
    raise SystemExit(77)

# Thirty disks in a box whose floor moves up and down. A frame every quarter period.
SHAKEN = """
talus: 1
title: shaken disks
dimension: 2
gravity: 9.81
step: 1e-3
duration: 0.4
seed: 3
materials:
  grain: {density: 2500, friction: 0.4, restitution: 0.3}
bodies:
  - {name: floor, plane: {normal: [0, 1]}, material: grain, tag: floor, freedoms: {y: {sine: {amplitude: 0.01, frequency: 10}}}}
  - {name: left, plane: {normal: [1, 0]}, position: [-0.05, 0], material: grain, tag: side}
  - {name: right, plane: {normal: [-1, 0]}, position: [0.35, 0], material: grain, tag: side}
generate:
  - {name: grains, lattice: {kind: square, counts: [6, 5], origin: [0, 0.02], jitter: 0.004, spacing: 0.05}, diameter: 0.03, material: grain, tag: bed}
record: {every: 0.025, sums: true, checkpoint_every: 0.06}
observe:
  - {name: displacement, frequency: 10, regions: [{name: core, cylinder: {centre: [0.15, 0], radius: 0.1, low: -1, high: 9}}, {name: all, whole: true}]}
  - {name: phase, of: {name: wall_force, walls: floor}, values: [upward_over_weight], frequency: 10, bins: 20, from: 0.1, periods: 3}
  - {name: series, of: energy, values: [kinetic], sample: steps}
  - {name: series, label: frames, of: energy, values: [kinetic, max_speed]}
  - ledger
  - {name: discharge, below: 0.1}
  - {name: stress, region: {whole: true}, average: true}
  - {name: rose, bootstrap: 20}
"""


def values(results, label):
    return next(r["values"] for r in results if r["label"] == label)


def column(results, label, table, name):
    tables = next(r["tables"] for r in results if r["label"] == label)
    return next(c["values"] for c in tables[table] if c["name"] == name)


class Observe(TalusTest):
    def recorded(self, folder):
        """What the run file holds at its frames and, last, at the end."""
        with h5py.File(self.path(folder, "run.h5"), "r", swmr=True) as run:
            text = run["observables/text"][:].tobytes()
            return [(int(row["frame"]), json.loads(text[int(row["begin"]):int(row["begin"]) + int(row["count"])]))
                    for row in run["observables/index"][:]]

    def test_a_resumed_run_remembers_the_same(self):
        self.write("scene.yaml", SHAKEN)
        self.json("run", "scene.yaml", "--out", "whole")
        for until in ("0.15", "0.27"):
            self.json("run", "scene.yaml", "--out", "parts", "--until", until, *(["--resume"] if until != "0.15" else []))
        self.json("run", "scene.yaml", "--out", "parts", "--resume")
        whole, parts = run_rows(self.path("whole/run.h5")), run_rows(self.path("parts/run.h5"))
        for name, rows in whole.items():
            self.assertEqual(rows, parts[name], name)

    def test_the_run_file_gives_what_the_run_gave(self):
        self.write("scene.yaml", SHAKEN)
        self.json("run", "scene.yaml", "--out", "run")
        final = self.recorded("run")[-1][1]
        found = self.json("observe", "run/run.h5", "{name: displacement, frequency: 10, regions: [{name: all, whole: true}]}",
                          "{name: series, label: frames, of: energy, values: [kinetic, max_speed]}", "ledger",
                          "{name: stress, region: {whole: true}, average: true}")["frames"][0]["observables"]
        for label, keys in {"displacement": ["all_x", "all_y", "all_vorticity", "intervals"], "frames": ["kinetic_max", "samples"],
                            "ledger": ["friction", "residual"], "stress": ["pressure"]}.items():
            for key in keys:
                self.assertEqual(values(found, label)[key], values(final, label)[key], key)
        self.assertEqual(values(final, "displacement")["intervals"]["value"], 4)

    def test_the_phase_sees_every_step_of_its_periods(self):
        self.write("scene.yaml", SHAKEN)
        self.json("run", "scene.yaml", "--out", "run")
        frames = self.recorded("run")
        final = frames[-1][1]
        self.assertEqual(column(final, "phase", "phase", "count"), [15.0] * 20)   # 100 steps a period, three of them
        self.assertLess(values(final, "phase")["upward_over_weight_mean"]["value"], 0.0)   # the floor is pushed down
        self.assertEqual(values(final, "series")["samples"]["value"], 401)
        self.assertEqual(frames[3][1][2]["tables"], {})   # tables that grow are stored at the end
        kinetic = values(final, "ledger")["kinetic"]["value"]
        self.assertTrue(math.isclose(kinetic, values(final, "series")["kinetic_last"]["value"], rel_tol=1e-12))

    def test_what_a_run_file_cannot_give_is_said(self):
        self.write("scene.yaml", SHAKEN)
        self.json("run", "scene.yaml", "--out", "run", "--until", "0.1")
        done = self.talus("observe", "run/run.h5", "{name: phase, of: energy, period: 0.1}", code=2)
        self.assertIn("which a run file does not hold", done.stderr)
        done = self.talus("observe", "run/run.h5", "{name: displacement, from: 0.01}", code=2)
        self.assertIn("no frame there", done.stderr)
        done = self.talus("observe", "run/run.h5", "{name: stress, region: {whole: true}, avrage: true}", code=2)
        self.assertIn("`avrage` is unknown", done.stderr)
        done = self.talus("observe", "run/run.h5", "nothing", code=2)
        self.assertIn("unknown observable `nothing`", done.stderr)

    def test_files_tags_tables_and_the_list(self):
        self.write("scene.yaml", SHAKEN)
        self.json("run", "scene.yaml", "--out", "run", "--until", "0.2")
        self.write("more.yaml", "observe:\n  - {name: wall_force, walls: side}\n  - {name: tracer, tags: bed}\n")
        found = self.json("observe", "run/run.h5", "more.yaml", "--frame", "all")
        self.assertEqual(len(found["frames"]), 9)
        self.assertEqual(values(found["frames"][-1]["observables"], "tracer")["bodies"]["value"], 30)
        written = self.talus("observe", "run/run.h5", "rose", "--csv", "tables").stdout.split()
        self.assertIn("tables/observable_rose_rose.csv", written)
        with open(self.path("tables/observable_rose_rose.csv")) as table:
            self.assertEqual(len(table.readlines()), 25)
        text = self.talus("observe", "run/run.h5", "contacts").stdout
        self.assertIn("coordination", text)
        listed = self.talus("observe", "--list").stdout
        for name in ("stress", "displacement", "phase", "ledger"):
            self.assertIn(name, listed)
        page = (pathlib.Path(os.environ["TALUS_SOURCE_DIR"]) / "docs/observables.md").read_text(encoding="utf-8")
        for line in listed.splitlines()[1:-1]:
            self.assertIn(f"`{line.split()[0]}`", page, "every observable has its place in docs/observables.md")
        self.assertIn("give the run file", self.talus("observe", code=2).stderr)


if __name__ == "__main__":
    unittest.main()
