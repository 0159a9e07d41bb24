// Polygons from their points: either way round, convex, once around.
#include <gtest/gtest.h>

#include "shapes/solids.h"
#include "talus/error.h"

namespace talus {
namespace {

std::string complaint(std::vector<double> sizes) {
    try {
        (void)solid_of<2>({"polygon", std::move(sizes)});
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST(Polygon, EitherOrientationGivesTheSameSolid) {
    const Solid<2> left = solid_of<2>({"polygon", {0, 0, 2, 0, 2, 1, 0, 1}});
    const Solid<2> right = solid_of<2>({"polygon", {0, 1, 2, 1, 2, 0, 0, 0}});
    EXPECT_NEAR(left.mass.volume, 2.0, 1e-15);
    EXPECT_NEAR(right.mass.volume, 2.0, 1e-15);
    for (const Solid<2>* s : {&left, &right}) {
        const Polytope<2>& p = s->pieces[0].polytope;
        ASSERT_EQ(p.normals.size(), 4u);
        for (std::size_t k = 0; k < 4; ++k) EXPECT_LT(p.normals[k].dot(Vec<2>(1, 0.5) - p.vertices[k]), 0.0);
    }
}

TEST(Polygon, ComplaintsSayWhichPointIsWrong) {
    EXPECT_NE(complaint({0, 0, 1, 0}).find("at least 3 points, not 2"), std::string::npos);
    EXPECT_NE(complaint({0, 0, 1, 0, 1}).find("pairs"), std::string::npos);
    EXPECT_NE(complaint({0, 0, 2, 0, 1, 0.2, 2, 2, 0, 2}).find("point 3"), std::string::npos);
    EXPECT_NE(complaint({0, 0, 2, 0, 1, 0.2, 2, 2, 0, 2}).find("not convex"), std::string::npos);
    EXPECT_NE(complaint({0, 2, 2, 2, 1, 0.2, 2, 0, 0, 0}).find("point 3"), std::string::npos);
    EXPECT_NE(complaint({0, 0, 1, 0, 1, 0, 0, 1}).find("repeats point 2"), std::string::npos);
    EXPECT_NE(complaint({0, 0, 1, 0, 2, 0, 0, 1}).find("point 2"), std::string::npos);
    EXPECT_NE(complaint({0, 0, 1, NAN, 2, 0}).find("finite"), std::string::npos);
    // A five-pointed star turns the same way at every point, but goes twice around.
    std::vector<double> star;
    for (int k = 0; k < 5; ++k) star.insert(star.end(), {std::cos(k * 0.8 * M_PI), std::sin(k * 0.8 * M_PI)});
    EXPECT_NE(complaint(star).find("2 times around"), std::string::npos);
    for (const double turn : {0.0, 0.3, 1.7}) {
        std::vector<double> regular;
        for (int k = 0; k < 7; ++k) regular.insert(regular.end(), {std::cos(turn + k * 2 * M_PI / 7), std::sin(turn + k * 2 * M_PI / 7)});
        EXPECT_EQ(complaint(regular), "");
    }
}

TEST(Polygon, CentredHasItsCentreOfMassAtTheOrigin) {
    const CentredShape<2> c = centred<2>({"polygon", {0, 0, 3, 0, 0, 3}});
    EXPECT_LT((c.centre - Vec<2>(1, 1)).norm(), 1e-15);
    EXPECT_EQ(c.turn.angle, 0.0);
    EXPECT_NEAR(c.volume, 4.5, 1e-15);
    EXPECT_LT(solid_of<2>(c.spec).mass.centre.norm(), 1e-15);
    EXPECT_NEAR(c.bound, std::sqrt(5.0), 1e-14);
    const CentredShape<2> again = centred<2>(c.spec);
    EXPECT_EQ(again.spec.sizes, c.spec.sizes);
}

TEST(Polygon, FlatPiecesHaveNoMass) {
    EXPECT_TRUE(has_pieces<2>({"segment", {2}}));
    EXPECT_FALSE(has_pieces<3>({"segment", {2}}));
    EXPECT_FALSE(has_pieces<2>({"plane", {0, 1}}));
    EXPECT_EQ(solid_of<2>({"segment", {2}}).mass.volume, 0.0);
    EXPECT_EQ(solid_of<3>({"plate", {2, 1}}).mass.volume, 0.0);
    EXPECT_EQ(solid_of<3>({"plate", {2, 1}}).pieces[0].polytope.faces.size(), 2u);
    EXPECT_THROW((void)solid_of<2>({"plane", {0, 1}}), InputError);
}

}  // namespace
}  // namespace talus
