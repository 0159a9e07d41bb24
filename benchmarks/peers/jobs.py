"""The jobs: where bodies start, and the figures that every code is given. The same seed gives the same start for all."""

import math
import random

DENSITY, GRAVITY = 2600.0, 9.81      # [kg/m3], [m/s2]
FRAME_EVERY = 0.05                   # [s]


def spheres(count, duration=None, seed=1):
    """Spheres of 1 cm dropped from a loose lattice into an open box 20 diameters wide."""
    d, width, spacing = 0.01, 0.2, 0.0112
    across = int(width / spacing)
    draw = random.Random(seed)
    first = 0.5 * (width - spacing * (across - 1))
    start = []
    for n in range(count):
        place = (n % across, n // across % across, n // across ** 2)
        x = [first + spacing * place[0], first + spacing * place[1], spacing * (place[2] + 0.6)]
        start.append([c + draw.uniform(-0.05, 0.05) * d for c in x] + [draw.uniform(-0.1, 0.1) for _ in range(3)])
    if duration is None:
        duration = 0.5 if count <= 5000 else 1.0  # the top of 20 000 falls for a quarter of a second
    return {"name": "spheres", "kind": 0, "dimension": 3, "bodies": count, "diameter": d, "width": width, "density": DENSITY,
            "friction": 0.4, "gravity": GRAVITY, "duration": duration, "frame_every": FRAME_EVERY, "unit": d, "start": start}


def disks(count, duration=None, seed=1):
    """Disks of 1 cm dropped from a loose lattice, as wide as high, into a box as wide, in the plane of x and z."""
    d, spacing = 0.01, 0.0112
    across = math.isqrt(count)
    width = spacing * across
    draw = random.Random(seed)
    start = []
    for n in range(count):
        x = [spacing * (n % across + 0.5), 0.0, spacing * (n // across + 0.6)]
        shift, speed = [draw.uniform(-0.05, 0.05) * d for _ in range(2)], [draw.uniform(-0.1, 0.1) for _ in range(2)]
        start.append([x[0] + shift[0], 0.0, x[2] + shift[1], speed[0], 0.0, speed[1]])
    return {"name": "disks", "kind": 0, "dimension": 2, "bodies": count, "diameter": d, "width": width, "density": DENSITY,
            "friction": 0.4, "gravity": GRAVITY, "duration": duration or 0.5, "frame_every": FRAME_EVERY, "unit": d, "start": start}


def blocks(courses, duration=None, seed=1):
    """A wall of boxes in running bond, `courses` high and as many boxes long, that stands at rest from the beginning."""
    del seed  # nothing is drawn
    length, depth, height = 0.2, 0.1, 0.1
    start = []
    for k in range(courses):
        ends = [0.0] + [length * (i + (1 if k % 2 == 0 else 0.5)) for i in range(courses)]
        if k % 2:
            ends.append(length * courses)
        for low, high in zip(ends, ends[1:]):
            start.append([0.5 * (low + high), 0.0, height * (k + 0.5), 0.0, 0.0, 0.0, high - low, depth, height])
    return {"name": "blocks", "kind": 1, "dimension": 3, "bodies": len(start), "width": length * courses, "density": 1800.0,
            "friction": 0.6, "gravity": GRAVITY, "duration": duration or 0.5, "frame_every": FRAME_EVERY, "unit": 0.1, "start": start}


def columns(job):
    return ["x", "y", "z", "vx", "vy", "vz"] + (["sx", "sy", "sz"] if job["kind"] == 1 else [])
