#!/usr/bin/env python3
"""ARCHITECTURE.md mirrors the tree: every folder and every top file is named there, and everything
named there exists.

An entry is a path in backquotes at the start of a table row or list item: `src/math/`, `run`. A `*`
stands for one name: `gallery/*/*/` covers every experiment. Entries of folders end in a slash.
"""

import fnmatch
import re
import sys

from source_tree import ROOT, report, walk

ENTRY = re.compile(r"^\s*(?:[-*]|\|)\s*`([^`]+)`", re.M)
# Folders that are reserved by the design and come with a later release.
LATER = re.compile(r"^\s*(?:[-*]|\|)\s*`([^`]+)`[^\n]*\(later\)", re.M)


def covered(path, entries):
    """Whether an entry names this path; `*` never crosses a slash."""
    return any(entry.count("/") == path.count("/") and fnmatch.fnmatchcase(path, entry) for entry in entries)


def main():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    later = set(LATER.findall(text))
    entries = set(ENTRY.findall(text)) - later
    present = set()
    for folder, files in walk():
        if folder.parts:
            if any((ROOT / folder).iterdir()):
                present.add(folder.as_posix() + "/")
        else:
            present.update(files)
    failures = [f"ARCHITECTURE.md does not name {path}" for path in sorted(present) if not covered(path, entries)]
    for entry in sorted(entries):
        exists = any(ROOT.glob(entry)) if "*" in entry else (ROOT / entry).exists()
        if not exists:
            failures.append(f"ARCHITECTURE.md names {entry}, which does not exist")
    failures += [f"ARCHITECTURE.md says (later) of {path}, which exists" for path in sorted(later & present)]
    return report("check_architecture", failures)


if __name__ == "__main__":
    sys.exit(main())
