// Pages of run files whose names try to be markup.

#include "view/page.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "unit/record/synthetic_run.h"
#include "view/album.h"

namespace talus::view {
namespace {

using namespace record::testing;

std::string read_all(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

/// A run of frames 0 to `last` whose title and material names are hostile.
template <int Dim>
void write_hostile(const std::string& path, int last = 3) {
    auto head = header();
    head.scene_name = "</script><script>alert(1)</script>";
    head.scene_text = "title: \"</script><img src=x onerror=alert(2)>\"\n";
    auto first = snapshot<Dim>(0);
    first.material_names = {"<b>grain</b>", "]]><!--<script>"};
    auto writer = record::RunWriter<Dim>::create(path, head, {{}, true, true, 40}, first);
    write_run(writer, 0, last);
    writer.finish(record::kFinished, 1.5, "", "");
}

TEST(Page, NamesCannotLeaveTheirElement) {
    if (!has_viewer()) GTEST_SKIP() << "built without the viewer";
    TemporaryFolder folder;
    write_hostile<2>(folder.file("run.h5"));
    write_page(folder.file("run.h5"), folder.file("page.html"));
    const std::string page = read_all(folder.file("page.html"));
    EXPECT_EQ(count_of(page, "<script>"), 1u);        // the viewer's own
    EXPECT_EQ(count_of(page, "<img"), 0u);
    EXPECT_EQ(count_of(page, "<b>grain"), 0u);
    EXPECT_EQ(count_of(page, "<!--<script"), 0u);
    EXPECT_NE(page.find("script-src 'sha256-" + std::string(assets().script_hash)), std::string::npos);
    EXPECT_NE(page.find("connect-src 'none'"), std::string::npos);
}

TEST(Page, EveryFrameIsInAPageThatHasRoom) {
    if (!has_viewer()) GTEST_SKIP() << "built without the viewer";
    TemporaryFolder folder;
    write_hostile<3>(folder.file("run.h5"));
    const std::string notes = write_page(folder.file("run.h5"), folder.file("page.html"));
    EXPECT_EQ(notes.find("frames"), std::string::npos) << notes;
    EXPECT_NE(notes.find("Numbers are rounded"), std::string::npos) << notes;
    const std::string page = read_all(folder.file("page.html"));
    EXPECT_EQ(count_of(page, "\"slot\":"), 4u);
}

TEST(Page, WhatIsLeftOutIsTold) {
    if (!has_viewer()) GTEST_SKIP() << "built without the viewer";
    TemporaryFolder folder;
    write_hostile<3>(folder.file("run.h5"), 60);
    const std::string notes = write_page(folder.file("run.h5"), folder.file("page.html"), {1});
    // Whatever is asked for, a page has room for one frame; of 61 frames of numbers without order most must go.
    EXPECT_NE(notes.find("of 61 frames are in this page"), std::string::npos) << notes;
    EXPECT_NE(read_all(folder.file("page.html")).find("talus view on the run file shows all of it"), std::string::npos);
}

TEST(Album, ColumnsHaveARowForEveryBodyAndContact) {
    TemporaryFolder folder;
    write_hostile<3>(folder.file("run.h5"));
    const Album album(folder.file("run.h5"));
    Detail detail;
    detail.exact = true;
    const FrameColumns frame = album.columns(1, detail);
    const auto expected = snapshot<3>(1);
    EXPECT_EQ(frame.bodies, expected.size());
    EXPECT_EQ(frame.contacts, expected.contacts.size());
    for (const Column& column : frame.columns) {
        const std::size_t rows = column.owner == Owner::bodies ? frame.bodies : column.owner == Owner::contacts ? frame.contacts : frame.sums;
        EXPECT_EQ(column.values.size(), rows * static_cast<std::size_t>(column.components)) << column.name;
        if (column.name != "force") continue;
        for (std::size_t k = 0; k < rows; ++k)
            for (std::size_t c = 0; c < 3; ++c) EXPECT_DOUBLE_EQ(column.values[3 * k + c], expected.contacts[k].impulse[static_cast<int>(c)] / expected.h);
    }
    EXPECT_THROW((void)album.columns(99, detail), IoError);
}

}  // namespace
}  // namespace talus::view
