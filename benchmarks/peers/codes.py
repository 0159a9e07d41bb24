"""One class a code: what Debian package it comes in, its settings for a job, how it is started, and how its frames are read."""

import csv
import pathlib
import shutil
import subprocess

from jobs import columns

HERE = pathlib.Path(__file__).resolve().parent


def read_frames(path):
    """(time, bodies) of every frame of a frames.csv."""
    frames = []
    with open(path, encoding="utf-8") as file:
        rows = csv.reader(file)
        next(rows)
        for row in rows:
            t, *values = map(float, row)
            if not frames or t != frames[-1][0]:
                frames.append((t, []))
            frames[-1][1].append(values)
    return frames


def read_dump(path, step):
    """The same of a LAMMPS dump sorted by id, without its first frame, which is the start."""
    frames = []
    lines = iter(path.read_text(encoding="utf-8").splitlines())
    for line in lines:
        if line.startswith("ITEM: TIMESTEP"):
            frames.append((int(next(lines)) * step, []))
        elif line.startswith("ITEM: NUMBER"):
            next(lines)
        elif line.startswith("ITEM: BOX"):
            for _ in range(3):
                next(lines)
        elif not line.startswith("ITEM"):
            frames[-1][1].append([float(word) for word in line.split()[1:]])
    return frames[1:]


class Code:
    """A peer. `jobs` names the jobs it takes, `settings` what job.txt gets besides the job itself."""

    name = package = ""
    jobs = ("spheres",)
    settings = {}
    said = ""    # its settings in words, for the table of settings

    def __init__(self, build):
        self.build_folder = build

    def is_there(self):
        raise NotImplementedError

    def prepare(self):
        """Builds what is to be built. A message when that fails."""

    def command(self, job, folder):
        raise NotImplementedError

    def frames(self, job, folder):
        return read_frames(folder / "frames.csv")

    def of(self, job):
        """The job with this code's settings."""
        return {**job, **self.settings}

    def write(self, job, folder):
        """job.txt and start.csv."""
        numbers = {key: value for key, value in job.items() if isinstance(value, (int, float))}
        (folder / "job.txt").write_text("".join(f"{key} {value!r}\n" for key, value in numbers.items()), encoding="utf-8")
        rows = [",".join(columns(job))] + [",".join(map(repr, row)) for row in job["start"]]
        (folder / "start.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")


class Compiled(Code):
    """A driver in C++, compiled once."""

    source = library = ""

    def is_there(self):
        return subprocess.run(["pkg-config", "--exists", self.library], check=False).returncode == 0

    def prepare(self):
        program = self.build_folder / self.source
        if program.exists():
            return ""
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", self.library], capture_output=True, text=True, check=True).stdout.split()
        made = subprocess.run(["g++", "-O3", "-march=native", "-std=c++20", HERE / f"{self.source}.cpp", "-o", program, *flags],
                              capture_output=True, text=True, check=False)
        return "" if made.returncode == 0 else f"{self.source}.cpp does not compile: {made.stderr.splitlines()[0]}"

    def command(self, job, folder):
        return [self.build_folder / self.source, "."]


class Bullet(Compiled):
    name, package, source, library, jobs = "Bullet", "libbullet-dev", "bullet", "bullet", ("spheres", "blocks")
    settings = {"step": 1e-3, "iterations": 50}
    said = "sequential impulses, float, h 1e-3 s, 50 iterations, warm start"


class Ode(Compiled):
    name, package, source, library = "ODE", "libode-dev", "ode", "ode"
    settings = {"step": 1e-3, "iterations": 50}
    said = "quick step, double, h 1e-3 s, 50 iterations, ERP 0.2, CFM 1e-10"


class Box2d(Compiled):
    name, package, source, library, jobs = "Box2D", "libbox2d-dev", "box2d", "box2d", ("disks",)
    settings = {"step": 1e-3, "iterations": 8, "position_iterations": 3}
    said = "float, h 1e-3 s, its own 8 velocity and 3 position iterations, warm start"


class Box2dMore(Box2d):
    name = "Box2D 50/20"
    settings = {"step": 1e-3, "iterations": 50, "position_iterations": 20}
    said = "the same with 50 and 20 iterations"


class Lammps(Code):
    name, package, program, script = "LAMMPS", "lammps", "lmp", "spheres.lmp"
    settings = {"step": 1e-5}
    said = "linear springs 1e5 N/m with history, damping near critical, h 1e-5 s"
    row = "{id} 1 {d!r} {density!r} {x!r} {y!r} {z!r}"

    def is_there(self):
        return shutil.which(self.program) is not None

    def write(self, job, folder):
        super().write(job, folder)
        width, d = job["width"], job["diameter"]
        top = max(row[2] for row in job["start"]) + 2 * d
        lines = ["spheres of peers.py", "", f"{job['bodies']} atoms", "1 atom types", "", f"{-d} {width + d} xlo xhi",
                 f"{-d} {width + d} ylo yhi", f"{-d} {top} zlo zhi", "", "Atoms", ""]
        for k, row in enumerate(job["start"]):
            lines.append(self.row.format(id=k + 1, d=d, density=job["density"], x=row[0], y=row[1], z=row[2]))
        lines += ["", "Velocities", ""]
        for k, row in enumerate(job["start"]):
            lines.append(f"{k + 1} {row[3]!r} {row[4]!r} {row[5]!r} 0 0 0")
        (folder / "start.data").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def command(self, job, folder):
        values = [word for key in ("step", "duration", "frame_every", "width", "friction") for word in ("-var", key, repr(job[key]))]
        return [self.program, "-in", HERE / self.script, *values]

    def frames(self, job, folder):
        return read_dump(folder / "frames.dump", job["step"])


class Liggghts(Lammps):
    name, package, program, script = "LIGGGHTS", "liggghts", "liggghts", "spheres.liggghts"
    said = "Hertz contacts, E 5e8 Pa, restitution 0.051, h 1e-5 s (15 % of the Rayleigh time)"
    row = "{id} 1 {d!r} {density!r} {x!r} {y!r} {z!r}"


class Yade(Code):
    name, package = "YADE", "yade"
    settings = {"step": 1e-5}
    said = "linear springs 1e5 N/m, viscous damping for e = 0.05, h 1e-5 s"

    def is_there(self):
        return shutil.which("yade") is not None

    def command(self, job, folder):
        return ["yade", "-x", "-n", "-j1", HERE / "yade_spheres.py"]


class Siconos(Code):
    name, package, jobs = "Siconos", "python3-siconos", ("spheres", "blocks")
    settings = {"step": 5e-3, "iterations": 1000, "tolerance": 1e-4}
    said = "Moreau-Jean, theta 0.5, NSGS with at most 1000 sweeps; spheres: h 5e-3 s, to 1e-4; blocks: h 1e-3 s, to 1e-6"

    def of(self, job):
        return {**super().of(job), **({"step": 1e-3, "tolerance": 1e-6} if job["kind"] == 1 else {})}

    def is_there(self):
        return subprocess.run(["/usr/bin/python3", "-c", "import siconos.mechanics.collision.bullet"], capture_output=True,
                              check=False).returncode == 0

    def command(self, job, folder):
        return ["/usr/bin/python3", HERE / "siconos_job.py"]


class Talus(Code):
    """Our own; its scene has the start of the job.

    Grains that fall and settle: few sweeps a step, as the peers have few iterations, and position correction for what they leave; many steps
    then miss the tolerance while everything collides, and the run says so. Blocks: as many sweeps as it takes.
    """

    name, jobs = "talus", ("spheres", "disks", "blocks")
    grains = {"step": 2.25e-3, "tolerance": 5e-3, "max_sweeps": 40}
    by_job = {"spheres": grains, "disks": grains, "blocks": {"step": 5e-3, "tolerance": 3e-4, "max_sweeps": 1000}}

    def __init__(self, build, program, solver, changes, overrides):
        """`changes`: step, tolerance, max_sweeps where they are not as above."""
        super().__init__(build)
        self.program, self.solver, self.overrides = program, solver, overrides
        self.by_job = {job: {**own, **changes} for job, own in self.by_job.items()}
        words = {job: f"h {s['step']:g} s, to a law error of {s['tolerance']:g} with at most {s['max_sweeps']} sweeps" for job, s in self.by_job.items()}
        self.said = f"rule gap, solver {solver}, one thread; grains: {words['spheres']}, position correction; blocks: {words['blocks']}"
        if overrides:
            self.said += "; " + " ".join(overrides)

    def of(self, job):
        return {**job, **self.by_job[job["name"]]}

    def is_there(self):
        return pathlib.Path(self.program).exists()

    def write(self, job, folder):
        plane = job["dimension"] == 2
        lines = ["talus: 1", f"dimension: {job['dimension']}", f"gravity: {job['gravity']!r}", f"step: {job['step']!r}",
                 f"duration: {job['duration']!r}", f"contact: {{rule: gap, {'touch: 1e-6' if job['kind'] == 1 else 'position_correction: true'}}}",
                 f"solver: {{name: {self.solver}, tolerance: {job['tolerance']!r}, max_sweeps: {job['max_sweeps']}}}", "materials:", f"  grain: {{density: {job['density']!r}, friction: {job['friction']!r}}}",
                 "record: {every: %r, contacts: false, report_every: %r}" % (job["frame_every"], job["frame_every"]), "bodies:"]
        width = job["width"]
        if plane:
            lines += ["  - {name: floor, plane: {normal: [0, 1]}, material: grain}",
                      "  - {name: left, plane: {normal: [1, 0]}, material: grain}",
                      f"  - {{name: right, plane: {{normal: [-1, 0]}}, position: [{width!r}, 0], material: grain}}"]
        else:
            lines.append("  - {name: floor, plane: {normal: [0, 0, 1]}, material: grain}")
        if job["kind"] == 1:
            lines += [f"  - {{name: b{k}, box: {{size: {row[6:9]}}}, position: {row[:3]}, material: grain, freedoms: free}}"
                      for k, row in enumerate(job["start"])]
        else:
            if not plane:
                lines.append(f"  - {{name: walls, box_inside: {{size: [{width!r}, {width!r}, .inf]}}, "
                             f"position: [{0.5 * width!r}, {0.5 * width!r}, 0], material: grain}}")
            lines.append("start: {csv: start.csv, material: grain}")
            self.write_start(job, folder, plane)
        (folder / "scene.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    @staticmethod
    def write_start(job, folder, plane):
        keep = (0, 2, 3, 5) if plane else range(6)
        names = "x,y,vx,vy" if plane else "x,y,z,vx,vy,vz"
        rows = [names + ",radius"] + [",".join(repr(row[k]) for k in keep) + f",{0.5 * job['diameter']!r}" for row in job["start"]]
        (folder / "start.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")

    def command(self, job, folder):
        return [self.program, "run", "scene.yaml", "--out", "run", "--force", "--json", "--threads", "1",
                *(word for text in self.overrides for word in ("--set", text))]

    def frames(self, job, folder):
        import h5py  # Debian: python3-h5py, one of the packages of the tests
        frames = []
        with h5py.File(folder / "run" / "run.h5", "r", swmr=True) as run:
            bodies = run["bodies"]
            for row in run["frames/index"][:]:
                part = slice(int(row["bodies_begin"]), int(row["bodies_begin"] + row["bodies_count"]))
                free = bodies["wall"][part] == 0
                x, v, w = (bodies[name][part][free].tolist() for name in ("position", "velocity", "spin"))
                frames.append((float(row["time"]), [in_space(*body) for body in zip(x, v, w)]))
        return frames[1:]


def in_space(x, v, w):
    """x y z vx vy vz wx wy wz; the plane is that of x and z."""
    if len(x) == 3:
        return [*x, *v, *w]
    spin = w if isinstance(w, float) else w[0]
    return [x[0], 0.0, x[1], v[0], 0.0, v[1], 0.0, spin, 0.0]


PEERS = (Bullet, Lammps, Liggghts, Yade, Ode, Siconos, Box2d, Box2dMore)
