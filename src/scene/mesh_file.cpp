#include "scene/mesh_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "talus/error.h"
#include "talus/math.h"

namespace talus::scene {
namespace {

constexpr std::size_t header_bytes = 80, triangle_bytes = 50;
constexpr double least_height = 1e-10;  ///< of a triangle, over its longest side

[[noreturn]] void fail(const std::string& shown, int line, const std::string& text) {
    throw InputError(shown + ":" + std::to_string(line) + ":1: " + text);
}

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream stream(line);
    return {std::istream_iterator<std::string>(stream), {}};
}

double number(const std::string& word, const std::string& shown, int line) {
    double value = 0.0;
    const char* begin = word.data() + (word.front() == '+' ? 1 : 0);
    const auto [end, code] = std::from_chars(begin, word.data() + word.size(), value);
    if (code != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
        fail(shown, line, "'" + word + "' is no finite number; write a number");
    return value;
}

std::array<double, 3> point(const std::vector<std::string>& words, const std::string& shown, int line) {
    if (words.size() < 4) fail(shown, line, "a vertex takes three numbers, not " + std::to_string(words.size() - 1));
    return {number(words[1], shown, line), number(words[2], shown, line), number(words[3], shown, line)};
}

/// The last triangle of `sizes` has an area.
bool has_area(const std::vector<double>& sizes) {
    const double* s = sizes.data() + sizes.size() - 9;
    const Vec<3> a = Eigen::Map<const Vec<3>>(s), b = Eigen::Map<const Vec<3>>(s + 3),
                 c = Eigen::Map<const Vec<3>>(s + 6);
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    return (b - a).cross(c - a).norm() > least_height * longest * longest;
}

std::string no_area(const std::vector<double>& sizes) {
    return "triangle " + std::to_string(sizes.size() / 9) +
           " has no area (corners in a line, or twice the same); remove it";
}

std::vector<double> read_stl_text(const std::string& content, const std::string& shown) {
    std::istringstream stream(content);
    std::vector<double> sizes;
    std::string line;
    std::size_t corners = 0;
    int at = 0;
    while (std::getline(stream, line)) {
        ++at;
        const std::vector<std::string> words = words_of(line);
        if (words.empty()) continue;
        if (words[0] == "vertex") {
            if (++corners > 3) fail(shown, at, "a facet has three vertices; this is one more");
            const auto x = point(words, shown, at);
            sizes.insert(sizes.end(), x.begin(), x.end());
        } else if (words[0] == "endfacet") {
            if (corners != 3) fail(shown, at, "a facet has three vertices, not " + std::to_string(corners));
            if (!has_area(sizes)) fail(shown, at, no_area(sizes));
            corners = 0;
        } else if (words[0] != "solid" && words[0] != "facet" && words[0] != "outer" && words[0] != "endloop" &&
                   words[0] != "endsolid") {
            fail(shown, at, "'" + words[0] + "' is no word of an STL file");
        }
    }
    if (corners != 0) fail(shown, at, "the file ends within a facet");
    return sizes;
}

/// Binary STL: a header, the number of triangles, then for each its normal (not used), corners and two bytes.
std::vector<double> read_stl_binary(const std::string& content, const std::string& shown) {
    std::uint32_t count = 0;
    std::memcpy(&count, content.data() + header_bytes, sizeof count);
    std::vector<double> sizes;
    sizes.reserve(9 * std::size_t{count});
    for (std::uint32_t t = 0; t < count; ++t) {
        std::array<float, 12> values;
        std::memcpy(values.data(), content.data() + header_bytes + 4 + triangle_bytes * t, sizeof values);
        for (std::size_t k = 3; k < 12; ++k) {
            if (!std::isfinite(values[k]))
                throw InputError(shown + ": triangle " + std::to_string(t + 1) + " has a corner that is not finite");
            sizes.push_back(static_cast<double>(values[k]));
        }
        if (!has_area(sizes)) throw InputError(shown + ": " + no_area(sizes));
    }
    return sizes;
}

/// A binary file has just the length its count of triangles asks for; its header may well begin with `solid`.
bool is_binary_stl(const std::string& content) {
    if (content.size() < header_bytes + 4) return false;
    std::uint32_t count = 0;
    std::memcpy(&count, content.data() + header_bytes, sizeof count);
    return content.size() == header_bytes + 4 + triangle_bytes * std::size_t{count};
}

std::vector<double> read_stl(const std::string& content, const std::string& shown) {
    if (is_binary_stl(content)) return read_stl_binary(content, shown);
    if (content.find('\0') != std::string::npos)
        throw InputError(
            shown +
            ": a binary STL file of another length than its number of triangles asks for; it is cut or damaged");
    return read_stl_text(content, shown);
}

/// Index of a vertex from `7`, `7/1`, `7//3` or, counted from the last, `-1`.
std::size_t vertex_index(const std::string& word, std::size_t count, const std::string& shown, int line) {
    const std::string head = word.substr(0, word.find('/'));
    long index = 0;
    const auto [end, code] = std::from_chars(head.data(), head.data() + head.size(), index);
    if (code != std::errc() || end != head.data() + head.size())
        fail(shown, line, "'" + word + "' is no number of a vertex");
    const long from_zero = index < 0 ? static_cast<long>(count) + index : index - 1;
    if (from_zero < 0 || from_zero >= static_cast<long>(count))
        fail(shown, line, "vertex " + head + " does not exist; " + std::to_string(count) + " are given above");
    return static_cast<std::size_t>(from_zero);
}

std::vector<double> read_obj(const std::string& content, const std::string& shown) {
    std::istringstream stream(content);
    std::vector<double> sizes;
    std::vector<std::array<double, 3>> vertices;
    std::string line;
    for (int at = 1; std::getline(stream, line); ++at) {
        const std::vector<std::string> words = words_of(line);
        if (words.empty()) continue;
        if (words[0] == "v") vertices.push_back(point(words, shown, at));
        if (words[0] != "f") continue;
        if (words.size() < 4) fail(shown, at, "a face needs at least three vertices");
        std::vector<std::size_t> corners;
        for (std::size_t k = 1; k < words.size(); ++k)
            corners.push_back(vertex_index(words[k], vertices.size(), shown, at));
        for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
            for (const std::size_t c : {corners[0], corners[k], corners[k + 1]})
                sizes.insert(sizes.end(), vertices[c].begin(), vertices[c].end());
            if (!has_area(sizes)) fail(shown, at, no_area(sizes));
        }
    }
    return sizes;
}

std::string extension_of(const std::string& path) {
    const auto dot = path.rfind('.');
    std::string ending = dot == std::string::npos ? std::string() : path.substr(dot + 1);
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return ending;
}

}  // namespace

std::vector<double> read_mesh(const std::string& path, const std::string& shown) {
    std::ifstream file(path, std::ios::binary);
    if (!file || !std::filesystem::is_regular_file(path)) throw IoError(shown + ": cannot be opened as a file");
    const std::string content{std::istreambuf_iterator<char>(file), {}};
    const std::string ending = extension_of(path);
    if (ending != "stl" && ending != "obj")
        throw InputError(shown + ": not a mesh that can be read; give a .stl or .obj file");
    const std::vector<double> sizes = ending == "stl" ? read_stl(content, shown) : read_obj(content, shown);
    if (sizes.empty()) throw InputError(shown + ": there are no triangles in this file");
    return sizes;
}

}  // namespace talus::scene
