"""What the pages show works: whole scenes pass `talus check`, whole programs compile against the public
headers alone, the ten lines of C++ of the README compile inside a main, and every relative link
leads somewhere."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TALUS_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["TALUS_BUILD_DIR"])
PAGES = sorted([*SOURCE.glob("*.md"), *SOURCE.glob("docs/*.md"), *SOURCE.glob("benchmarks/*.md"),
                *SOURCE.glob("gallery/**/*.md")])


def blocks(language):
    """(page, text) of every fenced block of a language."""
    for page in PAGES:
        for text in re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M):
            yield page.relative_to(SOURCE).as_posix(), text


def as_program(text):
    """A block that is a whole program, or statements that follow its includes put into a main."""
    if "int main" in text:
        return text
    lines = text.splitlines()
    includes = [line for line in lines if line.startswith("#include")]
    rest = [line for line in lines if not line.startswith("#include")]
    return "\n".join([*includes, "int main() {", *rest, "}"])


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_whole_scenes_are_accepted(self):
        scenes = [(page, text) for page, text in blocks("yaml") if text.startswith("talus:")]
        self.assertGreaterEqual(len(scenes), 2)
        for page, text in scenes:
            with self.subTest(page=page):
                scene = self.folder / "scene.yaml"
                scene.write_text(text, encoding="utf-8")
                result = subprocess.run([os.environ["TALUS_BINARY"], "check", str(scene)], capture_output=True,
                                        text=True, check=False)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_programs_compile_against_the_public_headers(self):
        programs = [(page, text) for page, text in blocks("cpp") if '#include "talus/' in text]
        self.assertGreaterEqual(len(programs), 2)
        eigen = subprocess.run(["pkg-config", "--cflags", "eigen3"], capture_output=True, text=True, check=True)
        for page, text in programs:
            with self.subTest(page=page):
                unit = self.folder / "program.cpp"
                unit.write_text(as_program(text), encoding="utf-8")
                result = subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-fsyntax-only",
                                         "-I", str(SOURCE / "include"), "-I", str(BUILD / "include"),
                                         *eigen.stdout.split(), str(unit)], capture_output=True, text=True, check=False)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_relative_links_lead_somewhere(self):
        for page in PAGES:
            text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
                if "://" not in target:
                    with self.subTest(page=page.name, target=target):
                        self.assertTrue((page.parent / target).exists(), f"{page.relative_to(SOURCE)} links to {target}")


if __name__ == "__main__":
    unittest.main()
