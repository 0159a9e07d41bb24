// What pairs remember saves work and changes nothing: contacts and states are the same, to the bit, as without it.
#include "detect/narrow/manifold.h"
#include "detect/narrow/memories.h"

#include "../../determinism/scenes.h"
#include "shapes/solids.h"

namespace talus::test {
namespace {

Mat<2> turn_of(const Spin<2>& w) { return Eigen::Rotation2Dd(w[0]).toRotationMatrix(); }
Mat<3> turn_of(const Spin<3>& w) { return Eigen::AngleAxisd(w.norm(), w.norm() > 0.0 ? Vec<3>(w.normalized()) : Vec<3>(Vec<3>::UnitX())).toRotationMatrix(); }

/// Corners on the unit circle at random, by turns regular, so that faces lie on faces; sometimes rounded, a capsule or a ball.
Polytope<2> random_core(Random& random, InPlane) {
    const int kind = random.below(8), n = 3 + random.below(6);
    const double radius = kind % 3 == 0 ? random.uniform(0.05, 0.3) : 0.0;
    if (kind == 6) return point_core(Vec<2>(0.1, 0.2), 0.5);
    if (kind == 7) return segment_core(Vec<2>(-0.8, 0.0), Vec<2>(0.8, 0.0), radius);
    std::vector<Vec<2>> points;
    for (int k = 0; k < n; ++k) points.push_back(turn_of(Spin<2>((k + (kind % 2) * random.uniform(0.0, 0.8)) * 2.0 * M_PI / n)) * Vec<2>(1, 0));
    return polygon_of(points, radius);
}
Polytope<3> random_core(Random& random, InSpace) {
    const int kind = random.below(6);
    if (kind == 0) return box_core({1.0, 1.3, 0.8});
    if (kind == 1) return segment_core(Vec<3>(-0.8, 0, 0), Vec<3>(0.8, 0, 0), 0.3);
    std::vector<Vec<3>> points;
    for (int k = 0; k < 6 + 2 * kind; ++k) points.push_back(random.direction<3>());
    return hull_of(points, kind == 2 ? 0.1 : 0.0);
}

template <int Dim>
void expect_same(const Manifold<Dim>& with, const Manifold<Dim>& without, const std::string& where) {
    ASSERT_EQ(with.count, without.count) << where;
    for (int k = 0; k < with.count; ++k) {
        const ManifoldPoint<Dim>&p = with.points[k], &q = without.points[k];
        ASSERT_TRUE(p.point == q.point && p.normal == q.normal && p.gap == q.gap && p.feature == q.feature) << where;
    }
}

template <class D>
class WhatPairsRemember : public ::testing::Test {};
TYPED_TEST_SUITE(WhatPairsRemember, BothDimensions);

/// A pair drifts and turns about contact, slowly or in leaps; the memory is of every age.
TYPED_TEST(WhatPairsRemember, GivesTheSameContacts) {
    constexpr int Dim = TypeParam::value;
    Random random(21);
    long touching = 0, apart = 0;
    for (int trial = 0; trial < (Dim == 2 ? 3000 : 400); ++trial) {
        const Polytope<Dim> a = random_core(random, TypeParam{}), b = random_core(random, TypeParam{});
        const double pace = std::pow(10.0, random.uniform(-6.0, -0.5)), limit = random.below(2) * random.uniform(0.0, 0.1);
        Pose<Dim> pose{turn_of(random.spin<Dim>(trial % 3 == 0 ? 0.0 : 3.0)), random.uniform(0.8, 2.2) * random.direction<Dim>()};
        PairMemory<Dim> memory;
        Vec<Dim> last = Vec<Dim>::Zero();
        Vec<Dim> drift = random.direction<Dim>();
        for (int step = 0; step < 60; ++step) {
            Manifold<Dim> with, without;
            touch_polytopes(a, pose, b, {limit, last, &memory}, with);
            touch_polytopes(a, pose, b, {limit, last}, without);
            expect_same(with, without, "trial " + std::to_string(trial) + ", step " + std::to_string(step));
            ++(without.count > 0 ? touching : apart);
            last = without.count > 0 ? without.points[0].normal : Vec<Dim>(Vec<Dim>::Zero());
            // Back when it has gone far.
            if (random.below(10) == 0) drift = (random.direction<Dim>() - 0.3 * (pose.translation.norm() - 1.5) * pose.translation).normalized();
            pose.translation += pace * random.uniform(0.0, 1.0) * drift;
            pose.rotation = turn_of(Spin<Dim>(pace * random.spin<Dim>(1.0))) * pose.rotation;
        }
    }
    EXPECT_GT(touching, 1000);   // both sorts are met often
    EXPECT_GT(apart, 1000);
}

/// Polygons lie on one another, slide and rock slowly, so that corners come to ends and edges cease to face each other: as long as contacts are
/// written by the edges remembered, they are those that a search finds.
TEST(WhatPolygonsRemember, ContactsAreWrittenAgainByTheSameEdges) {
    Random random(33);
    long again = 0, searched = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const Polytope<2> a = random_core(random, InPlane{}), b = random_core(random, InPlane{});
        if (a.normals.empty() || b.normals.empty()) continue;
        // An edge of a on an edge of b, a little deep, a little oblique.
        const int on = random.below(static_cast<int>(b.normals.size())), by = random.below(static_cast<int>(a.normals.size()));
        const double angle_b = std::atan2(b.normals[on][1], b.normals[on][0]), angle_a = std::atan2(a.normals[by][1], a.normals[by][0]);
        const double pace = std::pow(10.0, random.uniform(-7.0, -2.0));
        Pose<2> pose{turn_of(Spin<2>(angle_b - angle_a + M_PI + random.uniform(-0.02, 0.02))), Vec<2>::Zero()};
        const Vec<2> along(-b.normals[on][1], b.normals[on][0]);
        pose.translation = b.vertices[on] + random.uniform(0.0, 1.0) * along - pose.rotation * a.vertices[by] +
                           (a.radius + b.radius + random.uniform(-0.02, 0.001)) * b.normals[on];
        PairMemory<2> memory;
        Vec<2> last = Vec<2>::Zero(), drift = random.direction<2>();
        for (int step = 0; step < 80; ++step) {
            const double limit = random.below(2) * random.uniform(0.0, 0.01), room = memory.again.room;
            const Vec<2> turn = memory.again.turn, translation = memory.again.translation;
            Manifold<2> with, without;
            touch_polytopes(a, pose, b, {limit, last, &memory}, with);
            touch_polytopes(a, pose, b, {limit, last}, without);
            expect_same(with, without, "trial " + std::to_string(trial) + ", step " + std::to_string(step));
            const bool same = room > 0.0 && memory.again.room == room && memory.again.turn == turn && memory.again.translation == translation;
            if (without.count > 0) ++(same ? again : searched);
            last = without.count > 0 ? without.points[0].normal : Vec<2>(Vec<2>::Zero());
            if (random.below(20) == 0) drift = random.direction<2>();
            pose.translation += pace * drift;
            pose.rotation = turn_of(Spin<2>(pace * random.uniform(-1.0, 1.0))) * pose.rotation;
        }
    }
    EXPECT_GT(again, 20000);   // both sorts are met often
    EXPECT_GT(searched, 20000);
}

/// How a is placed so that a corner lies on a face, an edge across an edge or a face on a face, a little deep or above it.
struct MeetingParts {
    const Polytope<3>&a, &b;
    Random& random;

    [[nodiscard]] double rise() const { return a.radius + b.radius + random.uniform(-0.01, 0.001); }
    [[nodiscard]] const Polytope<3>::Face& any_face(const Polytope<3>& p) const { return p.faces[static_cast<std::size_t>(random.below(static_cast<int>(p.faces.size())))]; }
    [[nodiscard]] Vec<3> place_on(const Polytope<3>& p, const Polytope<3>::Face& face) const {
        Vec<3> foot = Vec<3>::Zero();
        double sum = 0.0;
        for (int k = 0; k < face.count; ++k) {
            const double weight = random.uniform(0.0, 1.0);
            foot += weight * p.vertices[p.loops[face.first + k]];
            sum += weight;
        }
        return foot / sum;
    }
    [[nodiscard]] Pose<3> corner_on_face(bool of_a) const {
        const Polytope<3>&own = of_a ? a : b, &other = of_a ? b : a;
        const auto& face = any_face(own);
        const Mat<3> turn = turn_of(random.spin<3>(3.0));
        const Vec<3> down = turn.transpose() * face.normal;
        const auto lowest = *std::min_element(other.vertices.begin(), other.vertices.end(), [&](const auto& x, const auto& y) { return x.dot(down) < y.dot(down); });
        const Vec<3> shift = place_on(own, face) - turn * lowest + rise() * face.normal;
        return of_a ? Pose<3>{turn.transpose(), -(turn.transpose() * shift)} : Pose<3>{turn, shift};
    }
    [[nodiscard]] Pose<3> face_on_face() const {
        const auto &fa = any_face(a), &fb = any_face(b);
        const Mat<3> opposite = Eigen::Quaterniond::FromTwoVectors(fa.normal, -fb.normal).normalized().toRotationMatrix();
        const Mat<3> tilt = turn_of(Spin<3>(std::pow(10.0, random.uniform(-7.0, -1.0)) * random.spin<3>(1.0)));
        const Mat<3> turn = tilt * Eigen::AngleAxisd(random.uniform(0.0, 6.0), fb.normal).toRotationMatrix() * opposite;
        return {turn, place_on(b, fb) - turn * place_on(a, fa) + rise() * fb.normal};
    }
    /// Middle of the normals of the faces beside an edge.
    [[nodiscard]] static Vec<3> outward(const Polytope<3>& p, const Polytope<3>::Edge& e) { return (p.faces[e.left].normal + p.faces[e.right].normal).normalized(); }
    [[nodiscard]] Pose<3> edge_on_edge() const {
        const auto &ea = a.edges[static_cast<std::size_t>(random.below(static_cast<int>(a.edges.size())))], &eb = b.edges[static_cast<std::size_t>(random.below(static_cast<int>(b.edges.size())))];
        const Vec<3> up = outward(b, eb), down = outward(a, ea);
        const Mat<3> opposite = Eigen::Quaterniond::FromTwoVectors(down, -up).normalized().toRotationMatrix();
        const Mat<3> turn = Eigen::AngleAxisd(random.uniform(0.0, 6.0), up).toRotationMatrix() * turn_of(random.spin<3>(0.2)) * opposite;
        const auto place = [&](const Polytope<3>& p, const Polytope<3>::Edge& e) { return Vec<3>(p.vertices[e.from] + random.uniform(0.0, 1.0) * (p.vertices[e.to] - p.vertices[e.from])); };
        const Vec<3> x = place(a, ea), y = place(b, eb), along = (turn * (a.vertices[ea.to] - a.vertices[ea.from])).cross(b.vertices[eb.to] - b.vertices[eb.from]).normalized();
        return {turn, y - turn * x + rise() * (along.dot(up) < 0.0 ? Vec<3>(-along) : along)};
    }
};

/// A corner lies on a face, an edge across an edge or a face on a face, in their middles or near their ends; the bodies rock, slide and turn until other parts
/// meet. With faces in one plane, nearly so, or not.
TEST(WhatPolyhedraRemember, PartsThatMeetAreAllThereIsOnlyWhereASearchSaysSo) {
    Random random(34);
    using Met = PairMemory<3>::Met;
    std::array<long, 6> certain{};   // by kind: what was certain before is so still
    long chosen = 0, faces = 0;      // of these, faces chosen before edges; edges with a face that may be about to meet
    long cut_again = 0;              // faces cut as they were before, with corners made
    for (int trial = 0; trial < 16000; ++trial) {
        Polytope<3> a = random_core(random, InSpace{}), b = random_core(random, InSpace{});
        if (a.faces.empty() || b.faces.empty()) continue;
        for (Polytope<3>* p : {&a, &b}) {
            std::vector<Vec<3>> points = p->vertices;
            if (trial % 4 == 0) {   // a corner pulled out a little makes faces that are nearly parallel
                const auto& loop = p->faces.front();
                Vec<3> middle = Vec<3>::Zero();
                for (int k = 0; k < loop.count; ++k) middle += p->vertices[p->loops[loop.first + k]] / loop.count;
                points.push_back(middle + std::pow(10.0, random.uniform(-7.0, -1.5)) * loop.normal);
            }
            if (trial % 4 == 1)     // thin ones
                for (Vec<3>& x : points) x[2] *= 0.01;
            *p = hull_of(points, p->radius);
        }
        const MeetingParts parts{a, b, random};
        const int how = random.below(5);
        Pose<3> pose = how < 2 ? parts.corner_on_face(how == 0) : how == 2 ? parts.edge_on_edge() : parts.face_on_face();
        const double pace = std::pow(10.0, random.uniform(-6.0, -1.0)), strays = random.below(3);
        PairMemory<3> memory;
        Vec<3> last = Vec<3>::Zero(), drift = random.direction<3>();
        for (int step = 0; step < 40; ++step) {
            const double limit = random.below(2) * random.uniform(0.0, 0.01);
            const Met met = memory.met;
            const auto cut = memory.cut;
            Manifold<3> with, without;
            touch_polytopes(a, pose, b, {limit, last, &memory}, with);
            touch_polytopes(a, pose, b, {limit, last}, without);
            expect_same(with, without, "trial " + std::to_string(trial) + ", step " + std::to_string(step));
            if (without.count > 0 && memory.met.room > 0.0f && memory.met.room == met.room && memory.met.pose.turn == met.pose.turn && memory.met.kind == met.kind) {
                ++certain[static_cast<std::size_t>(met.kind)];
                chosen += met.edge_a >= 0;
                faces += met.kind == Met::Kind::edges && limit > 0.0 && met.face >= 0;
                cut_again += met.kind >= Met::Kind::on_face_of_b && cut.room > 0.0f && cut.room == memory.cut.room && cut.made > 0;
            }
            last = without.count > 0 ? without.points[0].normal : Vec<3>(Vec<3>::Zero());
            if (random.below(8) < strays) last = b.faces[static_cast<std::size_t>(random.below(static_cast<int>(b.faces.size())))].normal;
            if (random.below(8) == 0) drift = (random.direction<3>() - 0.3 * (pose.translation.norm() - 1.2) * pose.translation).normalized();
            pose.translation += pace * random.uniform(0.0, 1.0) * drift;
            pose.rotation = turn_of(Spin<3>(pace * random.spin<3>(1.0))) * pose.rotation;
        }
    }
    for (std::size_t kind = 1; kind < certain.size(); ++kind) EXPECT_GT(certain[kind], 3000) << kind;   // all are met often
    EXPECT_GT(chosen, 1000);
    EXPECT_GT(faces, 1000);
    EXPECT_GT(cut_again, 3000);
}

Polytope<3> prism_of(int sides) {
    std::vector<Vec<3>> points;
    for (const double z : {-0.3, 0.3})
        for (int k = 0; k < sides; ++k) points.emplace_back(std::cos(2.0 * M_PI * k / sides), std::sin(2.0 * M_PI * k / sides), z);
    return hull_of(points, 0.0);
}

/// Prisms with as many corners as the memory has names for, with more, and with ends whose corners are all beyond these, with each other and with small solids.
TEST(WhatPolyhedraRemember, SolidsOfManyCornersMeetAsASearchSaysToo) {
    Random random(36);
    constexpr std::array<int, 5> sides = {96, 97, 128, 129, 300};
    std::vector<Polytope<3>> prisms;
    for (const int n : sides) prisms.push_back(prism_of(n));
    const Polytope<3> box = box_core({0.5, 0.6, 0.4});
    ASSERT_EQ(prisms.back().vertices.size(), 600u);
    const auto starts_late = [&](const auto& face) { return face.count == sides.back() && prisms.back().loops[static_cast<std::size_t>(face.first)] > 255; };
    ASSERT_TRUE(std::any_of(prisms.back().faces.begin(), prisms.back().faces.end(), starts_late));
    long certain = 0, cut = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const Polytope<3>& prism = prisms[static_cast<std::size_t>(trial) % prisms.size()];
        const int which = trial / 5 % 3;
        const Polytope<3>&a = which == 0 ? box : prism, &b = which == 1 ? box : prism;
        const MeetingParts parts{a, b, random};
        const int how = random.below(4);
        Pose<3> pose = how < 2 ? parts.corner_on_face(how == 0) : how == 2 ? parts.edge_on_edge() : parts.face_on_face();
        if (how < 3 && which < 2) {   // a corner or a face of the box over an end of the prism, on its rim as well
            const bool prism_is_a = which == 1;
            const double sign = random.below(2) == 0 ? 1.0 : -1.0, middle = random.below(2) == 0 ? 0.3 : 0.7;
            const Mat<3> turn = turn_of(random.spin<3>(how == 0 ? 3.0 : 1e-3));
            double lowest = 1.0;
            for (const Vec<3>& x : box.vertices) lowest = std::min(lowest, sign * (turn * x)[2]);
            const Vec<3> shift(random.uniform(-middle, middle), random.uniform(-middle, middle), sign * (0.3 - lowest - random.uniform(0.0, 1e-3)));
            pose = prism_is_a ? Pose<3>{turn.transpose(), -(turn.transpose() * shift)} : Pose<3>{turn, shift};
        }
        const double pace = std::pow(10.0, random.uniform(-6.0, -2.0));
        PairMemory<3> memory;
        Vec<3> last = Vec<3>::Zero();
        for (int step = 0; step < 20; ++step) {
            const double limit = random.below(2) * random.uniform(0.0, 0.01);
            Manifold<3> with, without;
            touch_polytopes(a, pose, b, {limit, last, &memory}, with);
            touch_polytopes(a, pose, b, {limit, last}, without);
            expect_same(with, without, "trial " + std::to_string(trial) + ", step " + std::to_string(step));
            certain += memory.met.room > 0.0f;
            cut += memory.cut.room > 0.0f;
            last = without.count > 0 ? without.points[0].normal : Vec<3>(Vec<3>::Zero());
            pose.translation += pace * random.uniform(0.0, 1.0) * random.direction<3>();
            pose.rotation = turn_of(Spin<3>(pace * random.spin<3>(1.0))) * pose.rotation;
        }
    }
    EXPECT_GT(certain, 1000);
    EXPECT_GT(cut, 300);
}

/// A box lies on a larger one, a little oblique, with a corner of its face near a side or a corner of the other, and slides and turns slowly past it: as long as
/// the face is cut as it was, the contacts are those that a search finds.
TEST(WhatPolyhedraRemember, FacesAreCutAgainOnlyWhileTheyAreCutInTheSameWay) {
    Random random(35);
    const Polytope<3> b = box_core({2.0, 2.2, 1.0});
    const auto half = [&b](int k) { return b.vertices[0].cwiseAbs()[k]; };
    long again = 0, made = 0;
    for (int trial = 0; trial < 8000; ++trial) {
        const Polytope<3> a = box_core({random.uniform(0.7, 1.3), random.uniform(0.7, 1.3), 0.8});
        const double pace = std::pow(10.0, random.uniform(-6.5, -3.0)), far = 20.0 * pace;
        Pose<3> pose;
        pose.rotation = turn_of(Spin<3>(std::pow(10.0, random.uniform(-5.0, -1.5)) * random.spin<3>(1.0))) * turn_of(Spin<3>(0.0, 0.0, random.uniform(0.0, 6.0)));
        // The corner of a that is put near a side of the upper face of b, or near a corner of it.
        const Vec<3>& corner = a.vertices[static_cast<std::size_t>(random.below(static_cast<int>(a.vertices.size())))];
        const bool by_corner = random.below(3) == 0;
        const Vec<3> place(half(0) + random.uniform(-far, far), by_corner ? half(1) + random.uniform(-far, far) : random.uniform(-1.0, 1.0) * half(1), 0.0);
        pose.translation = place - pose.rotation * corner;
        double lowest = 0.0;
        for (const Vec<3>& x : a.vertices) lowest = std::min(lowest, (pose.rotation * x)[2]);
        pose.translation[2] = half(2) - lowest + random.uniform(-3e-3, 1e-4);
        PairMemory<3> memory;
        Vec<3> last = Vec<3>::Zero(), drift = random.direction<3>();
        for (int step = 0; step < 60; ++step) {
            const double limit = random.below(2) * random.uniform(0.0, 0.02);
            const auto cut = memory.cut;
            Manifold<3> with, without;
            touch_polytopes(a, pose, b, {limit, last, &memory}, with);
            touch_polytopes(a, pose, b, {limit, last}, without);
            expect_same(with, without, "trial " + std::to_string(trial) + ", step " + std::to_string(step));
            if (without.count > 0 && cut.room > 0.0f && cut.room == memory.cut.room) ++(cut.made > 0 ? made : again);
            last = without.count > 0 ? without.points[0].normal : Vec<3>(Vec<3>::Zero());
            pose.translation += pace * random.uniform(0.0, 2.0) * Vec<3>(drift[0], drift[1], 0.01 * drift[2]);
            pose.rotation = turn_of(Spin<3>(pace * random.spin<3>(0.3))) * pose.rotation;
        }
    }
    EXPECT_GT(again, 3000);   // both sorts are met often
    EXPECT_GT(made, 10000);
}

/// Two grains as a list of one pair.
template <int Dim>
struct OnePair {
    Bodies<Dim> bodies;
    CandidateList<Dim> list;
    OnePair() {
        bodies.id = {1, 2};
        bodies.driven = {0, 0};
        bodies.position.assign(2, Vec<Dim>::Zero());
        for (int i = 0; i < 2; ++i) {
            bodies.glued_to.push_back(-1);
            list.order.push_back(i);
            list.rank.push_back(i);
        }
        list.grain_begin = {0, 1, 1};
        list.grains = {{1, -1}};
        list.edition = 1;
    }
};

/// Grains wander, together and apart, slowly or in leaps, round a cell that repeats; now and then the list is another one.
TYPED_TEST(WhatPairsRemember, PassesOverNoPairThatCounts) {
    constexpr int Dim = TypeParam::value;
    Random random(22);
    long passed_over = 0, counting = 0;
    Cell<Dim> cell;
    cell.any = cell.periodic[0] = true;
    cell.length[0] = 8.0;
    cell.inverse[0] = 1.0 / cell.length[0];
    for (int trial = 0; trial < (Dim == 2 ? 2000 : 400); ++trial) {
        const std::array<Polytope<Dim>, 2> core{random_core(random, TypeParam{}), random_core(random, TypeParam{})};
        const std::array<double, 2> arm{core[0].core.arm + core[0].radius, core[1].core.arm + core[1].radius};
        OnePair<Dim> pair;
        Memories<Dim> memories;
        std::array<Vec<Dim>, 2> x{Vec<Dim>::Zero(), random.uniform(1.0, 2.6) * random.direction<Dim>()};
        std::array<Mat<Dim>, 2> axes{turn_of(random.spin<Dim>(3.0)), turn_of(random.spin<Dim>(3.0))};
        const double pace = std::pow(10.0, random.uniform(-5.0, -0.5));
        for (int step = 0; step < 60; ++step) {
            if (random.below(20) == 0) ++pair.list.edition;
            memories.follow(pair.bodies, pair.list);
            const double near = random.uniform(0.0, 0.05);
            for (std::size_t i = 0; i < 2; ++i) memories.move(cell, i, x[i], axes[i], arm[i], near);
            const Vec<Dim> d = cell.nearest(x[0] - x[1]);
            const Mat<Dim> to_b = axes[1].transpose();
            Manifold<Dim> found;
            touch_polytopes(core[0], {to_b * axes[0], to_b * d}, core[1], {2.0 * near, Vec<Dim>::Zero()}, found);
            counting += found.count > 0;
            if (memories.are_apart(0, 0, 1)) {
                ++passed_over;
                ASSERT_EQ(found.count, 0) << "trial " << trial << ", step " << step;
            } else {
                memories.note_gap(0, 0, 1, d.norm() > arm[0] + arm[1] ? d.norm() - (arm[0] + arm[1]) : found.apart, arm[0] + arm[1]);
            }
            const Vec<Dim> common = pace * random.direction<Dim>();
            for (std::size_t i = 0; i < 2; ++i) {
                x[i] += common + pace * random.uniform(0.0, 1.0) * random.direction<Dim>();
                if (x[i][0] > 4.0) x[i][0] -= 8.0;
                axes[i] = turn_of(Spin<Dim>(pace * random.spin<Dim>(1.0))) * axes[i];
            }
        }
    }
    EXPECT_GT(passed_over, 5000);   // both sorts are met often
    EXPECT_GT(counting, 5000);
}

/// Solids that fall, by either rule, in a box or round a cell that repeats, with bodies that come, go, are held and let go.
template <int Dim>
Scene<Dim> busy(ContactRule rule, bool periodic, int count) {
    Settings<Dim> settings = everyday<Dim>(2e-3);
    settings.rule = rule;
    settings.solver.max_sweeps = 60;   // detection is judged, not convergence
    if (periodic) {
        settings.periodic[0] = true;
        settings.cell_low[0] = 0.0;
        settings.cell_high[0] = 3.0;
    }
    Scene<Dim> scene{Bench<Dim>(settings, {"coulomb", 0.4, 0.0, 0.0})};
    std::vector<double> sides(Dim, 3.0);
    sides.back() = 100.0;
    if (periodic) scene.bench.floor();
    else scene.bench.boundary({"box_inside", sides}, Vec<Dim>::Constant(1.5) + 48.5 * up<Dim>());
    const auto add = [](Bench<Dim>& bench, int i, const Vec<Dim>& at, Random& random) {
        BodySpec<Dim> spec;
        spec.shape = nth_solid(i, std::integral_constant<int, Dim>{});
        spec.position = at;
        spec.density = 1000.0;
        spec.material = bench.material;
        spec.velocity = random.vector<Dim>(-2.0, 2.0);
        spec.spin = random.spin<Dim>(5.0);
        bench.world.add_body(spec);
    };
    Random start(13);
    for (int i = 0; i < count; ++i) {
        Vec<Dim> c;
        int index = i;
        for (int k = 0; k + 1 < Dim; ++k, index /= 3) c[k] = 0.5 + index % 3;
        c[Dim - 1] = 0.6 + 0.8 * index;
        if (i % 5 == 4) scene.bench.ball(c, 0.3);
        else add(scene.bench, i, c, start);
    }
    scene.before_step = [add, count](Bench<Dim>& bench) {
        World<Dim>& w = bench.world;
        const auto step = static_cast<int>(w.steps());
        Random random(static_cast<std::uint64_t>(step) + 1);
        const BodyId some = w.ids()[1 + static_cast<std::size_t>(random.below(static_cast<int>(w.size()) - 1))];
        if (step % 60 == 20) add(bench, step / 60, Vec<Dim>(Vec<Dim>::Constant(1.5) + (0.4 * count) * up<Dim>()), random);
        if (step % 60 == 40) w.remove(std::vector<BodyId>{some});
        if (step % 50 == 25) w.set_velocity(some, random.vector<Dim>(-15.0, 15.0), random.spin<Dim>(30.0));
        if (step % 90 == 30) w.freeze(some);
        if (step % 90 == 60)
            for (std::size_t i = 1; i < w.size(); ++i)
                if (w.is_wall(i))
                    for (int k = 0; k < freedoms<Dim>; ++k) w.release(w.ids()[i], k);
    };
    return scene;
}

/// A world that is put back to its own checkpoint before every step has forgotten all.
TYPED_TEST(WhatPairsRemember, GivesTheSameStates) {
    constexpr int Dim = TypeParam::value;
    for (const ContactRule rule : {ContactRule::moreau, ContactRule::gap})
        for (const bool periodic : {false, true}) {
            const int count = Dim == 2 ? 20 : 18;
            Scene<Dim> remembers = busy<Dim>(rule, periodic, count), forgets = busy<Dim>(rule, periodic, count);
            std::int64_t contacts = 0;
            for (int step = 0; step < 400; ++step) {
                forgets.bench.world.restore(forgets.bench.world.checkpoint());
                contacts += remembers.advance().contacts;
                forgets.advance();
                ASSERT_EQ(remembers.bench.world.hash(), forgets.bench.world.hash()) << "step " << step << (periodic ? ", periodic" : "");
            }
            EXPECT_GT(contacts, 4000);   // they meet
        }
}

}  // namespace
}  // namespace talus::test
