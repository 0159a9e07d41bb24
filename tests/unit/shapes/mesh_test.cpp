// Triangle meshes: shared corners and edges, and what is near.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "shapes/mesh.h"
#include "shapes/shape_registry.h"
#include "talus/error.h"

namespace talus {
namespace {

/// A wavy sheet of n x n squares, two triangles each.
std::vector<double> sheet(int n) {
    std::vector<double> s;
    const auto add = [&](int i, int j) {
        s.insert(s.end(), {1.0 * i, 1.0 * j, std::sin(0.7 * i) * std::cos(0.4 * j)});
    };
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            add(i, j), add(i + 1, j), add(i + 1, j + 1);
            add(i, j), add(i + 1, j + 1), add(i, j + 1);
        }
    return s;
}

TEST(Mesh, KnowsSharedCornersAndNeighbours) {
    const TriangleMesh mesh(sheet(7));
    EXPECT_EQ(mesh.vertices().size(), 64u);
    EXPECT_EQ(mesh.triangles().size(), 98u);
    int free = 0;
    for (std::size_t t = 0; t < mesh.triangles().size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const std::int32_t other = mesh.triangles()[t].neighbour[static_cast<std::size_t>(k)];
            if (other < 0) {
                ++free;
                continue;
            }
            const auto& back = mesh.triangles()[static_cast<std::size_t>(other)].neighbour;
            EXPECT_TRUE(std::find(back.begin(), back.end(), static_cast<std::int32_t>(t)) != back.end());
        }
    EXPECT_EQ(free, 28);  // the rim of the sheet
    std::size_t corners = 0;
    for (std::int32_t v = 0; v < 64; ++v) corners += mesh.around(v).size();
    EXPECT_EQ(corners, 3u * 98u);
}

TEST(Mesh, CornersThatNearlyMeetAreOne) {
    std::vector<double> s = sheet(3);
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += 1e-12 * static_cast<double>(k % 7);
    EXPECT_EQ(TriangleMesh(s).vertices().size(), 16u);
}

TEST(Mesh, TreeFindsWhatALookAtEveryTriangleFinds) {
    const TriangleMesh mesh(sheet(20));
    std::mt19937_64 bits(5);
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53;
    };
    for (int trial = 0; trial < 300; ++trial) {
        const Vec<3> x(uniform(-3, 23), uniform(-3, 23), uniform(-3, 3));
        double least = 1e300;
        for (std::int32_t k = 0; k < 800; ++k) least = std::min(least, (x - mesh.nearest(k, x)).norm());
        const double r = uniform(0.0, 2.0);
        EXPECT_NEAR(mesh.clearance(x, r), least - r, 1e-13);
        UprightBox box;
        box.add(x - Vec<3>::Constant(r));
        box.add(x + Vec<3>::Constant(r));
        std::set<std::int32_t> found;
        mesh.for_each_near(box, [&](std::int32_t k) { EXPECT_TRUE(found.insert(k).second); });
        for (std::int32_t k = 0; k < 800; ++k)
            EXPECT_TRUE((x - mesh.nearest(k, x)).norm() > r || found.count(k) == 1) << k;
    }
}

TEST(Mesh, RefusesTrianglesWithoutArea) {
    std::vector<double> s = sheet(2);
    for (int k = 0; k < 3; ++k) s[18 + static_cast<std::size_t>(k)] = s[21 + static_cast<std::size_t>(k)];
    try {
        shape_registry().check({"mesh", s}, 3);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("triangle 3"), std::string::npos) << e.what();
    }
    EXPECT_THROW(TriangleMesh{s}, InputError);
    EXPECT_THROW(shape_registry().check({"mesh", {1.0, 2.0}}, 3), InputError);
    EXPECT_THROW(shape_registry().check({"mesh", sheet(1)}, 2), InputError);
    EXPECT_NO_THROW(shape_registry().check({"mesh", sheet(2)}, 3));
}

}  // namespace
}  // namespace talus
