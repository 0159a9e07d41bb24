"""The checks of tools/ see what they are there to see: each rule is broken once in a small tree of
its own, and must be reported with file and line; a sound tree must pass."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TALUS_SOURCE_DIR"])


class Tree(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.addCleanup(self.folder.cleanup)

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def check(self, tool):
        """Exit code and words of a check run on this tree."""
        result = subprocess.run([sys.executable, str(SOURCE / "tools" / tool)], capture_output=True, text=True,
                                env={**os.environ, "TALUS_SOURCE_DIR": str(self.root)}, check=False)
        return result.returncode, result.stdout + result.stderr

    def refuses(self, path, text, words):
        self.write(path, text)
        code, output = self.check("check_layers.py")
        self.assertEqual(code, 1, output)
        self.assertIn(words, output)


class Layers(Tree):
    def test_a_sound_tree_passes(self):
        self.write("include/talus/world.h", '#include <vector>\n#include "talus/math.h"\n#include <Eigen/Core>\n')
        self.write("src/math/a.h", "if constexpr (Dim == 2) {}\n")
        self.write("src/solve/b.cpp", '#include "math/a.h"\n#include "talus/world.h"\n'
                                      '// printf( in a comment\nconst char* s = "exit(1) std::cout";\n'
                                      "snprintf(buffer, 3, format); x.exit(); auto n = 1'000;\n")
        code, output = self.check("check_layers.py")
        self.assertEqual(code, 0, output)

    def test_a_folder_may_not_include_one_below_it(self):
        self.refuses("src/math/a.cpp", '\n#include "solve/b.h"\n', "src/math/a.cpp:2: math may not include solve")

    def test_observe_may_not_include_scene(self):
        self.refuses("src/observe/a.cpp", '#include "scene/scene.h"\n', "observe may not include scene")

    def test_an_unknown_folder_is_reported(self):
        self.refuses("src/extra/a.cpp", "\n", "src/extra is no layer")

    def test_dimension_branches_stay_in_math(self):
        self.refuses("src/solve/a.cpp", "if (Dim == 3) {}\n", "src/solve/a.cpp:1: a branch on the dimension")
        self.refuses("src/plot/a.cpp", "/* two\nlines */ if constexpr (Dim > 2) {}\n", "src/plot/a.cpp:2: a branch")

    def test_the_library_neither_prints_nor_exits(self):
        for text in ["std::cout << 1;", "printf(format);", "std::exit(1);", "exit(2);", 'fmt::print("x");']:
            self.refuses("src/state/a.cpp", text + "\n", "src/state/a.cpp:1: the library never prints")

    def test_public_headers_hide_the_inside(self):
        self.refuses("include/talus/a.h", '#include "state/bodies.h"\n', "a public header may not include")

    def test_mpi_stays_in_dist(self):
        self.refuses("src/step/a.cpp", "#include <mpi.h>\n", "only src/dist may include <mpi.h>")

    def test_the_step_stays_a_table_of_contents(self):
        self.refuses("src/step/step.cpp", "\n" * 60, "it stays under 60")


class Architecture(Tree):
    def test_every_folder_and_top_file_is_named_and_nothing_else(self):
        self.write("ARCHITECTURE.md", "| `ARCHITECTURE.md` | x |\n- `src/`\n- `src/*/`\n- `gone/`\n- `python/` (later)\n")
        self.write("src/math/a.h", "\n")
        self.write("tools/a.py", "\n")
        self.write("build/x", "\n")
        self.write("stray.txt", "\n")
        code, output = self.check("check_architecture.py")
        self.assertEqual(code, 1, output)
        for words in ["does not name tools/", "does not name stray.txt", "names gone/"]:
            self.assertIn(words, output)
        self.assertIn("3 failures", output)


if __name__ == "__main__":
    unittest.main()
