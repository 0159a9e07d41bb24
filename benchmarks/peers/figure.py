"""The figure of peers.py: for every job, how long a code takes against how far its bodies overlap (or blocks drift). Down and left is better."""

import math
from xml.sax.saxutils import escape

COLOURS = {"talus": "#c0392b", "Bullet": "#2471a3", "LAMMPS": "#1e8449", "LIGGGHTS": "#7d6608", "YADE": "#76448a", "ODE": "#b9770e",
           "Siconos": "#515a5a", "Box2D": "#148f77", "Box2D 50/20": "#0e6655"}
MEASURE = {"spheres": ("max_overlap_percent", "largest overlap [% of d]"), "disks": ("max_overlap_percent", "largest overlap [% of d]"),
           "blocks": ("max_drift_percent", "largest drift [% of the least edge]")}
WIDTH, HEIGHT, LEFT, TOP, GAP = 380, 300, 70, 40, 90


def decades(values):
    """Powers of ten around the values, a little room on both sides."""
    low, high = math.floor(math.log10(min(values) / 1.5)), math.ceil(math.log10(max(values) * 1.5))
    return low, max(high, low + 1)


class Panel:
    """One job; both axes are logarithmic."""

    def __init__(self, job, rows, left):
        self.job, self.rows, self.left = job, rows, left
        self.key, self.label = MEASURE[job]
        self.x = decades([row["cpu_seconds_per_second"] for row in rows])
        self.y = decades([max(row[self.key], 1e-7) for row in rows])

    def place(self, row):
        across = (math.log10(row["cpu_seconds_per_second"]) - self.x[0]) / (self.x[1] - self.x[0])
        up = (math.log10(max(row[self.key], 1e-7)) - self.y[0]) / (self.y[1] - self.y[0])
        return self.left + WIDTH * across, TOP + HEIGHT * (1 - up)

    def axes(self):
        yield f'<rect x="{self.left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>'
        for k in range(self.x[0], self.x[1] + 1):
            x = self.left + WIDTH * (k - self.x[0]) / (self.x[1] - self.x[0])
            yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{TOP + HEIGHT}" stroke="#eee"/>'
            yield f'<text x="{x:.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{power(k)}</text>'
        for k in range(self.y[0], self.y[1] + 1):
            y = TOP + HEIGHT * (1 - (k - self.y[0]) / (self.y[1] - self.y[0]))
            yield f'<line x1="{self.left}" y1="{y:.1f}" x2="{self.left + WIDTH}" y2="{y:.1f}" stroke="#eee"/>'
            yield f'<text x="{self.left - 6}" y="{y + 4:.1f}" text-anchor="end">{power(k)}</text>'
        middle = self.left + WIDTH / 2
        yield f'<text x="{middle}" y="{TOP - 14}" text-anchor="middle" font-weight="bold">{self.job}</text>'
        yield f'<text x="{middle}" y="{TOP + HEIGHT + 36}" text-anchor="middle">processor seconds a simulated second</text>'
        y = TOP + HEIGHT / 2
        yield f'<text transform="translate({self.left - 48},{y}) rotate(-90)" text-anchor="middle">{self.label}</text>'

    def points(self):
        taken = [(x - 5, y + 4, 10) for x, y in map(self.place, self.rows)]   # boxes: left, base line, length
        for name in dict.fromkeys(row["code"] for row in self.rows):
            own = sorted((row for row in self.rows if row["code"] == name), key=lambda row: row["bodies"])
            colour = COLOURS.get(name, "#333")
            at = [self.place(row) for row in own]
            if len(at) > 1:
                yield f'<polyline fill="none" stroke="{colour}" stroke-opacity="0.5" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in at)}"/>'
            for (x, y), row in zip(at, own):
                yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>'
                words = f"{name} {short(row['bodies'])}" if row is own[-1] else short(row["bodies"])
                lx, ly, length = self.free_place(x, y, 6.6 * len(words), taken)
                taken.append((lx, ly, length))
                yield f'<text x="{lx:.1f}" y="{ly:.1f}" fill="{colour}">{escape(words)}</text>'

    def free_place(self, x, y, length, taken):
        """Where a label of that length meets no other and no point: beside its point, above, below, or farther down."""
        places = [(x + 8, y + 4), (x - 8 - length, y + 4), (x - length / 2, y - 9), (x - length / 2, y + 18)]
        places += [(x + 8, y + 4 + 12 * k) for k in range(1, 20)]
        for lx, ly in places:
            inside = self.left <= lx and lx + length <= self.left + WIDTH
            if inside and not any(abs(ly - ty) < 12 and lx < tx + tl and tx < lx + length for tx, ty, tl in taken):
                return lx, ly, length
        return (*places[0], length)


def power(k):
    return f'10<tspan dy="-5" font-size="8">{k}</tspan>'


def short(count):
    return f"{count // 1000}k" if count >= 1000 and count % 1000 == 0 else str(count)


def draw(rows):
    done = [row for row in rows if row["status"] == "done" and row.get("cpu_seconds_per_second")]
    jobs = list(dict.fromkeys(row["job"] for row in done))
    parts = []
    for k, job in enumerate(jobs):
        panel = Panel(job, [row for row in done if row["job"] == job], LEFT + k * (WIDTH + GAP))
        parts += [*panel.axes(), *panel.points()]
    width = LEFT + max(1, len(jobs)) * (WIDTH + GAP) - GAP + 20
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + HEIGHT + 50}" font-family="sans-serif" font-size="12">'
            f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n')
