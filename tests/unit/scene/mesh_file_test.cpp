// Meshes read from STL and OBJ files.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "scene/mesh_file.h"
#include "talus/error.h"

namespace talus::scene {
namespace {

/// A file that goes away with the test.
class TempFile {
public:
    TempFile(const std::string& name, const std::string& content)
        : path_((std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "_" + name)).string()) {
        std::ofstream(path_, std::ios::binary) << content;
    }
    TempFile(const TempFile&) = delete;
    TempFile& operator=(const TempFile&) = delete;
    ~TempFile() { std::filesystem::remove(path_); }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::vector<double> read(const std::string& name, const std::string& content) {
    const TempFile file(name, content);
    return read_mesh(file.path(), name);
}
std::string complaint(const std::string& name, const std::string& content) {
    try {
        (void)read(name, content);
    } catch (const InputError& e) {
        return e.what();
    }
    return "no complaint";
}
void expect_in(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

const std::vector<double> square = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0.5};

std::string ascii_facet(const std::string& last) {
    return " facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex " + last +
           "\n  endloop\n endfacet\n";
}

TEST(MeshFile, ReadsAsciiStl) {
    const auto s = read("a.stl", "solid x\n" + ascii_facet("1 1 0") + ascii_facet("0 1e0 +0.5") + "endsolid x\n");
    ASSERT_EQ(s.size(), 18u);
    EXPECT_EQ(std::vector<double>(s.begin(), s.begin() + 9), (std::vector<double>{0, 0, 0, 1, 0, 0, 1, 1, 0}));
    EXPECT_EQ(s[17], 0.5);
}

std::string binary(const std::vector<double>& corners) {
    std::string content(80, ' ');
    std::memcpy(content.data(), "solid ", 6);  // as some programs write
    const auto count = static_cast<std::uint32_t>(corners.size() / 9);
    content.append(reinterpret_cast<const char*>(&count), 4);
    for (std::size_t t = 0; t < count; ++t) {
        float values[12] = {0, 0, 1};
        for (std::size_t k = 0; k < 9; ++k) values[3 + k] = static_cast<float>(corners[9 * t + k]);
        content.append(reinterpret_cast<const char*>(values), sizeof values).append(2, '\0');
    }
    return content;
}

TEST(MeshFile, ReadsBinaryStl) {
    EXPECT_EQ(read("b.STL", binary(square)), square);
    expect_in(complaint("b.stl", binary(square).substr(0, 120)), "cut or damaged");
    std::vector<double> flat = square;
    flat[9 + 3] = flat[9], flat[9 + 4] = flat[10], flat[9 + 5] = flat[11];
    expect_in(complaint("b.stl", binary(flat)), "triangle 2 has no area");
}

TEST(MeshFile, ReadsObjAndCutsPolygons) {
    const std::string text = "# square\nv 0 0 0\nv 1 0 0\nvn 0 0 1\nv 1 1 0\nv 0 1 0.5\nf 1/1/1 2//1 3 -1\n";
    EXPECT_EQ(read("c.obj", text), square);
}

TEST(MeshFile, SaysWhereAndWhatIsWrong) {
    expect_in(complaint("d.stl", "solid x\n" + ascii_facet("1 x 0")), "d.stl:6:1: 'x' is no finite number");
    expect_in(complaint("d.stl", "solid x\n" + ascii_facet("1 0")), "d.stl:6:1: a vertex takes three numbers");
    expect_in(complaint("d.stl", "solid x\n" + ascii_facet("1 1 0") + ascii_facet("2 0 0")),
              "d.stl:15:1: triangle 2 has no area");
    expect_in(complaint("d.stl", "solid x\nfacet\nvertex 0 0 0\nendfacet\n"), "d.stl:4:1: a facet has three vertices");
    expect_in(complaint("d.stl", "hello\n"), "d.stl:1:1: 'hello'");
    expect_in(complaint("d.stl", "solid x\nendsolid x\n"), "no triangles");
    expect_in(complaint("e.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n"), "e.obj:3:1: vertex 3 does not exist; 2 are given");
    expect_in(complaint("e.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"), "e.obj:4:1: triangle 1 has no area");
    expect_in(complaint("e.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n"), "at least three");
    expect_in(complaint("f.ply", "ply"), ".stl or .obj");
    EXPECT_THROW((void)read_mesh("/nowhere/at/all.stl", "all.stl"), IoError);
}

}  // namespace
}  // namespace talus::scene
