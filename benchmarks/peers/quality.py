"""How good a result is, by the same arithmetic for every code: from positions and velocities alone.

Round bodies in an open box 0 <= x, y <= width, z >= 0 (in the plane: x and z):

- overlap: over all pairs, floor and walls whose gap is below 0.1 % of a diameter (those that touch), in per cent of a diameter; apart counts as 0;
- kinetic energy, rotation included, in N m g d: falling by one diameter is 1;
- wall force over weight: by Newton's law, what floor and walls carry on average between two frames is the weight plus the change of momentum over time;
- escaped: bodies whose centre is outside the box.

Blocks that stand at rest must stay where they are: the largest way that one has moved, in per cent of the least edge, is their error.
"""

import itertools
import math

TOUCH = 1e-3  # of a diameter: gaps below count as contacts


def near_gaps(positions, diameter, width, dimension):
    """Gaps of pairs, floor and walls below TOUCH diameters, over the diameter."""
    limit = diameter * (1 + TOUCH)
    axes = (0, 1, 2) if dimension == 3 else (0, 2)
    cells = {}
    for index, x in enumerate(positions):
        cells.setdefault(tuple(math.floor(x[k] / limit) for k in axes), []).append(index)
    half_of_neighbours = [shift for shift in itertools.product((-1, 0, 1), repeat=len(axes)) if shift > (0,) * len(axes)]
    gaps = []
    for cell, members in cells.items():
        others = [i for shift in half_of_neighbours for i in cells.get(tuple(c + s for c, s in zip(cell, shift)), ())]
        for rank, i in enumerate(members):
            for j in itertools.chain(members[rank + 1:], others):
                distance = math.dist(positions[i], positions[j])
                if distance < limit:
                    gaps.append(distance / diameter - 1)
    for x in positions:
        for distance in (x[2], *(d for k in axes[:-1] for d in (x[k], width - x[k]))):
            if distance < 0.5 * diameter + TOUCH * diameter:
                gaps.append(distance / diameter - 0.5)
    return gaps


def kinetic_energy(frame, diameter, gravity, dimension):
    """In N m g d; a solid ball has 2/5 m r^2, a disk 1/2 m r^2."""
    turn = (0.4 if dimension == 3 else 0.5) * (0.5 * diameter) ** 2
    twice = sum(sum(v * v for v in body[3:6]) + turn * sum(w * w for w in body[6:9]) for body in frame)
    return 0.5 * twice / (len(frame) * gravity * diameter)


def wall_force(earlier, later, seconds, gravity):
    """Mean vertical force of floor and walls between two frames over the weight; all bodies have the same mass."""
    gained = sum(body[5] for body in later) - sum(body[5] for body in earlier)
    return 1 + gained / (len(later) * gravity * seconds)


def escaped(positions, width, dimension):
    axes = (0, 1) if dimension == 3 else (0,)
    return sum(1 for x in positions
               if not all(map(math.isfinite, x)) or x[2] < 0 or any(not 0 <= x[k] <= width for k in axes))


def round_quality(frames, job):
    """Of the last frame (and the one before it): frames are (time, bodies), a body is x y z vx vy vz wx wy wz in SI units."""
    (t0, earlier), (t1, later) = frames[-2:]
    positions = [body[:3] for body in later]
    gone = escaped(positions, job["width"], job["dimension"])
    result = {"escaped": gone,
              "kinetic_energy": kinetic_energy(later, job["diameter"], job["gravity"], job["dimension"]),
              "wall_force_over_weight": wall_force(earlier, later, t1 - t0, job["gravity"])}
    finite = [x for x in positions if all(map(math.isfinite, x))]
    gaps = near_gaps(finite, job["diameter"], job["width"], job["dimension"])
    overlap = [max(0.0, -gap) for gap in gaps]
    result["contacts"] = len(gaps)
    result["max_overlap_percent"] = 100 * max(overlap, default=0.0)
    result["mean_overlap_percent"] = 100 * sum(overlap) / max(1, len(overlap))
    return result


def block_quality(frames, start, job):
    """Of blocks that should stand still."""
    later = frames[-1][1]
    way = [math.dist(body[:3], row[:3]) for body, row in zip(later, start)]
    edge = min(min(row[6:9]) for row in start)
    speed = max(math.hypot(*body[3:6]) for body in later)
    return {"max_drift_percent": 100 * max(way) / edge, "mean_drift_percent": 100 * sum(way) / len(way) / edge,
            "max_speed": speed, "kinetic_energy": kinetic_energy(later, edge, job["gravity"], 3)}
