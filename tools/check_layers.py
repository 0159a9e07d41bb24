#!/usr/bin/env python3
"""Holds the structure that ARCHITECTURE.md promises.

- A folder of src/ includes those above it in LAYERS, never those below.
- Public headers include each other, Eigen and the standard library, nothing else.
- Branches on the dimension live in src/math and include/talus/math.h.
- The library neither prints nor exits; only src/dist knows MPI.
- src/step/step.cpp stays a table of contents; files stay short enough to be read.
"""

import re
import sys

from source_tree import ROOT, code_lines, cpp_files, include_lines, report

LAYERS = ["math", "simd", "parallel", "state", "shapes", "detect", "contact", "laws", "solve", "integrate", "step",
          "observe", "scene", "explore", "record", "plot", "bench", "dist", "cli"]
STEP_LINES = 60      # design: step.cpp is the table of contents of the program
LONG_FILE = 500      # style: most files fit in 300 lines

DIMENSION_BRANCH = re.compile(r"\bDim\s*[!=]=\s*[23]\b|\bif\s+constexpr\s*\(\s*!?\s*\(?\s*Dim\b")
DIMENSION_HOMES = ("src/math/", "include/talus/math.h")
PRINTS_OR_EXITS = re.compile(
    r"\bstd::(cout|cerr|clog|printf|puts|exit|quick_exit|abort|terminate)\b|\bfmt::print\b"
    r"|(?<![\w:.>])(printf|fprintf|puts|putchar|exit|_exit|abort)\s*\(")
PUBLIC_MAY_INCLUDE = re.compile(r"^(talus/.*|Eigen/.*|[a-z0-9_]+)$")


def layer_of(path):
    """The layer of a file of src/ or cli/."""
    return "cli" if path.parts[0] == "cli" else path.parts[1]


def check_includes(path):
    """An include of a later layer, of a folder nobody knows, or by a path relative to the file."""
    here = LAYERS.index(layer_of(path))
    for number, delimiter, name in include_lines(path):
        top = name.split("/")[0]
        if delimiter == "<" or top == "talus":
            continue
        if "/" not in name and (ROOT / path).parent.joinpath(name).exists():
            if path.parts[0] != "cli":
                yield f'{path}:{number}: write the path from src/: "{path.parent.relative_to("src")}/{name}"'
            continue
        if top not in LAYERS:
            yield f'{path}:{number}: "{name}" is in no known layer; write the path from src/ or talus/'
        elif LAYERS.index(top) > here:
            yield f'{path}:{number}: {LAYERS[here]} may not include {top} ("{name}"), which stands below it'


def check_lines(path):
    """Dimension branches, printing, exiting and MPI outside their homes."""
    text_path = path.as_posix()
    for number, line in code_lines(path):
        if DIMENSION_BRANCH.search(line) and not text_path.startswith(DIMENSION_HOMES):
            yield f"{path}:{number}: a branch on the dimension belongs in src/math: {line.strip()}"
        if path.parts[0] != "cli" and PRINTS_OR_EXITS.search(line):
            yield f"{path}:{number}: the library never prints and never exits: {line.strip()}"
    for number, _, name in include_lines(path):
        if name == "mpi.h" and not text_path.startswith("src/dist/"):
            yield f"{path}:{number}: only src/dist may include <mpi.h>"


def check_public(path):
    """Public headers stand alone: nothing of src/ shows through."""
    for number, _, name in include_lines(path):
        if not PUBLIC_MAY_INCLUDE.match(name):
            yield f"{path}:{number}: a public header may not include {name}"


def check_sizes(paths):
    """Warnings for long files; a failure for a step.cpp that is no longer a table of contents."""
    failures, warnings = [], []
    for path in paths:
        count = len((ROOT / path).read_text(encoding="utf-8").splitlines())
        if path.as_posix() == "src/step/step.cpp" and count >= STEP_LINES:
            failures.append(f"{path}: {count} lines; it stays under {STEP_LINES}")
        if count > LONG_FILE:
            warnings.append(f"{path}: {count} lines; would a reader split it?")
    return failures, warnings


def main():
    failures = []
    inner = list(cpp_files("src", "cli"))
    public = list(cpp_files("include"))
    for path in inner:
        if layer_of(path) not in LAYERS:
            failures.append(f"{path}: src/{layer_of(path)} is no layer; add it to tools/check_layers.py")
            continue
        failures += check_includes(path)
        failures += check_lines(path)
    for path in public:
        failures += check_public(path)
        failures += check_lines(path)
    size_failures, warnings = check_sizes(inner + public + list(cpp_files("tests", "benchmarks", "examples")))
    return report("check_layers", failures + size_failures, warnings)


if __name__ == "__main__":
    sys.exit(main())
