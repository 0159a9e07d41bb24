"""`talus bench` says what it promises to programs, and refuses what makes no sense. How fast anything is, is not tested."""
import json
import unittest

from cli_support import TalusTest


class Bench(TalusTest):
    def test_kernel_has_one_row_for_each_size_with_exactly_these_keys(self):
        result = self.json("bench", "kernel", "--bodies", "1000", "--threads", "1", "--variants", "scalar", "--seconds", "0.01",
                           "--settle", "0.05")
        self.assertEqual(len(result["rows"]), 1)
        row = result["rows"][0]
        self.assertEqual(set(row), {"bodies", "contacts", "variant", "threads", "updates_per_second", "roof_fraction"})
        self.assertEqual((row["bodies"], row["variant"], row["threads"]), (1000, "scalar", 1))
        self.assertGreater(row["contacts"], 0)
        roof = min(result["memory_roof"], result["fma_roof"])
        self.assertAlmostEqual(row["roof_fraction"], row["updates_per_second"] / roof, places=12)

    def test_kernel_measures_all_variants_where_none_is_named(self):
        result = self.json("bench", "kernel", "--bodies", "1000", "--seconds", "0.2")
        self.assertIn("scalar", [row["variant"] for row in result["rows"]])

    def test_growth_gives_slope_and_memory(self):
        result = self.json("bench", "growth", "--bodies", "1000,2000", "--sweeps", "5", "--seconds", "0", "--settle", "0.02")
        self.assertEqual([row["bodies"] for row in result["rows"]], [1000, 2000])
        for key in ("contacts", "step_seconds", "detect_share", "sweeps_tilted", "bytes_per_body", "peak_resident_bytes"):
            self.assertGreater(result["rows"][1][key], 0, key)
        self.assertIsInstance(result["slope"], float)
        self.assertGreater(result["peak_resident_bytes"], 0)

    def test_growth_takes_other_grains(self):
        for grains in ("disks", "polygons", "polyhedra"):
            result = self.json("bench", "growth", "--grains", grains, "--bodies", "1000", "--sweeps", "5", "--seconds", "0", "--settle", "0.01")
            self.assertEqual((result["grains"], result["rows"][0]["bodies"]), (grains, 1000))

    def test_converge_solves_stored_problems_and_keeps_their_packings(self):
        arguments = ("bench", "converge", "--problems", "column_1000", "--packings", "kept")
        (newton,) = self.json(*arguments, "--solvers", "newton", "--limit", "100")["rows"]
        (nlgs,) = self.json(*arguments, "--solvers", "nlgs", "--limit", "0.2")["rows"]
        self.assertEqual([cell["tolerance"] for cell in newton["to"]], [1e-2, 1e-3, 1e-4, 1e-5, 1e-6])
        self.assertTrue(all(cell["reached"] for cell in newton["to"]))
        self.assertFalse(nlgs["to"][-1]["reached"])   # a million sweeps would be needed
        self.assertEqual(newton["contacts"], 1000)
        self.assertIn("column_1000", self.talus("bench", "converge", "--list").stdout)

    def test_bad_arguments_exit_with_2_and_say_what_there_is(self):
        for arguments, said in ((("kernel", "--variants", "vector"), "scalar"), (("kernel", "--bodies", "0"), "--bodies"),
                                (("kernel", "--bodies", "many"), "bodies"), (("kernel", "--threads", "0"), "threads"),
                                (("kernel", "--sweeps", "1"), "--sweeps"), (("growth", "--solver", "guess"), "nlgs"),
                                (("growth", "--grains", "cubes"), "polyhedra"), (("converge", "--problems", "pyramid"), "column_1000"), (("converge", "--solvers", "guess"), "newton"),
                                (("converge", "--limit", "0"), "--limit"), (("speed",), "kernel"), ((), "subcommand")):
            with self.subTest(arguments=arguments):
                self.assertIn(said, self.talus("bench", *arguments, code=2).stderr)

    def test_the_last_line_alone_is_json(self):
        lines = self.talus("bench", "growth", "--bodies", "1000", "--sweeps", "1", "--seconds", "0", "--settle", "0.01",
                           "--json").stdout.splitlines()
        self.assertEqual(json.loads(lines[-1])["benchmark"], "growth")
        self.assertNotEqual(lines[0][:1], "{")


if __name__ == "__main__":
    unittest.main()
