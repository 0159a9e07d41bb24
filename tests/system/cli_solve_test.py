"""talus solve and talus export --fclib: problems of other programs and our own, exit codes, and that the problem of a step has the
step as its answer."""
import json
import os
import pathlib
import shutil
import unittest

import h5py
import numpy

from cli_support import REST, TalusTest, disks

PROBLEMS = pathlib.Path(os.environ["TALUS_SOURCE_DIR"]) / "tests/system/problems"
SPACE = str(PROBLEMS / "FC3D_Example1.hdf5")
PLANE = str(PROBLEMS / "FrictionContactProblem00031.hdf5")
GLOBAL = str(PROBLEMS / "Box_Stacks-global.hdf5")
LOCAL = str(PROBLEMS / "Box_Stacks-local.hdf5")
PROMISED = {"contacts", "bodies", "solver", "status", "iterations", "seconds", "error", "error_absolute"}

# Two balls of a frictionless stack on a floor: the forces are the weights above.
STACK = """
talus: 1
dimension: 3
gravity: 9.81
step: 1e-3
duration: 0.005
solver: {tolerance: 1e-12, max_sweeps: 100000}
allow: [overlap]
materials:
  grain: {density: 1000, friction: 0, restitution: 0}
bodies:
  - {name: floor, plane: {normal: [0, 0, 1]}, material: grain}
  - {name: low, ball: {radius: 0.5}, position: [0, 0, 0.4999], material: grain}
  - {name: high, ball: {radius: 0.5}, position: [0, 0, 1.4998], material: grain}
record: {every: 1e-3}
"""


def matrix(group):
    """A matrix of an FCLIB file, dense, read without talus."""
    m, n, nz = (int(group[name][0]) for name in ("m", "n", "nz"))
    p, i, x = group["p"][:], group["i"][:], group["x"][:]
    out = numpy.zeros((m, n))
    if nz >= 0:
        numpy.add.at(out, (i[:nz], p[:nz]), x[:nz])
        return out
    lines = numpy.repeat(numpy.arange(len(p) - 1), numpy.diff(p))
    numpy.add.at(out, (i, lines) if nz == -1 else (lines, i), x)
    return out


def natural_error(u, r, q, mu, d):
    """The error of the documentation, contact by contact: absolute, and over max(|q|, |r|, |u|)."""
    total = 0.0
    for k, m in enumerate(mu):
        uk, rk = u[d * k:d * k + d], r[d * k:d * k + d]
        z = rk - uk
        z[0] -= m * numpy.linalg.norm(uk[1:])
        t = numpy.linalg.norm(z[1:])
        if t <= m * z[0]:
            p = z
        elif m * t <= -z[0]:
            p = numpy.zeros(d)
        else:
            n = (z[0] + m * t) / (1 + m * m)
            p = numpy.concatenate([[n], m * n * z[1:] / t])
        total += numpy.sum((rk - p) ** 2)
    size = max(numpy.linalg.norm(v) for v in (q, r, u))
    return total ** 0.5, total ** 0.5 / size


class Solve(TalusTest):
    def test_the_promised_keys_are_there_and_the_answer_is_one(self):
        for problem, contacts in ((SPACE, 3), (PLANE, 11), (GLOBAL, 31), (LOCAL, 31)):
            result = self.json("solve", problem)
            self.assertLessEqual(PROMISED, set(result))
            self.assertEqual(result["contacts"], contacts)
            self.assertEqual(result["status"], "converged")
            self.assertLessEqual(result["error"], 1e-8)
        self.assertEqual(self.json("solve", GLOBAL)["bodies"], 450 / 6)
        self.assertEqual(self.json("solve", LOCAL)["bodies"], 0)  # the local form does not tell

    def test_the_error_is_the_documented_one_and_the_solution_satisfies_the_equations(self):
        for problem, form in ((SPACE, "fclib_local"), (PLANE, "fclib_local"), (GLOBAL, "fclib_global")):
            result = self.json("solve", problem, "--out", "answer.hdf5", "--tol", "1e-3")
            with h5py.File(self.path("answer.hdf5")) as answer:
                g, d = answer[form], int(answer[form]["spacedim"][0])
                u, r = answer["solution/u"][:], answer["solution/r"][:]
                if form == "fclib_local":
                    W, q = matrix(g["W"]), g["vectors/q"][:]
                else:
                    M, H, v = matrix(g["M"]), matrix(g["H"]), answer["solution/v"][:]
                    f, w = g["vectors/f"][:], g["vectors/w"][:]
                    W, q = H.T @ numpy.linalg.solve(M, H), H.T @ numpy.linalg.solve(M, f) + w
                    numpy.testing.assert_allclose(M @ v, H @ r + f, atol=1e-10 * numpy.abs(f).max())
                    numpy.testing.assert_allclose(u, H.T @ v + w, atol=1e-12)
                numpy.testing.assert_allclose(u, W @ r + q, atol=1e-11 * max(1, numpy.abs(q).max()))
                absolute, relative = natural_error(u, r, q, g["vectors/mu"][:], d)
            # Rounding of sums of the size of q.
            self.assertAlmostEqual(result["error_absolute"], absolute, delta=1e-12 * max(1, numpy.linalg.norm(q)))
            self.assertAlmostEqual(result["error"], relative, delta=1e-12)

    def test_exit_codes(self):
        self.assertIn("no such", self.talus("solve", "nothing.hdf5", code=4).stderr.lower())
        self.write("text.hdf5", "talus: 1\n")
        self.assertIn("text.hdf5: not an FCLIB problem", self.talus("solve", "text.hdf5", code=2).stderr)
        missed = self.json("solve", PLANE, "--tol", "1e-300", "--max-iterations", "3", "--solver", "nlgs", code=3)
        self.assertEqual((missed["status"], missed["iterations"]), ("iteration_limit", 3))
        self.assertIn("accelerated", self.talus("solve", SPACE, "--solver", "nlsg", code=2).stderr)
        self.talus("solve", code=2)
        for option, value in (("--tol", "0"), ("--tol", "nan"), ("--max-iterations", "0"), ("--max-seconds", "-1"),
                              ("--error", "mean"), ("--repeat", "0")):
            self.talus("solve", SPACE, option, value, code=2)

    def test_several_files_give_one_line_each_and_the_sound_ones_are_solved(self):
        self.write("text.hdf5", "talus: 1\n")
        done = self.talus("solve", SPACE, "text.hdf5", PLANE, "--json", code=2)
        self.assertEqual([json.loads(line)["file"] for line in done.stdout.splitlines()], [SPACE, PLANE])
        self.assertIn("text.hdf5", done.stderr)
        self.assertEqual(len(self.talus("solve", SPACE, PLANE).stdout.splitlines()), 3)  # a heading

    def test_the_input_is_never_written(self):
        shutil.copy(SPACE, self.path("mine.hdf5"))
        before = pathlib.Path(self.path("mine.hdf5")).read_bytes()
        self.assertIn("never changed", self.talus("solve", "mine.hdf5", "--out", "./mine.hdf5", code=2).stderr)
        self.talus("solve", "mine.hdf5", "--out", "answer.hdf5")
        self.assertEqual(before, pathlib.Path(self.path("mine.hdf5")).read_bytes())
        self.talus("solve", SPACE, PLANE, "--out", "answer.hdf5", code=2)
        self.talus("solve", SPACE, "--out", "no/such/folder.hdf5", code=4)

    def test_a_solution_is_a_start(self):
        self.talus("solve", PLANE, "--out", "answer.hdf5", "--tol", "1e-10")
        again = self.json("solve", "answer.hdf5", "--start", "solution", "--tol", "1e-9", "--solver", "nlgs")
        self.assertLessEqual(again["iterations"], 1)
        self.assertIn("/guesses/1/r", self.talus("solve", PLANE, "--start", "guess", code=2).stderr)

    def test_every_solver_is_listed_and_a_global_problem_may_be_singular(self):
        names = self.talus("solve", "--list-solvers").stdout.split()
        self.assertIn("nlgs", names)
        for name in names:
            self.assertIn(name, self.talus("solve", "--help").stdout)
        shutil.copy(GLOBAL, self.path("singular.hdf5"))
        with h5py.File(self.path("singular.hdf5"), "r+") as problem:
            problem["fclib_global/M/x"][7] = 0.0
        self.assertIn("singular.hdf5: M is singular", self.talus("solve", "singular.hdf5", code=2).stderr)


class ExportProblems(TalusTest):
    def run_scene(self, text):
        self.write("scene.yaml", text)
        self.talus("run", "scene.yaml", "--out", "run")

    def export(self, *options):
        return self.talus("export", "run/run.h5", *options).stdout.split()

    def test_the_forces_of_a_stack_come_out_of_its_problem(self):
        self.run_scene(STACK)
        file, = self.export("--fclib", "problems", "--frame", "2")
        self.assertEqual(file, "problems/scene-i000002-2.hdf5")
        self.talus("solve", file, "--out", "answer.hdf5", "--tol", "1e-13", "--solver", "nlgs")
        weight = 1000 * 4 / 3 * numpy.pi * 0.5 ** 3 * 9.81 * 1e-3  # of one ball times h
        with h5py.File(self.path("answer.hdf5")) as answer:
            normal = sorted(answer["solution/r"][::3])
            numpy.testing.assert_allclose(normal, [weight, 2 * weight], rtol=1e-10)
            self.assertEqual(answer["fclib_global/M/m"][0], 12)
            numpy.testing.assert_allclose(answer["solution/v"][:], 0, atol=1e-12)

    def test_the_problem_of_a_step_has_the_step_as_its_answer(self):
        # Disks that bounce, without friction: velocities are unique, whoever solves.
        text = disks(duration=0.2, every=0.02, tolerance=1e-13, max_sweeps=100000, restitution=0.3).replace("friction: 0.4", "friction: 0")
        self.run_scene(text)
        last = self.json("info", "run/run.h5")["frames"][-1]
        file, = self.export("--fclib", "problems", "--step", str(last["step"] - 1))
        self.talus("solve", file, "--out", "answer.hdf5", "--tol", "1e-14", "--max-seconds", "20", "--solver", "nlgs")
        with h5py.File(self.path("run/run.h5")) as run:
            rows = slice(-last["bodies"], None)
            free = run["bodies/mass"][rows] > 0  # all but the floor
            velocity, spin = run["bodies/velocity"][rows][free], run["bodies/spin"][rows][free]
        found = numpy.column_stack([velocity, spin]).ravel()
        with h5py.File(self.path("answer.hdf5")) as answer:
            # Two solves to 1e-13 of g h, and contacts that amplify little.
            numpy.testing.assert_allclose(answer["solution/v"][:], found, atol=1e-9)

    def test_forms_agree_and_w_is_symmetric(self):
        self.run_scene(disks(duration=0.2, every=0.1))
        local, = self.export("--fclib", "local", "--form", "local", "--frame", "last")
        glob, = self.export("--fclib", "global", "--frame", "last")
        self.assertEqual(os.path.basename(local), os.path.basename(glob))
        with h5py.File(self.path(local)) as a, h5py.File(self.path(glob)) as b:
            W, M, H = matrix(a["fclib_local/W"]), matrix(b["fclib_global/M"]), matrix(b["fclib_global/H"])
            numpy.testing.assert_allclose(W, W.T, atol=1e-14 * numpy.abs(W).max())
            numpy.testing.assert_allclose(W, H.T @ numpy.linalg.solve(M, H), atol=1e-12 * numpy.abs(W).max())
            self.assertIn(b"Scene scene", a["fclib_local/info/description"][()])
            numpy.testing.assert_array_equal(a["guesses/1/r"], b["guesses/1/r"])
        started = self.json("solve", glob, "--start", "guess", "--error", "law", "--tol", "1e-3")
        self.assertEqual(started["status"], "converged")

    def test_all_frames_are_written_but_those_without_contacts(self):
        self.run_scene(disks(duration=0.2, every=0.05))
        done = self.talus("export", "run/run.h5", "--fclib", "problems")
        self.assertIn("step 0 has no contacts", done.stderr)
        self.assertGreaterEqual(len(done.stdout.split()), 2)
        for file in done.stdout.split():
            self.assertEqual(self.json("solve", file, "--error", "law", "--tol", "1e-4")["status"], "converged")

    def test_what_cannot_be_exported_is_said(self):
        self.run_scene(REST % ("1e-9", 1000))
        self.assertIn("the run ends after 10 steps", self.talus("export", "run/run.h5", "--fclib", "p", "--step", "11", code=2).stderr)
        self.assertIn("from 0", self.talus("export", "run/run.h5", "--fclib", "p", "--step=-1", code=2).stderr)
        self.assertIn("--fclib", self.talus("export", "run/run.h5", "--csv", "p", "--step", "1", code=2).stderr)
        with h5py.File(self.path("run/run.h5"), "r+") as run:
            positions = run["bodies/position"]
            positions[1] = positions[1] + 1e-9
        self.assertIn("not what was recorded", self.talus("export", "run/run.h5", "--fclib", "p", "--frame", "0", code=4).stderr)


if __name__ == "__main__":
    unittest.main()
