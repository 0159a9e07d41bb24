#!/usr/bin/python3
"""talus beside other codes on the same jobs, in the same run, on the same machine: processor time and quality.

    benchmarks/peers/peers.py [--jobs spheres,disks,blocks] [--sizes 1000,5000] [--codes talus,Bullet,...] [--quick] [--json FILE] [--svg FILE]

spheres  N spheres (d = 1 cm, 2600 kg/m3, friction 0.4, no rebound) fall from a loose lattice into an open box 20 d wide and settle
disks    the same in the plane, beside Box2D
blocks   a wall of boxes that stands at rest, beside Bullet and Siconos

All codes get the same start. They take turns, `--rounds` times, and the least time of each counts: user and system seconds of the whole process, one
thread, less those of a run of one step (start-up). Quality is measured by quality.py from exported positions and velocities. A code that is not installed is
left out with the name of its Debian package; one that takes longer than `--limit` processor seconds is cut off, and its time a simulated second is that of what it did.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import codes  # noqa: E402
import figure  # noqa: E402
import jobs  # noqa: E402
import quality  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = {"spheres": [1000, 5000], "disks": [5000], "blocks": [10]}
QUICK = {"spheres": [300], "disks": [300], "blocks": [4]}
MAKE = {"spheres": jobs.spheres, "disks": jobs.disks, "blocks": jobs.blocks}
FIGURES = {"spheres": ("max_overlap_percent", "mean_overlap_percent", "kinetic_energy"),
           "disks": ("max_overlap_percent", "mean_overlap_percent", "kinetic_energy"),
           "blocks": ("max_drift_percent", "mean_drift_percent", "kinetic_energy")}
WORDS = {"max_overlap_percent": "max overlap", "mean_overlap_percent": "mean overlap", "kinetic_energy": "energy",
         "max_drift_percent": "max drift", "mean_drift_percent": "mean drift"}


def cpu_of(command, folder, limit):
    """Processor seconds of a process and its children, whether it ended well, and the last time it said it had reached."""
    log = folder / "log.txt"
    limits = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 5))  # noqa: E731
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
    with open(log, "w", encoding="utf-8") as out:
        process = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=out, stderr=subprocess.STDOUT,
                                   stdin=subprocess.DEVNULL, preexec_fn=limits, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, process.returncode, log.read_text(encoding="utf-8", errors="replace")


def time_reached(text, step):
    """The last `time T` of a driver, or the last step of LAMMPS' table."""
    said = re.findall(r"^time ([\d.eE+-]+)", text, re.M)
    if said:
        return float(said[-1])
    steps = re.findall(r"^\s*(\d+)\s+[\d.eE+-]+\s*$", text, re.M)
    return int(steps[-1]) * step if steps else 0.0


class Bench:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        build = folder / "drivers"
        build.mkdir()
        changes = {key: getattr(arguments, key) for key in ("step", "tolerance", "max_sweeps") if getattr(arguments, key) is not None}
        ours = codes.Talus(build, str(pathlib.Path(arguments.talus).absolute()), arguments.solver, changes, arguments.set)
        wanted = [name.strip().lower() for name in arguments.codes.split(",")] if arguments.codes else None
        self.codes = [code for code in (ours, *(peer(build) for peer in codes.PEERS)) if wanted is None or code.name.lower() in wanted]
        self.unusable = {}   # name: why
        for code in self.codes:
            if not code.is_there():
                self.unusable[code.name] = f"not installed: apt-get install {code.package}" if code.package else f"{arguments.talus} is not there"
            elif why := code.prepare():
                self.unusable[code.name] = why

    def once(self, code, job):
        """One run; its row."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        full = code.of(job)
        short = {**full, "duration": full["step"]}
        code.write(short, folder)
        startup, _, _ = cpu_of(code.command(short, folder), folder, self.arguments.limit)
        code.write(full, folder)
        cpu, status, text = cpu_of(code.command(full, folder), folder, self.arguments.limit)
        row = {"job": job["name"], "code": code.name, "bodies": job["bodies"], "simulated_seconds": full["duration"],
               "startup_cpu_seconds": startup, "cpu_seconds": max(cpu - startup, 0.0), "status": "done"}
        if status != 0:
            return self.cut_off(row, text, status, full)
        row["cpu_seconds_per_second"] = row["cpu_seconds"] / full["duration"]
        frames = code.frames(full, folder)
        if job["kind"] == 1:
            row.update(quality.block_quality(frames, job["start"], job))
        else:
            row.update(quality.round_quality(frames, job))
        return row

    @staticmethod
    def cut_off(row, text, status, job):
        """A run that did not end: how far it came, or its last words."""
        if status not in (-signal.SIGXCPU, -signal.SIGKILL):
            lines = [line for line in text.splitlines() if line.strip()]
            row["status"] = f"failed ({status}): {lines[-1].strip() if lines else 'no word'}"
            return row
        reached = time_reached(text, job["step"])
        row["status"] = f"cut off at t = {reached:.3g} s of {job['duration']:g} s"
        row["simulated_seconds"] = reached
        row["cpu_seconds_per_second"] = row["cpu_seconds"] / reached if reached > 0 else None
        return row

    def run(self, name, size):
        job = MAKE[name](size, self.arguments.duration, self.arguments.seed)
        best, dropped = {}, set()
        for _ in range(self.arguments.rounds):
            for code in self.codes:
                if name not in code.jobs or code.name in dropped:
                    continue
                if code.name in self.unusable:
                    best[code.name] = {"job": name, "code": code.name, "bodies": job["bodies"], "status": self.unusable[code.name]}
                    continue
                print(f"{name}, {job['bodies']} bodies: {code.name} ...", file=sys.stderr, flush=True)
                row = self.once(code, job)
                if row["status"] != "done":
                    dropped.add(code.name)  # a second round would only cost
                if code.name not in best or row.get("cpu_seconds", 0) < best[code.name].get("cpu_seconds", 0):
                    best[code.name] = row
        return list(best.values())


def compare(rows):
    """Adds to each peer how many times talus' processor time it took, and the figures in which it is clearly (twice) better."""
    ours = {(row["job"], row["bodies"]): row for row in rows if row["code"] == "talus" and row.get("cpu_seconds_per_second")}
    for row in rows:
        mine = ours.get((row["job"], row["bodies"]))
        if mine is None or row["code"] == "talus" or not row.get("cpu_seconds_per_second"):
            continue
        row["times_talus"] = row["cpu_seconds_per_second"] / mine["cpu_seconds_per_second"]
        if row["status"] == "done":
            row["better_in"] = [WORDS[key] for key in FIGURES[row["job"]] if 2 * row[key] < mine[key]]


def number(row, key, form):
    return format(row[key], form) if row.get(key) is not None else "-"


def table(rows):
    """For people; one block a job and size."""
    lines = []
    for job, bodies in dict.fromkeys((row["job"], row["bodies"]) for row in rows):
        keys = FIGURES[job]
        last = "wall force" if job != "blocks" else "max speed"
        lines.append(f"\n{job}, {bodies} bodies")
        lines.append(f"{'code':<12} {'CPU s/s':>9} {'x talus':>8} {WORDS[keys[0]] + ' %':>14} {WORDS[keys[1]] + ' %':>15} "
                     f"{'energy/Nmgd':>12} {last:>11}  better than talus in")
        for row in (r for r in rows if (r["job"], r["bodies"]) == (job, bodies)):
            remark = ", ".join(row.get("better_in", [])) if row["status"] == "done" else row["status"]
            final = number(row, "wall_force_over_weight", ".4f") if job != "blocks" else number(row, "max_speed", ".1e")
            lines.append(f"{row['code']:<12} {number(row, 'cpu_seconds_per_second', '.3g'):>9} {number(row, 'times_talus', '.1f'):>8} "
                         f"{number(row, keys[0], '.2g'):>14} {number(row, keys[1], '.2g'):>15} {number(row, 'kinetic_energy', '.1e'):>12} "
                         f"{final:>11}  {remark}")
            if row.get("escaped"):
                lines.append(f"{'':<12} {row['escaped']} bodies left the box")
    return "\n".join(lines)


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter,
                                     epilog="\n\n".join(__doc__.split("\n\n")[2:]))
    parser.add_argument("--jobs", default="spheres,disks,blocks", help="spheres, disks, blocks (default: all)")
    parser.add_argument("--sizes", help="numbers of spheres or disks, courses of blocks (default: 1000,5000 / 5000 / 10)")
    parser.add_argument("--codes", help="talus, Bullet, LAMMPS, LIGGGHTS, YADE, ODE, Siconos, Box2D, 'Box2D 50/20' (default: all that take the job)")
    parser.add_argument("--quick", action="store_true", help="next to nothing, to see that it works")
    parser.add_argument("--rounds", type=int, default=1, help="how often all take turns; the least time counts")
    parser.add_argument("--limit", type=float, default=300.0, help="processor seconds of one run")
    parser.add_argument("--duration", type=float, help="simulated time [s], a multiple of 0.05 (default: 0.5, and 1 above 5000 spheres)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--talus", default=str(ROOT / "build" / "talus"), help="the program")
    parser.add_argument("--solver", default="accelerated", help="of talus")
    parser.add_argument("--tolerance", type=float, help="of talus, on law_error")
    parser.add_argument("--max-sweeps", type=int, help="of talus")
    parser.add_argument("--step", type=float, help="of talus [s]")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="of talus: given to talus run")
    parser.add_argument("--json", type=pathlib.Path, help="file for the numbers; the last line of standard output has them too")
    parser.add_argument("--svg", type=pathlib.Path, help="file for the figure")
    arguments = parser.parse_args(words)
    arguments.jobs = [name.strip() for name in arguments.jobs.split(",")]
    for name in arguments.jobs:
        if name not in MAKE:
            parser.error(f"no job '{name}'; jobs are {', '.join(MAKE)}")
    if arguments.quick:
        arguments.duration = arguments.duration or 0.1
    if arguments.duration and (arguments.duration < 0.1 or abs(arguments.duration / 0.05 - round(arguments.duration / 0.05)) > 1e-9):
        parser.error("--duration must be a multiple of 0.05 s, 0.1 s at least")
    return arguments


def main(words=None):
    arguments = parse(words)
    rows = []
    with tempfile.TemporaryDirectory(prefix="talus-peers-") as folder:
        bench = Bench(arguments, pathlib.Path(folder))
        for name in arguments.jobs:
            sizes = [int(size) for size in arguments.sizes.split(",")] if arguments.sizes else (QUICK if arguments.quick else SIZES)[name]
            for size in sizes:
                rows += bench.run(name, size)
    compare(rows)
    print(table(rows))
    print("\nsettings")
    for code in bench.codes:
        print(f"  {code.name:<12} {code.said}")
    result = {"benchmark": "peers", "rows": rows, "settings": {code.name: code.said for code in bench.codes}}
    if arguments.svg:
        arguments.svg.write_text(figure.draw(rows), encoding="utf-8")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result))
    return 0 if all(row["status"] == "done" for row in rows if row["code"] == "talus") else 1


if __name__ == "__main__":
    sys.exit(main())
