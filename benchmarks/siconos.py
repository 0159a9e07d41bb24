#!/usr/bin/env python3
"""talus beside Siconos on the same contact problems, in the same run, on the same machine.

    benchmarks/siconos.py [FILE_OR_FOLDER...] [--own] [--tol 1e-4,1e-8] [--limit 20] [--json FILE] [--svg FILE]

`--own` adds problems exported from scenes of this tree (`talus run`, then `talus export --fclib`). Every solver gets the same W, q, mu (global problems are condensed by talus first, for all), starts from
zero, and is judged by one function, the judge of talus: the natural map over max(|q|, |r|, |u|), from the impulses it returns. What is
above the tolerance then is not solved, whatever the solver said. Times are of the solver alone, processor seconds unless `--clock wall`;
short solves are repeated and the shortest counts.

Siconos comes from Debian: apt-get install libsiconos-numerics-dev. Then build with -DTALUS_BENCHMARKS=ON.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = "talus"
SHORT = 0.05   # [s]: solves below are repeated
REPEATS = 9
WORTH_COUNTING = 1e-3  # [s]: of the best of Siconos; below, a call costs as much as the solve

# A thousand spheres that settle in a box, caught while they come to rest.
SPHERES = """
talus: 1
title: spheres settle in a box
dimension: 3
gravity: 9.81
step: 1e-3
duration: 0.5
seed: 7
solver: {tolerance: 1e-3, max_sweeps: 300}
materials:
  grain: {density: 2500, friction: 0.4}
bodies:
  - {name: box, box_inside: {size: [0.11, 0.11, .inf]}, material: grain}
  - {name: floor, plane: {normal: [0, 0, 1]}, material: grain}
generate:
  - {name: grains, lattice: {kind: cubic, counts: [10, 10, 10], origin: [-0.0495, -0.0495, 0.006], jitter: 5e-4, spacing: 0.011}, diameter: 0.01, material: grain}
"""

# Scene (or text), how long to run it [s of the scene], which frame's step: nothing of this was used in tuning a solver.
OWN_SCENES = [
    ("spheres", SPHERES, 0.1),
    ("spheres_at_rest", SPHERES, 0.5),
    ("arch", "gallery/scenes/arch.yaml", 0.5),
    ("wall", "gallery/scenes/wall.yaml", 0.5),
    ("column", "gallery/scenes/column.yaml", 0.3),
    ("polygons", "gallery/scenes/polygons.yaml", 0.6),
    ("polyhedra", "gallery/scenes/polyhedra.yaml", 0.5),
    ("drum", "gallery/scenes/drum.yaml", 0.5),
    ("biaxial", "gallery/scenes/biaxial.yaml", 0.1),
    ("shaken_box", "gallery/scenes/shaken_box.yaml", 0.2),
    ("cannonballs", "tests/system/good_scenes/cannonballs.yaml", 0.005),
    ("shear", "tests/system/good_scenes/shear.yaml", 0.05),
]


def last_json(text):
    """The object on the last line, or nothing."""
    lines = [line for line in text.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else None


class Bench:
    """Runs one solver on one problem."""

    def __init__(self, arguments):
        self.talus = arguments.build / "talus"
        self.siconos = arguments.build / "benchmarks" / "bench_siconos_solve"
        if not self.talus.exists():
            sys.exit(f"siconos.py: {self.talus} is not there; build talus first, or say where with --build")
        if not self.siconos.exists():
            sys.exit("siconos.py: bench_siconos_solve is not there: apt-get install libsiconos-numerics-dev, then build with "
                     "-DTALUS_BENCHMARKS=ON")
        self.limit, self.clock, self.solver = arguments.limit, arguments.clock, arguments.solver
        listed = subprocess.run([self.siconos, "--list"], capture_output=True, text=True, check=True).stdout.split("\n")
        self.peers = {d: [line.split()[1] for line in listed if line.startswith(str(d))] for d in (2, 3)}

    def run(self, command):
        """What a solver says; None when it crashed or took too long. The clock on the wall may run slower than the processor's."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=20 * self.limit + 60, check=False,
                                  env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})
        except subprocess.TimeoutExpired:
            return None
        return last_json(done.stdout)

    def solve(self, problem, name, tolerance):
        """Seconds to the tolerance (None: not solved), and all that was said."""
        if name == OURS:
            command = [self.talus, "solve", problem, "--json"] + (["--solver", self.solver] if self.solver else [])
            return self.best_of(command, tolerance, tolerance, 4 * self.limit)  # it looks at the wall, and is cut afterwards
        command = [self.siconos, problem, "--solver", name]
        for given in (tolerance, 1e-3 * tolerance, 1e-6 * tolerance):  # some stop on another error: asked for more, they may get there
            seconds, said = self.best_of(command, given, tolerance, self.limit)
            if seconds is not None or said is None or said.get("info") != 0:
                break
        return seconds, said

    def best_of(self, command, given, tolerance, limit):
        command = [str(word) for word in [*command, "--tol", given, "--max-seconds", limit]]
        said = self.run(command)
        seconds = self.seconds_of(said, tolerance)
        if seconds is not None and seconds < SHORT:
            again = self.run(command + ["--repeat", str(REPEATS)])
            seconds = min(seconds, self.seconds_of(again, tolerance) or seconds)
        return seconds, said

    def seconds_of(self, said, tolerance):
        if said is None or not isinstance(said.get("error"), float) or said["error"] > tolerance:
            return None
        seconds = said["cpu_seconds" if self.clock == "cpu" else "seconds"]
        return seconds if seconds <= self.limit else None

    def dimension(self, problem):
        """Of a problem, asked from talus."""
        said = self.run([str(self.talus), "solve", str(problem), "--json", "--solver", "nlgs", "--max-iterations", "1"])
        return said and said["dimension"]


def export_own(build, folder):
    """Problems of our own scenes: of the step that starts at the last frame. Those that are there already are not made again."""
    problems = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, scene, until in OWN_SCENES:
        made = folder / "problems" / name
        if any(made.glob("*.hdf5")):
            problems += sorted(made.glob("*.hdf5"))
            continue
        path = ROOT / scene if "\n" not in scene else folder / f"{name}.yaml"
        if "\n" in scene:
            path.write_text(scene, encoding="utf-8")
        for command in (["run", path, "--out", folder / name, "--until", str(until)],
                        ["export", folder / name / "run.h5", "--fclib", made, "--frame", "last"]):
            done = subprocess.run([build / "talus", *command], capture_output=True, text=True, check=False)
            if done.returncode not in (0, 3):
                print(f"{name}: {done.stderr.strip()}", file=sys.stderr)
                break
        problems += sorted(made.glob("*.hdf5"))
    return problems


def collect(names):
    """Problem files of files and folders."""
    files = []
    for name in map(pathlib.Path, names):
        files += sorted(name.rglob("*.hdf5")) if name.is_dir() else [name]
    return files


def short(problem):
    return f"{problem.parent.name}/{problem.stem}"[-46:]


def print_row(name, contacts, times, columns):
    cells = [f"{times[c]:10.3g}" if times.get(c) is not None else f"{'-' if c in times else '':>10}" for c in columns]
    print(f"{name:<46} {contacts:>8} " + " ".join(cells), flush=True)


def best_peer(row):
    """Time of the best of Siconos; None when it does not solve the problem."""
    return min((t for name, t in row["times"].items() if name != OURS and t is not None), default=None)


def is_counted(row):
    best = best_peer(row)
    return best is None or best > WORTH_COUNTING


def summarise(rows, tolerance, peers):
    """Medians and wins over the problems that count."""
    counted = [(row["times"].get(OURS), best_peer(row), row["times"]) for row in rows if is_counted(row)]
    solved = {p: sum(times.get(p) is not None for _, _, times in counted) for p in [OURS, *peers]}
    single = max(peers, key=lambda p: (solved[p], -sum(times[p] for _, _, times in counted if times.get(p) is not None)))
    out = {"tolerance": tolerance, "problems": len(counted), "solved": solved, "best_single": single}

    def median_against(peer):
        ratios = [times[peer] / ours for ours, _, times in counted if ours is not None and times.get(peer) is not None]
        return statistics.median(ratios) if ratios else None

    gauss = [p for p in peers if p.startswith("NSGS")]
    best_gauss = [(ours, min((t[p] for p in gauss if t.get(p) is not None), default=None)) for ours, _, t in counted]
    ratios = [b / ours for ours, b in best_gauss if ours is not None and b is not None]
    out["speedup_over_best_single"] = median_against(single)
    out["speedup_over_nsgs"] = median_against("NSGS")
    out["speedup_over_best_nsgs"] = statistics.median(ratios) if ratios else None
    wins = [ours is not None and (best is None or ours < best) for ours, best, _ in counted]
    out["beats_all"] = sum(wins) / len(wins) if wins else None
    return out


def print_summary(title, s):
    def number(x):
        return "-" if x is None else f"{x:.2f}"
    print(f"\n{title}, tolerance {s['tolerance']:g}: {s['problems']} problems that take the best of Siconos more than 1 ms")
    print("  solved: " + ", ".join(f"{name} {count}" for name, count in s["solved"].items()))
    print(f"  median speed over its best single solver ({s['best_single']}): {number(s['speedup_over_best_single'])}")
    print(f"  median speed over its NSGS: {number(s['speedup_over_nsgs'])}; over the best of its NSGS variants: {number(s['speedup_over_best_nsgs'])}")
    print(f"  faster than the best of all on {number(s['beats_all'] and 100 * s['beats_all'])} %")


COLOURS = ["#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999", "#b8860b", "#7570b3", "#66a61e"]


def profile(rows, names):
    """Dolan and More (2002): for each solver the sorted ratios of its time to the best time of the problem."""
    ratios = {name: [] for name in names}
    for row in rows:
        times = {n: t for n, t in row["times"].items() if t is not None}
        if not times:
            continue
        best = max(1e-9, min(times.values()))
        for name, t in times.items():
            ratios.setdefault(name, []).append(t / best)
    return {name: sorted(values) for name, values in ratios.items() if values}


def draw_profile(panels, names, path):
    """Panels (title, rows) side by side: the share of problems solved within tau times the best time, tau to 1000."""
    width, height, left, top, span = 360, 260, 50, 34, 1000.0
    parts = []
    for k, (title, rows) in enumerate(panels):
        x0, y0 = left + k * (width + 60), top
        curves, total = profile(rows, names), max(1, sum(any(t is not None for t in r["times"].values()) for r in rows))
        parts.append(f'<text x="{x0}" y="{y0 - 12}" font-size="13">{title}: {total} problems</text>')
        parts.append(f'<rect x="{x0}" y="{y0}" width="{width}" height="{height}" fill="none" stroke="#444"/>')
        for decade in range(4):
            x = x0 + width * decade / 3
            parts.append(f'<line x1="{x}" y1="{y0}" x2="{x}" y2="{y0 + height}" stroke="#ddd"/>')
            parts.append(f'<text x="{x}" y="{y0 + height + 16}" text-anchor="middle">{10 ** decade}</text>')
        for share in (0, 0.25, 0.5, 0.75, 1):
            y = y0 + height * (1 - share)
            parts.append(f'<text x="{x0 - 6}" y="{y + 4}" text-anchor="end">{share:g}</text>')
        parts.append(f'<text x="{x0 + width / 2}" y="{y0 + height + 34}" text-anchor="middle">time over the best time of the problem</text>')
        parts.append(f'<text transform="translate({x0 - 36},{y0 + height / 2}) rotate(-90)" text-anchor="middle">share of problems solved</text>')
        for index, name in enumerate(names):
            points, y = [], y0 + height
            for rank, ratio in enumerate(curves.get(name, [])):
                if ratio > span:
                    break
                x = x0 + width * math.log10(ratio) / 3
                points += [(x, y), (x, y0 + height * (1 - (rank + 1) / total))]
                y = points[-1][1]
            if not points:
                continue
            points.append((x0 + width, y))
            line = " ".join(f"{px:.1f},{py:.1f}" for px, py in points)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[index % len(COLOURS)]}" '
                         f'stroke-width="{3 if name == OURS else 1.4}"/>')
    full = left + len(panels) * (width + 60)
    for index, name in enumerate(names):
        x, y = left + (index % 6) * 130, top + height + 58 + 18 * (index // 6)
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + 22}" y2="{y}" stroke="{COLOURS[index % len(COLOURS)]}" stroke-width="{3 if name == OURS else 1.4}"/>')
        parts.append(f'<text x="{x + 28}" y="{y + 4}">{name}</text>')
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{max(full, 850)}" height="{top + height + 100}" '
                    f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n',
                    encoding="utf-8")


def measure(bench, problems, tolerance, title, wanted):
    """One row a problem with the seconds of each solver."""
    rows, columns = [], [OURS] + [p for p in dict.fromkeys(bench.peers[3] + bench.peers[2]) if not wanted or p in wanted]
    print(f"\n{title}, tolerance {tolerance:g}; {bench.clock} seconds, - is not solved within {bench.limit:g} s")
    print(f"{'problem':<46} {'contacts':>8} " + " ".join(f"{c:>10}" for c in columns))
    for problem in problems:
        dimension = bench.dimension(problem)
        if dimension is None:
            print(f"{short(problem):<46} cannot be read")
            continue
        times, said = {}, {}
        for name in [OURS] + [p for p in bench.peers[dimension] if p in columns]:
            times[name], said[name] = bench.solve(problem, name, tolerance)
        contacts = next((s["contacts"] for s in said.values() if s), 0)
        print_row(short(problem), contacts, times, columns)
        rows.append({"problem": str(problem), "contacts": contacts, "dimension": dimension, "times": times, "said": said})
    return rows, columns


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", help="FCLIB files, or folders of them")
    parser.add_argument("--own", action="store_true", help="also problems exported from our own scenes")
    parser.add_argument("--keep", type=pathlib.Path, help="folder in which the runs and problems of --own stay")
    parser.add_argument("--tol", default="1e-4,1e-8", help="tolerances, separated by commas [1e-4,1e-8]")
    parser.add_argument("--limit", type=float, default=20.0, help="processor seconds a solver may take for a problem [20]")
    parser.add_argument("--clock", choices=["cpu", "wall"], default="cpu", help="which seconds are compared [cpu]")
    parser.add_argument("--solver", default="", help="solver of talus [its default]")
    parser.add_argument("--siconos", default="", help="solvers of Siconos, separated by commas [all]")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="where talus was built [build]")
    parser.add_argument("--json", type=pathlib.Path, help="file for all that was measured")
    parser.add_argument("--svg", type=pathlib.Path, help="file for the performance profiles")
    arguments = parser.parse_args()
    if not arguments.problems and not arguments.own:
        parser.error("give problems, or --own")
    return arguments


def main():
    arguments = parse()
    bench = Bench(arguments)
    with tempfile.TemporaryDirectory(prefix="talus-siconos-") as scratch:
        sets = []
        if arguments.problems:
            sets.append(("problems given", collect(arguments.problems)))
        if arguments.own:
            sets.append(("problems of our own scenes", export_own(arguments.build, arguments.keep or pathlib.Path(scratch))))
        result, panels, columns = [], [], []
        for tolerance in map(float, arguments.tol.split(",")):
            for title, problems in sets:
                rows, columns = measure(bench, problems, tolerance, title, [w for w in arguments.siconos.split(",") if w])
                summary = summarise(rows, tolerance, [c for c in columns if c != OURS])
                print_summary(title, summary)
                result.append({"set": title, "summary": summary, "rows": rows})
                panels.append((f"{title}, {tolerance:g}", [row for row in rows if is_counted(row)]))
    if arguments.json:
        arguments.json.write_text(json.dumps({"limit": arguments.limit, "clock": arguments.clock, "sets": result}, indent=1), encoding="utf-8")
    if arguments.svg:
        draw_profile(panels, columns, arguments.svg)
    return 0


if __name__ == "__main__":
    sys.exit(main())
