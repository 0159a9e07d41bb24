// The tree of a YAML file: places, repeated keys, aliases, and the canonical text.
#include "scene/document.h"

#include <gtest/gtest.h>

#include "scene/reader.h"
#include "talus/error.h"

namespace talus::scene {
namespace {

Node parse(const std::string& text) {
    Diagnostics errors;
    Node root = parse_yaml(text, "f.yaml", errors);
    errors.raise();
    return root;
}

TEST(Document, every_node_and_key_knows_line_and_column_from_one) {
    const Node root = parse("a: 1\nb:\n  - c: {d: x}\n");
    EXPECT_EQ(root.key_marks[1].text(), "f.yaml:2:1");
    const Node& inner = *root.find("b")->items[0].find("c");
    EXPECT_EQ(inner.mark.text(), "f.yaml:3:8");
    EXPECT_EQ(inner.find("d")->mark.text(), "f.yaml:3:12");
}

TEST(Document, an_alias_is_a_copy_placed_where_it_is_used) {
    const Node root = parse("a: &x {k: 5}\nb: *x\n");
    EXPECT_EQ(root.find("b")->find("k")->text, "5");
    EXPECT_EQ(root.find("b")->mark.line, 2);
}

TEST(Document, aliases_that_grow_without_bound_are_refused) {
    std::string text = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (int i = 1; i < 9; ++i) {
        const std::string before = "*a" + std::to_string(i - 1);
        text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
        for (int k = 0; k < 9; ++k) text += ", " + before;
        text += "]\n";
    }
    EXPECT_THROW((void)parse(text), InputError);
}

TEST(Document, canonical_text_gives_the_same_tree_and_the_same_text) {
    const std::string text =
        "t: 'a: b'\nn: [1, [2, 3]]\nm: {}\nlist: [{name: x, v: [.inf, -1e-3]}, {name: \"1\"}]\nempty:\n";
    const std::string once = emit_yaml(parse(text));
    EXPECT_EQ(emit_yaml(parse(once)), once);
    const Node again = parse(once);
    EXPECT_EQ(again.find("t")->text, "a: b");
    EXPECT_TRUE(again.find("empty")->is_null());
    EXPECT_TRUE(again.find("list")->items[1].find("name")->quoted);
    EXPECT_EQ(again.find("list")->items[0].find("v")->items[1].text, "-1e-3");
}

TEST(Document, numbers_are_those_of_yaml_1_2) {
    const auto is_number = [](const std::string& text) {
        Node node;
        node.kind = Node::Kind::scalar;
        node.text = text;
        return looks_like_number(node);
    };
    for (const auto* good : {"1", "-1", "+2.5", ".5", "1e-3", "1E5", ".inf", "-.inf", ".nan"})
        EXPECT_TRUE(is_number(good)) << good;
    for (const auto* bad : {"", "inf", "nan", "1 cm", "0x", "1e", "--1", "1,5", "e5", "-"})
        EXPECT_FALSE(is_number(bad)) << bad;
}

TEST(Nearest, finds_misspellings_and_leaves_other_words_alone) {
    const std::vector<std::string> known = {"friction", "restitution", "density", "x"};
    EXPECT_EQ(nearest("frictoin", known), "friction");  // two letters swapped
    EXPECT_EQ(nearest("densty", known), "density");
    EXPECT_EQ(nearest("temperature", known), "");
    EXPECT_EQ(nearest("z", known), "");  // one letter is no misspelling of another
}

}  // namespace
}  // namespace talus::scene
