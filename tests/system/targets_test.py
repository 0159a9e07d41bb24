"""benchmarks/targets.py judges what it is given as its table says. How fast anything is, is not tested."""
import os
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(os.environ["TALUS_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "benchmarks"))
import targets  # noqa: E402


def verdicts(lines):
    return [line.verdict for line in lines]


class Verdicts(unittest.TestCase):
    def test_a_bound_is_met_when_it_is_reached(self):
        for value, least, verdict in ((2.0, True, "holds"), (1.9, True, "MISSED"), (3.0, True, "stretch"), (2.0, False, "holds"), (2.1, False, "MISSED")):
            stretch = 3.0 if least else 1.0
            self.assertEqual(targets.Line("x", value, 2.0, stretch, least).verdict, verdict, (value, least))

    def test_what_was_not_measured_is_missed(self):
        self.assertEqual(targets.Line("x", None, 2.0).verdict, "MISSED")
        self.assertIn("none", targets.Line("x", None, 2.0).text())

    def test_a_million_spheres_have_a_bound_of_their_own(self):
        rows = [{"bodies": n, "threads": t, "variant": "simd", "updates_per_second": u}
                for n, t, u in ((10 ** 5, 1, 74e6), (10 ** 5, 2, 140e6), (10 ** 6, 1, 61e6), (10 ** 6, 2, 100e6))]
        rows.append({"bodies": 10 ** 5, "threads": 1, "variant": "scalar", "updates_per_second": 1e9})
        self.assertEqual(verdicts(targets.kernel_lines({"rows": rows})), ["MISSED", "holds", "holds", "MISSED"])

    def test_the_fastest_of_the_other_codes_counts(self):
        rows = [{"code": "talus", "bodies": 1000}, {"code": "A", "bodies": 1000, "times_talus": 2.9}, {"code": "B", "bodies": 1000, "times_talus": 9.0}]
        self.assertEqual(verdicts(targets.peers_lines({"rows": rows})), ["MISSED"])
        rows[1]["times_talus"] = 3.1
        self.assertEqual(verdicts(targets.peers_lines({"rows": rows})), ["holds"])

    def test_without_another_code_nothing_holds(self):
        self.assertEqual(verdicts(targets.peers_lines({"rows": [{"code": "talus", "bodies": 1000}]})), ["MISSED"])

    def test_twenty_thousand_spheres_are_judged_by_time_and_quality(self):
        row = {"code": "talus", "bodies": 20000, "cpu_seconds_per_second": 24.0, "max_overlap_percent": 0.1, "mean_overlap_percent": 0.02,
               "kinetic_energy": 1e-5, "wall_force_over_weight": 0.99}
        other = {"code": "A", "bodies": 20000, "times_talus": 11.0}
        self.assertEqual(verdicts(targets.peers_lines({"rows": [row, other]})), ["holds", "holds", "holds", "MISSED", "holds", "MISSED"])
        row["cpu_seconds_per_second"] = 26.0   # of three runs the least counts; one that failed does not
        self.assertEqual(verdicts(targets.peers_lines({"rows": [row, other]}, [25.5, None]))[1], "MISSED")
        self.assertEqual(verdicts(targets.peers_lines({"rows": [row, other]}, [None, 24.5]))[1], "holds")

    def test_shares_are_those_of_steps(self):
        result = {"seconds_detect": 2.0, "seconds_steps": 10.0, "seconds": 100.0}
        dense, line = targets.detect_lines([{"grains": "polygons", "rows": [{"bodies": 1000, "detect_share_tilted": 0.1}]}], {"it": result})
        self.assertEqual((dense.value, dense.verdict), (0.1, "holds"))
        self.assertAlmostEqual(line.value, 0.2)
        self.assertEqual(line.verdict, "MISSED")


if __name__ == "__main__":
    unittest.main()
