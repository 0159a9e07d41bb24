#!/usr/bin/python3
"""Every target of speed and memory in one run: what is asked, what was seen, whether it holds.

    benchmarks/targets.py [--parts kernel,growth,sweeps,detect,peers,million] [--talus PROGRAM] [--json FILE]

kernel   `talus bench kernel`: contact updates a second on one core, and what two threads gain
growth   `talus bench growth`: slope of the time of a step over the number of spheres, share of detection, memory
sweeps   sweeps that the default solver needs against plain ones, while 5000 spheres settle to a law error of 1e-2
detect   detection as a share of a dense step (`talus bench growth --grains`): polygons and polyhedra at rest, gravity tilted; and of all steps of runs,
         those included in which next to nothing is left to be solved: polygons and polyhedra that rain and settle, a wall that is shaken
peers    `peers/peers.py`: 1000, 5000 and 20 000 spheres beside the fastest other codes, with their quality; 20 000 once more twice, alone
million  `talus run benchmarks/million.yaml`: law error and memory of a million spheres that fall and settle
pile     the conical pile of moreau2003 with 14 000 grains at full scale (some three quarters of an hour; only when named)

Rates and times belong to the machine and to what else it is doing: let it be idle. Ratios are of one run, taken in turn. A line whose target
is missed says so, and the exit code is 1 then.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE / "peers"))
import codes  # noqa: E402
import jobs  # noqa: E402

MILLION = 10 ** 6


class Line:
    """A target: `value` must be at least (or at most) `must`; `stretch` is what one would like."""

    def __init__(self, name, value, must, stretch=None, least=True, form=".3g"):
        self.name, self.value, self.must, self.stretch, self.least, self.form = name, value, must, stretch, least, form

    def meets(self, bound):
        return self.value is not None and (self.value >= bound if self.least else self.value <= bound)

    @property
    def verdict(self):
        if not self.meets(self.must):
            return "MISSED"
        return "stretch" if self.stretch is not None and self.meets(self.stretch) else "holds"

    def text(self):
        sign = ">=" if self.least else "<="
        stretch = f" ({self.stretch:g})" if self.stretch is not None else ""
        value = "none" if self.value is None else format(self.value, self.form)
        return f"{self.name:<64} {value:>9}  {sign} {self.must:g}{stretch:<10}  {self.verdict}"

    def json(self):
        return {"name": self.name, "value": self.value, "must": self.must, "stretch": self.stretch, "least": self.least, "verdict": self.verdict}


def kernel_lines(result):
    rate = {(row["bodies"], row["threads"]): row["updates_per_second"] for row in result["rows"] if row["variant"] == "simd"}
    lines = []
    for bodies in sorted({bodies for bodies, _ in rate}):
        small = bodies < MILLION
        lines.append(Line(f"contact updates a second, one core, {bodies} spheres [M]", rate[bodies, 1] / 1e6, 75 if small else 60, 120 if small else 90))
    for bodies in sorted({bodies for bodies, threads in rate if threads == 2 and bodies >= 10 ** 5}):
        lines.append(Line(f"two threads over one, {bodies} spheres", rate[bodies, 2] / rate[bodies, 1], 1.8, 1.95))
    return lines


def growth_lines(result, dense):
    return [Line("slope of the time of a step from 1000 to a million spheres", result["slope"], 1.1, least=False, form=".4f"),
            Line("detection, largest share of these steps", max(row["detect_share"] for row in result["rows"]), 0.15, least=False),
            Line("memory at rest, largest of the process [GB]", result["peak_resident_bytes"] / 1e9, 1.5, least=False),
            Line(f"bytes a sphere at {dense['contacts'] / dense['bodies']:.2f} contacts", dense["bytes_per_body"], 1000, least=False, form=".0f")]


def sweeps_lines(ours, plain):
    return [Line("plain sweeps over those of the default solver, settling to 1e-2", plain["contact_updates"] / ours["contact_updates"], 2.5, 4)]


def detect_lines(dense, runs):
    lines = [Line(f"detection, share of a dense step, {row['bodies']} {result['grains']}", row["detect_share_tilted"], 0.15, least=False)
             for result in dense for row in result["rows"]]
    return lines + [Line(f"detection, share of all steps of {name}", result["seconds_detect"] / result["seconds_steps"], 0.15, least=False)
                    for name, result in runs.items()]


def peers_lines(result, again=()):
    ours = {row["bodies"]: row for row in result["rows"] if row["code"] == "talus"}
    lines = []
    for bodies, must, stretch in ((1000, 3, 5), (5000, 8, 15), (20000, 10, 20)):
        times = [row["times_talus"] for row in result["rows"] if row["bodies"] == bodies and row.get("times_talus")]
        if bodies in ours:
            lines.append(Line(f"fastest other code over talus, {bodies} spheres", min(times, default=None), must, stretch))
    if 20000 in ours:
        row = ours[20000]
        seconds = [s for s in (row.get("cpu_seconds_per_second"), *again) if s is not None]
        lines += [Line(f"20 000 spheres, processor seconds a simulated second, least of {len(seconds)}", min(seconds, default=None), 25, 12, least=False),
                  Line("  largest overlap [% of d]", row.get("max_overlap_percent"), 0.2, least=False),
                  Line("  mean overlap [% of d]", row.get("mean_overlap_percent"), 0.01, least=False),
                  Line("  kinetic energy [N m g d]", row.get("kinetic_energy"), 5e-5, least=False),
                  Line("  force on floor and walls off the weight", abs(row.get("wall_force_over_weight", 0.0) - 1.0), 0.005, least=False)]
    return lines


def million_lines(result):
    return [Line("a million falling: steps over a law error of 1e-2", result["steps_over_tolerance"], 0, least=False),
            Line("a million falling: worst law error", result["law_error"], 0.01, least=False),
            Line("a million falling: largest memory of the process [GB]", result["peak_resident_bytes"] / 1e9, 1.5, least=False)]


def pile_lines(result):
    return [Line("pile of 14 000 grains, minutes by the clock", result["seconds"] / 60.0, 60, 15, least=False)]


class Failed(Exception):
    """A part could not be measured."""


class Runner:
    """Runs talus and reads the JSON object that it ends with."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def talus(self, *words):
        print("  talus", *words, file=sys.stderr, flush=True)
        done = subprocess.run([self.program, *map(str, words), "--json"], cwd=self.folder, stdout=subprocess.PIPE, text=True, check=False)
        said = done.stdout.splitlines()
        if done.returncode not in (0, 1) or not said:   # 1: a check of the gallery does not hold, which is not what is asked here
            raise Failed(f"talus {' '.join(map(str, words))}: exit code {done.returncode}")
        return json.loads(said[-1])

    def settled(self, solver):
        """5000 spheres of the peers' job, every step to a law error of 1e-2."""
        ours = codes.Talus(self.folder, self.program, solver, {"tolerance": 1e-2, "max_sweeps": 10 ** 5}, [])
        folder = self.folder / solver
        folder.mkdir()
        ours.write(ours.of(jobs.spheres(5000)), folder)
        return self.talus("run", folder / "scene.yaml", "--out", folder / "run", "--threads", 1)

    def kernel(self):
        return kernel_lines(self.talus("bench", "kernel", "--variants", "simd", "--threads", "1,2"))

    def growth(self):
        result = self.talus("bench", "growth", "--seconds", 1)
        (dense,) = self.talus("bench", "growth", "--bodies", 100000, "--friction", 0.165, "--seconds", 0)["rows"]
        return growth_lines(result, dense)

    def sweeps(self):
        return sweeps_lines(self.settled("accelerated"), self.settled("nlgs"))

    def detect(self):
        dense = [self.talus("bench", "growth", "--grains", grains, "--seconds", 1) for grains in ("polygons", "polyhedra")]
        runs = {f"scenes/{name}": self.talus("run", ROOT / "gallery" / "scenes" / f"{name}.yaml", "--out", self.folder / name, "--threads", 1)
                for name in ("polygons", "polyhedra", "wall")}
        return detect_lines(dense, runs)

    def peers(self):
        result = self.peers_run("1000,5000,20000", "talus,Bullet,LAMMPS")
        # Ratios are of that run. Seconds belong to the hour as well: other jobs of the machine below only ever lengthen them, so that the least counts.
        again = [self.peers_run("20000", "talus")["rows"][0] for _ in range(2)]
        return peers_lines(result, [row.get("cpu_seconds_per_second") for row in again])

    def peers_run(self, sizes, names):
        numbers = self.folder / "peers.json"
        numbers.unlink(missing_ok=True)
        # Debian's Python has what it needs; another may come first in PATH.
        done = subprocess.run(["/usr/bin/python3", HERE / "peers" / "peers.py", "--talus", self.program, "--jobs", "spheres", "--sizes", sizes,
                               "--codes", names, "--limit", "1500", "--json", numbers], check=False)
        if done.returncode != 0 or not numbers.exists():
            raise Failed(f"peers.py: exit code {done.returncode}")
        return json.loads(numbers.read_text(encoding="utf-8"))

    def million(self):
        return million_lines(self.talus("run", HERE / "million.yaml", "--out", self.folder / "million", "--threads", 2))

    def pile(self):
        return pile_lines(self.talus("reproduce", "moreau2003-pile", "--full", "--threads", 2, "--out", self.folder / "pile"))


PARTS = ("kernel", "growth", "sweeps", "detect", "peers", "million", "pile")


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="\n\n".join(__doc__.split("\n\n")[2:]))
    parser.add_argument("--parts", default=",".join(PARTS[:-1]), help=f"of {', '.join(PARTS)} (default: all but pile)")
    parser.add_argument("--talus", default=str(ROOT / "build" / "talus"), help="the program")
    parser.add_argument("--json", type=pathlib.Path, help="file for the numbers; the last line of standard output has them too")
    arguments = parser.parse_args(words)
    parts = [part.strip() for part in arguments.parts.split(",")]
    for part in parts:
        if part not in PARTS:
            parser.error(f"no part '{part}'; parts are {', '.join(PARTS)}")
    load = [os.getloadavg()[0]]
    lines = []
    with tempfile.TemporaryDirectory(prefix="talus-targets-") as folder:
        runner = Runner(str(pathlib.Path(arguments.talus).absolute()), pathlib.Path(folder))
        for part in parts:
            print(part, file=sys.stderr, flush=True)
            try:
                lines += getattr(runner, part)()
            except Failed as why:
                lines.append(Line(str(why), None, 0))
    load.append(os.getloadavg()[0])
    print(f"{'target':<64} {'seen':>9}  asked (stretch)    verdict")
    for line in lines:
        print(line.text())
    print(f"load of the machine at the beginning {load[0]:.1f}, at the end {load[1]:.1f}")
    result = {"benchmark": "targets", "load": load, "rows": [line.json() for line in lines]}
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result))
    return 0 if all(line.verdict != "MISSED" for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
