"""The source tree as the checks of this folder see it: which files count, and C++ text without
comments and strings. Only Python's own library is used."""

import os
import pathlib
import re

ROOT = pathlib.Path(os.environ.get("TALUS_SOURCE_DIR", pathlib.Path(__file__).resolve().parent.parent))

# What a build, a run or an editor leaves behind: not part of the tree (.gitignore says the same).
_NOT_OURS = re.compile(r"^(build.*|out|__pycache__|\.git|\.ccache|\.cache|\.vscode|\.idea)$")


def walk():
    """Yields (folder, files) below ROOT, relative to it, in a fixed order."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if not _NOT_OURS.match(name))
        yield pathlib.Path(folder).relative_to(ROOT), sorted(files)


def cpp_files(*tops):
    """C++ files below the given top folders, relative to ROOT."""
    for folder, files in walk():
        if folder.parts and folder.parts[0] in tops:
            yield from (folder / name for name in files if name.endswith((".h", ".cpp")))


_COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""",
    re.S)


def code_lines(path):
    """The lines of a C++ file with comments and the insides of strings blanked, numbered from 1."""
    def blank(match):
        text = match.group(0)
        if text.startswith('"') or "\n" not in text and not text.startswith("/"):
            return '""'
        return "\n" * text.count("\n")
    text = (ROOT / path).read_text(encoding="utf-8")
    return list(enumerate(_COMMENT_OR_STRING.sub(blank, text).split("\n"), start=1))


def include_lines(path):
    """(line number, delimiter, included name) of every #include of a C++ file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    for number, line in enumerate(text.split("\n"), start=1):
        match = re.match(r'\s*#\s*include\s*([<"])([^">]+)[">]', line)
        if match:
            yield number, match.group(1), match.group(2)


def report(name, failures, warnings=()):
    """Prints what was found and returns the exit code."""
    for warning in warnings:
        print(f"warning: {warning}")
    for failure in failures:
        print(failure)
    print(f"{name}: {len(failures)} failures, {len(warnings)} warnings")
    return 1 if failures else 0
