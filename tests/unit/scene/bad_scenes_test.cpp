// Every broken scene of tests/system/bad_scenes gets exactly the message that stands beside it. A line that
// ends in `...` may go on: it lists members of an open set, which grow without this test.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "scene_helpers.h"

namespace talus::scene::testing {
namespace {

std::vector<std::filesystem::path> bad_scenes() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "tests/system/bad_scenes"))
        if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) out.push_back(line);
    return out;
}

class BadScene : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadScene, gets_exactly_the_expected_message) {
    const auto path = GetParam();
    std::string said;
    try {
        (void)load_scene_text(content(path), path.filename().string(), path.parent_path().string());
        FAIL() << path.filename() << " was accepted";
    } catch (const InputError& e) {
        said = e.what();
    }
    const auto wanted = lines(content(std::filesystem::path(path).replace_extension(".expected")));
    const auto got = lines(said);
    ASSERT_EQ(got.size(), wanted.size()) << said;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (wanted[i].ends_with("...")) {
            EXPECT_TRUE(got[i].starts_with(wanted[i].substr(0, wanted[i].size() - 3))) << got[i];
        } else {
            EXPECT_EQ(got[i], wanted[i]);
        }
    }
}

TEST_P(BadScene, is_told_where_and_what_to_write) {
    const auto path = GetParam();
    for (const auto& line : lines(content(std::filesystem::path(path).replace_extension(".expected")))) {
        EXPECT_TRUE(line.starts_with(path.filename().string() + ":")) << line;
        EXPECT_NE(line.find("; "), std::string::npos) << line;
    }
}

INSTANTIATE_TEST_SUITE_P(all, BadScene, ::testing::ValuesIn(bad_scenes()),
                         [](const auto& one) { return one.param.stem().string(); });

TEST(BadScenes, are_at_least_fifty) { EXPECT_GE(bad_scenes().size(), 50u); }

}  // namespace
}  // namespace talus::scene::testing
