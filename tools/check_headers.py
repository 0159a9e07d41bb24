#!/usr/bin/env python3
"""Every public header compiles alone, with nothing but include/, the generated version header and
Eigen in the include path: what an installed talus offers to its users."""

import os
import pathlib
import subprocess
import sys
import tempfile

from source_tree import ROOT, report


def eigen_flags():
    """Where Eigen is, as pkg-config says."""
    answer = subprocess.run(["pkg-config", "--cflags", "eigen3"], capture_output=True, text=True, check=True)
    return [flag.replace("-I", "-isystem", 1) for flag in answer.stdout.split()]


def main():
    compiler = os.environ.get("CXX", "g++")
    build = pathlib.Path(os.environ.get("TALUS_BUILD_DIR", ROOT / "build"))
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
               "-I", str(ROOT / "include"), "-I", str(build / "include"), *eigen_flags()]
    failures = []
    headers = sorted((ROOT / "include" / "talus").glob("*.h"))
    if not headers:
        failures.append("include/talus holds no header")
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder) / "alone.cpp"
        for header in headers:
            # Twice: a header without a guard shows here.
            unit.write_text(f'#include "talus/{header.name}"\n' * 2, encoding="utf-8")
            result = subprocess.run([*command, str(unit)], capture_output=True, text=True, check=False)
            if result.returncode:
                failures.append(f"include/talus/{header.name} does not compile alone:\n{result.stderr}")
    return report("check_headers", failures)


if __name__ == "__main__":
    sys.exit(main())
