"""The quality that benchmarks/peers measures for every code is what one computes by hand; the start is the same for all; what a code is given can be read back."""
import math
import os
import pathlib
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TALUS_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "benchmarks" / "peers"))
import codes  # noqa: E402
import figure  # noqa: E402
import jobs  # noqa: E402
import quality  # noqa: E402

JOB = {"diameter": 2.0, "width": 10.0, "dimension": 3, "gravity": 10.0}


def body(x, v=(0.0, 0.0, 0.0), w=(0.0, 0.0, 0.0)):
    return [*x, *v, *w]


class Overlaps(unittest.TestCase):
    def test_a_pair_and_the_floor(self):
        # Diameter 2: the first sphere is 0.02 into the floor (1 %), the second 0.04 into the first (2 %), the third touches nothing.
        frame = [body([5, 5, 0.98]), body([5, 5, 2.94]), body([2, 2, 5])]
        result = quality.round_quality([(0.0, frame), (1.0, frame)], JOB)
        self.assertEqual(result["contacts"], 2)
        self.assertAlmostEqual(result["max_overlap_percent"], 2.0)
        self.assertAlmostEqual(result["mean_overlap_percent"], 1.5)
        self.assertEqual(result["escaped"], 0)

    def test_contacts_that_are_just_open_count_as_zero(self):
        frame = [body([5, 5, 1.001]), body([5, 5, 2.981])]   # 0.05 % apart from the floor, 1 % into each other
        result = quality.round_quality([(0.0, frame), (1.0, frame)], JOB)
        self.assertEqual(result["contacts"], 2)
        self.assertAlmostEqual(result["mean_overlap_percent"], 0.5)

    def test_all_four_walls_and_cells_that_are_diagonal_to_each_other(self):
        corners = [[0.9, 5, 5], [9.1, 5, 5], [5, 0.9, 5], [5, 9.1, 5]]
        gaps = quality.near_gaps(corners, 2.0, 10.0, 3)
        self.assertEqual(len(gaps), 4)
        for gap in gaps:
            self.assertAlmostEqual(gap, -0.05)
        way = 1.9 / math.sqrt(3)
        self.assertEqual(len(quality.near_gaps([[5, 5, 5], [5 + way, 5 - way, 5 + way]], 2.0, 10.0, 3)), 1)

    def test_every_pair_is_found_once(self):
        grid = [[1.0 + 1.99 * i, 1.0 + 1.99 * j, 20.0 + 1.99 * k] for i in range(4) for j in range(4) for k in range(4)]
        self.assertEqual(len(quality.near_gaps(grid, 2.0, 100.0, 3)), 3 * 4 * 4 * 3 + 2 * 16)  # neighbours, and the walls x = 0, y = 0

    def test_in_the_plane_the_walls_across_y_do_not_exist(self):
        self.assertEqual(quality.near_gaps([[5, 0, 5]], 2.0, 10.0, 2), [])
        self.assertEqual(len(quality.near_gaps([[0.9, 0, 0.9]], 2.0, 10.0, 2)), 2)


class Motion(unittest.TestCase):
    def test_energy_of_a_fall_by_one_diameter_is_one(self):
        speed = math.sqrt(2 * 10.0 * 2.0)
        self.assertAlmostEqual(quality.kinetic_energy([body([5, 5, 5], [0, 0, -speed])], 2.0, 10.0, 3), 1.0)

    def test_a_rolling_ball_has_two_fifths_more_and_a_disk_half(self):
        rolling = [body([5, 5, 1], [3, 0, 0], [0, 3, 0])]   # radius 1: v = r w
        still = [body([5, 5, 1], [3, 0, 0])]
        for dimension, more in ((3, 1.4), (2, 1.5)):
            self.assertAlmostEqual(quality.kinetic_energy(rolling, 2.0, 10.0, dimension) / quality.kinetic_energy(still, 2.0, 10.0, dimension), more)

    def test_walls_carry_nothing_in_free_fall_and_the_weight_at_rest(self):
        falling = [[body([5, 5, 9], [0, 0, -1.0])], [body([5, 5, 8], [0, 0, -1.0 - 10.0 * 0.25])]]
        self.assertAlmostEqual(quality.wall_force(*falling, 0.25, 10.0), 0.0)
        resting = [[body([5, 5, 1])], [body([5, 5, 1])]]
        self.assertAlmostEqual(quality.wall_force(*resting, 0.25, 10.0), 1.0)

    def test_a_stop_from_a_fall_is_carried_by_the_walls(self):
        stopped = [[body([5, 5, 1], [0, 0, -5.0])], [body([5, 5, 1])]]
        self.assertAlmostEqual(quality.wall_force(*stopped, 0.25, 10.0), 3.0)  # 1 + 5 / (10 * 0.25)

    def test_bodies_that_left_or_are_nowhere_are_counted(self):
        places = [[5, 5, 5], [-0.1, 5, 5], [5, 10.1, 5], [5, 5, -0.1], [math.nan, 5, 5]]
        self.assertEqual(quality.escaped(places, 10.0, 3), 4)

    def test_blocks_drift_by_their_way_over_the_least_edge(self):
        start = [[0, 0, 1, 0, 0, 0, 4.0, 3.0, 2.0], [4, 0, 1, 0, 0, 0, 4.0, 3.0, 2.0]]
        frame = [body([0.03, 0.04, 1]), body([4, 0, 1], [0, 0.6, 0.8])]
        result = quality.block_quality([(1.0, frame)], start, JOB)
        self.assertAlmostEqual(result["max_drift_percent"], 2.5)
        self.assertAlmostEqual(result["mean_drift_percent"], 1.25)
        self.assertAlmostEqual(result["max_speed"], 1.0)


class Starts(unittest.TestCase):
    def test_the_same_seed_gives_the_same_start_and_nothing_overlaps(self):
        for make, dimension in ((jobs.spheres, 3), (jobs.disks, 2)):
            job = make(500)
            self.assertEqual(job["start"], make(500)["start"])
            self.assertNotEqual(job["start"], make(500, seed=2)["start"])
            gaps = quality.near_gaps([row[:3] for row in job["start"]], job["diameter"], job["width"], dimension)
            self.assertGreaterEqual(min(gaps, default=0.0), 0.0)
            self.assertEqual(len(job["start"]), 500)

    def test_a_wall_of_blocks_has_no_joint_above_a_joint_and_stands_in_its_length(self):
        job = jobs.blocks(4)
        self.assertEqual(job["bodies"], 4 + 5 + 4 + 5)
        for row in job["start"]:
            self.assertGreaterEqual(row[0] - 0.5 * row[6], -1e-12)
            self.assertLessEqual(row[0] + 0.5 * row[6], job["width"] + 1e-12)
        self.assertAlmostEqual(sum(row[6] for row in job["start"][:4]), sum(row[6] for row in job["start"][4:9]))


class Files(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def test_frames_are_told_apart_by_their_time(self):
        path = self.folder / "frames.csv"
        path.write_text("t,x,y,z,vx,vy,vz,wx,wy,wz\n0.1,1,2,3,0,0,0,0,0,0\n0.1,4,5,6,0,0,0,0,0,0\n0.2,1,2,2.5,0,0,-1,0,0,0\n")
        frames = codes.read_frames(path)
        self.assertEqual([(t, len(bodies)) for t, bodies in frames], [(0.1, 2), (0.2, 1)])
        self.assertEqual(frames[1][1][0][:6], [1, 2, 2.5, 0, 0, -1])

    def test_a_dump_without_its_first_frame(self):
        path = self.folder / "frames.dump"
        frame = "ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\nITEM: ATOMS id x y z vx vy vz omegax omegay omegaz\n1 {} 0 0 0 0 0 0 0 0\n"
        path.write_text(frame.format(0, 0.5) + frame.format(100, 0.25))
        self.assertEqual(codes.read_dump(path, 1e-3), [(0.1, [[0.25, 0, 0, 0, 0, 0, 0, 0, 0]])])

    def test_the_figure_is_xml_that_names_every_code(self):
        from xml.etree import ElementTree
        rows = [{"job": "spheres", "code": name, "bodies": 1000, "status": "done", "cpu_seconds_per_second": cpu, "max_overlap_percent": overlap}
                for name, cpu, overlap in (("talus", 0.5, 0.02), ("Bullet", 14.0, 0.0), ("Siconos", 900.0, 8.0))]
        text = "".join(ElementTree.fromstring(figure.draw(rows)).itertext())
        for name in ("talus 1k", "Bullet 1k", "Siconos 1k"):
            self.assertIn(name, text)


if __name__ == "__main__":
    unittest.main()
