// The scenes of good_scenes use every key of the language. They load, run, and resume to the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "scene/summary.h"
#include "scene_helpers.h"

namespace talus::scene::testing {
namespace {

std::vector<std::filesystem::path> good_scenes() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "tests/system/good_scenes"))
        if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

template <int Dim>
void advance(Simulation<Dim>& simulation, int steps) {
    for (int i = 0; i < steps && !simulation.finished(); ++i) (void)simulation.advance();
}

template <int Dim>
void expect_same_after_resume(const Scene& scene, int before, int after) {
    Simulation<Dim> whole(scene);
    advance(whole, before);
    const auto bytes = whole.checkpoint();
    advance(whole, after);

    Simulation<Dim> resumed(scene);
    resumed.restore(bytes);
    advance(resumed, after);
    EXPECT_EQ(whole.world().hash(), resumed.world().hash()) << "stopped after step " << before;
    EXPECT_EQ(whole.world().time(), resumed.world().time());
    EXPECT_EQ(whole.world().size(), resumed.world().size());
    EXPECT_EQ(whole.stage(), resumed.stage());
    EXPECT_EQ(whole.finished(), resumed.finished());
    EXPECT_EQ(whole.counts().emitted, resumed.counts().emitted);
    EXPECT_EQ(whole.counts().removed, resumed.counts().removed);
    EXPECT_EQ(whole.counts().frozen, resumed.counts().frozen);
    EXPECT_EQ(whole.checkpoint(), resumed.checkpoint());
}

class GoodScene : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(GoodScene, resumes_to_the_same_bits) {
    const Scene scene = load_scene(GetParam().string());
    for (const int stop : {0, 37, 120}) {
        if (scene.dimension == 2) {
            expect_same_after_resume<2>(scene, stop, 60);
        } else {
            expect_same_after_resume<3>(scene, stop, 60);
        }
    }
}

TEST_P(GoodScene, reads_the_same_from_its_canonical_text) {
    const auto path = GetParam();
    const Scene first = load_scene(path.string(), {{"title", "another"}});
    const Scene second = load_scene_text(first.text, path.string(), path.parent_path().string());
    EXPECT_EQ(second.title, "another");
    EXPECT_EQ(to_json(summary(first)), to_json(summary(second)));
    ASSERT_EQ(first.grains.size(), second.grains.size());
    for (std::size_t i = 0; i < first.grains.size(); ++i) EXPECT_EQ(first.grains[i].position, second.grains[i].position);
}

std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Gallery, every_scene_is_accepted) {
    int scenes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / "gallery")) {
        const auto& path = entry.path();
        if (path.extension() != ".yaml" || path.filename() == "expect.yaml" || ("\n" + content(path)).find("\ntalus:") == std::string::npos) continue;
        ++scenes;
        EXPECT_NO_THROW((void)load_scene(path.string())) << path;
    }
    EXPECT_GT(scenes, 0);
}

TEST(Documentation, its_whole_scenes_are_accepted) {
    const std::string text = content(source_dir() / "docs/scene.md"), begin = "```yaml\ntalus:";
    int scenes = 0;
    for (auto at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
        const auto first = at + 8, last = text.find("```", first);
        ++scenes;
        EXPECT_NO_THROW((void)read(text.substr(first, last - first)));
    }
    EXPECT_GT(scenes, 0);
}

INSTANTIATE_TEST_SUITE_P(all, GoodScene, ::testing::ValuesIn(good_scenes()),
                         [](const auto& one) { return one.param.stem().string(); });

}  // namespace
}  // namespace talus::scene::testing
