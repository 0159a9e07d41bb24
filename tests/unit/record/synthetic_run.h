#pragma once
/// \file
/// Made-up frames, reports and checkpoints whose every number is a function of its indices: whatever
/// a run file gives back can be compared with what must have been written. No physics.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "record/background_writer.h"
#include "record/run_reader.h"
#include "record/run_writer.h"

namespace talus::record::testing {

/// A folder that removes itself.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "talus-record-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) std::abort();
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

inline double number(int frame, std::size_t body, int what) {
    return std::sin(1.0 + 0.37 * frame + 0.011 * static_cast<double>(body) + what);
}

template <int Dim>
Vec<Dim> vector(int frame, std::size_t body, int what) {
    Vec<Dim> v;
    for (int k = 0; k < Dim; ++k) v[k] = number(frame, body, 10 * what + k);
    return v;
}

template <int Dim>
Rotation<Dim> rotation(int frame, std::size_t body) {
    if constexpr (Dim == 2) {
        return {number(frame, body, 77)};
    } else {
        Rotation<3> r;
        r.q = Eigen::Quaterniond(1.0 + number(frame, body, 1), 0.1, 0.2, number(frame, body, 2)).normalized();
        return r;
    }
}

template <int Dim>
Contact<Dim> contact(int frame, std::size_t i) {
    Contact<Dim> c;
    c.a = static_cast<BodyId>(i);
    c.b = static_cast<BodyId>(i + 1);
    c.feature = static_cast<std::uint32_t>(i % 5);
    c.point = vector<Dim>(frame, i, 1);
    c.normal = vector<Dim>(frame, i, 2);
    c.gap = number(frame, i, 30);
    c.impulse = vector<Dim>(frame, i, 3);
    c.status = static_cast<ContactStatus>(i % 3);
    c.velocity_before = vector<Dim>(frame, i, 4);
    c.velocity_after = vector<Dim>(frame, i, 5);
    c.restitution = number(frame, i, 31);
    c.tangential_restitution = number(frame, i, 32);
    c.friction = number(frame, i, 33);
    for (int k = 0; k < spin_size<Dim>; ++k) c.couple[k] = number(frame, i, 34 + k);
    c.cohesion = number(frame, i, 37);
    c.bond = static_cast<BondState>(i % 3);
    return c;
}

/// Bodies come and go: frame k has another number of bodies, contacts and sums than frame k + 1.
inline std::size_t body_count(int frame) { return frame % 4 == 3 ? 0 : 20 + static_cast<std::size_t>(7 * frame) % 31; }

template <int Dim>
void fill_bodies(Snapshot<Dim>& s, int frame) {
    for (std::size_t i = 0; i < body_count(frame); ++i) {
        s.id.push_back(static_cast<BodyId>(2 * i + static_cast<std::size_t>(frame)));
        s.position.push_back(vector<Dim>(frame, i, 6));
        s.image.push_back(Eigen::Matrix<std::int32_t, Dim, 1>::Constant(static_cast<int>(i) - 3));
        s.rotation.push_back(rotation<Dim>(frame, i));
        s.velocity.push_back(vector<Dim>(frame, i, 7));
        s.spin.push_back(Spin<Dim>::Constant(number(frame, i, 8)));
        s.radius.push_back(std::abs(number(frame, i, 9)));
        s.mass.push_back(std::abs(number(frame, i, 10)));
        s.inertia.push_back(Spin<Dim>::Constant(std::abs(number(frame, i, 11))));
        s.material.push_back(static_cast<MaterialId>(i % 2));
        s.tag.push_back(static_cast<std::int32_t>(i) - 5);
        s.birth.push_back(number(frame, i, 11));
        s.driven.push_back(static_cast<std::uint8_t>(i % 64));
        s.wall.push_back(i % 2);
        s.shape.push_back(static_cast<std::int32_t>(i % s.shapes.size()));
    }
}

template <int Dim>
Snapshot<Dim> snapshot(int frame) {
    Snapshot<Dim> s;
    s.time = 0.5 * frame;
    s.step = 10 * frame;
    s.h = 0.05;
    s.gravity[Dim - 1] = -9.81;
    s.periodic[0] = true;
    s.cell_high[0] = 2.0;
    s.shapes = {{"ball", {}}, {"plane", std::vector<double>(Dim, 1.0 / std::sqrt(static_cast<double>(Dim)))}};
    if (frame >= 2) s.shapes.push_back({"ball_inside", {3.0}});  // the table grows during the run
    s.material_names = {"grain", "µ-wall"};
    fill_bodies(s, frame);
    for (std::size_t i = 0; i < body_count(frame) * 2; ++i) s.contacts.push_back(contact<Dim>(frame, i));
    for (std::size_t i = 0; i < body_count(frame) * 3; ++i) {
        const auto c = contact<Dim>(frame + 1, i);
        s.sums.push_back({c.a, c.b, c.feature, c.point, c.normal, c.impulse});
    }
    s.sums_seconds = 0.5;
    return s;
}

inline StepReport report(int step) {
    StepReport r;
    r.step = step;
    r.time = 0.05 * step;
    r.bodies = 3 * step;
    r.contacts = 5 * step;
    r.working_contacts = 4 * step;
    r.sweeps = step % 7;
    r.updates = 35 * step;
    r.converged = step % 3 != 0;
    r.law = {1e-4 * step, 2e-4 * step, step, 0.1};
    r.moreau_change = 1e-6 * step;
    r.energy.kinetic = number(step, 0, 1);
    r.energy.residual = number(step, 0, 2);
    r.energy.frozen = number(step, 0, 3);
    r.energy_gained = step % 2 == 1;
    r.momentum_residual = 1e-15 * step;
    r.max_overlap = 1e-3;
    r.mean_overlap = 1e-4;
    r.max_speed = number(step, 0, 4);
    r.rebuilt = step % 5 == 0;
    r.seconds.solve = 123.0;  // must not be stored
    return r;
}

inline std::vector<WallImpulse> walls(int step) {
    std::vector<WallImpulse> all;
    for (int w = 0; w < step % 3; ++w) all.push_back({w, {number(step, 0, w), number(step, 1, w), number(step, 2, w)}});
    return all;
}

inline std::vector<std::byte> checkpoint_bytes(int frame) {
    std::vector<std::byte> bytes(5000 + static_cast<std::size_t>(frame) * 1000);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>((i * 31 + static_cast<std::size_t>(frame) * 7) & 255U);
    return bytes;
}

inline std::string observed(int frame) { return R"({"frame":)" + std::to_string(frame) + "}"; }

inline RunHeader header() {
    RunHeader h;
    h.scene_name = "synthetic";
    h.scene_text = "title: \"été\"\nstep: 1 s\n";
    h.provenance = {"0.1.0", "abc", "machine", "2024-01-01T00:00:00Z", "talus run x.yaml", 42, 2};
    return h;
}

template <int Dim>
RunWriter<Dim> create(const std::string& path) {
    return RunWriter<Dim>::create(path, header(), {{}, true, true, 40}, snapshot<Dim>(0));
}

template <int Dim>
void write_checkpoint(RunWriter<Dim>& writer, int frame) { writer.write_checkpoint(10 * frame, 0.5 * frame, checkpoint_bytes(frame)); }
/// In two pieces.
template <int Dim>
void write_checkpoint(BackgroundWriter<Dim>& writer, int frame) {
    writer.write_checkpoint(10 * frame, 0.5 * frame, [frame](const ByteSink& sink) {
        const std::vector<std::byte> bytes = checkpoint_bytes(frame);
        sink(std::span(bytes).first(1234));
        sink(std::span(bytes).subspan(1234));
    });
}

/// Frames `first` to `last`, ten reports before each, a checkpoint after every second one.
template <int Dim, template <int> class Writer>
void write_run(Writer<Dim>& writer, int first, int last) {
    for (int frame = first; frame <= last; ++frame) {
        for (int step = 10 * frame - 9; step <= 10 * frame; ++step) {
            const auto pushed = walls(step);
            if (step > 0) writer.write_report(report(step), pushed);
        }
        writer.write_frame(snapshot<Dim>(frame), observed(frame));
        if (frame % 2 == 0) write_checkpoint(writer, frame);
    }
}

template <class T>
void expect_same_bits(const std::vector<T>& x, const std::vector<T>& y, const char* what) {
    ASSERT_EQ(x.size(), y.size()) << what;
    if (x.empty()) return;
    EXPECT_EQ(std::memcmp(static_cast<const void*>(x.data()), static_cast<const void*>(y.data()), x.size() * sizeof(T)), 0) << what;
}

template <int Dim>
void expect_same_contact(const Contact<Dim>& x, const Contact<Dim>& y) {
    EXPECT_EQ(x.a, y.a);
    EXPECT_EQ(x.b, y.b);
    EXPECT_EQ(x.feature, y.feature);
    EXPECT_EQ(x.point, y.point);
    EXPECT_EQ(x.normal, y.normal);
    EXPECT_EQ(x.gap, y.gap);
    EXPECT_EQ(x.impulse, y.impulse);
    EXPECT_EQ(x.status, y.status);
    EXPECT_EQ(x.velocity_before, y.velocity_before);
    EXPECT_EQ(x.velocity_after, y.velocity_after);
    EXPECT_EQ(x.restitution, y.restitution);
    EXPECT_EQ(x.tangential_restitution, y.tangential_restitution);
    EXPECT_EQ(x.friction, y.friction);
    EXPECT_EQ(x.couple, y.couple);
    EXPECT_EQ(x.cohesion, y.cohesion);
    EXPECT_EQ(x.bond, y.bond);
}

template <int Dim>
void expect_same_bodies(const Snapshot<Dim>& x, const Snapshot<Dim>& y) {
    expect_same_bits(x.id, y.id, "id");
    expect_same_bits(x.position, y.position, "position");
    expect_same_bits(x.image, y.image, "image");
    expect_same_bits(x.rotation, y.rotation, "rotation");
    expect_same_bits(x.velocity, y.velocity, "velocity");
    expect_same_bits(x.spin, y.spin, "spin");
    expect_same_bits(x.radius, y.radius, "radius");
    expect_same_bits(x.mass, y.mass, "mass");
    expect_same_bits(x.inertia, y.inertia, "inertia");
    expect_same_bits(x.material, y.material, "material");
    expect_same_bits(x.tag, y.tag, "tag");
    expect_same_bits(x.birth, y.birth, "birth");
    expect_same_bits(x.driven, y.driven, "driven");
    expect_same_bits(x.wall, y.wall, "wall");
    expect_same_bits(x.shape, y.shape, "shape");
}

/// Everything but the shape table, which is that of the file's end.
template <int Dim>
void expect_same(const Snapshot<Dim>& x, const Snapshot<Dim>& y) {
    EXPECT_EQ(x.time, y.time);
    EXPECT_EQ(x.step, y.step);
    EXPECT_EQ(x.h, y.h);
    EXPECT_EQ(x.gravity, y.gravity);
    EXPECT_EQ(x.periodic, y.periodic);
    EXPECT_EQ(x.cell_low, y.cell_low);
    EXPECT_EQ(x.cell_high, y.cell_high);
    EXPECT_EQ(x.material_names, y.material_names);
    EXPECT_EQ(x.sums_seconds, y.sums_seconds);
    expect_same_bodies(x, y);
    ASSERT_EQ(x.contacts.size(), y.contacts.size());
    for (std::size_t i = 0; i < x.contacts.size(); ++i) expect_same_contact(x.contacts[i], y.contacts[i]);
    ASSERT_EQ(x.sums.size(), y.sums.size());
    for (std::size_t i = 0; i < x.sums.size(); ++i) {
        EXPECT_EQ(x.sums[i].a, y.sums[i].a);
        EXPECT_EQ(x.sums[i].b, y.sums[i].b);
        EXPECT_EQ(x.sums[i].feature, y.sums[i].feature);
        EXPECT_EQ(x.sums[i].point, y.sums[i].point);
        EXPECT_EQ(x.sums[i].normal, y.sums[i].normal);
        EXPECT_EQ(x.sums[i].impulse, y.sums[i].impulse);
    }
}

inline void expect_same_report(const StepReport& x, const StepReport& y) {
    EXPECT_EQ(x.step, y.step);
    EXPECT_EQ(x.time, y.time);
    EXPECT_EQ(x.bodies, y.bodies);
    EXPECT_EQ(x.contacts, y.contacts);
    EXPECT_EQ(x.working_contacts, y.working_contacts);
    EXPECT_EQ(x.sweeps, y.sweeps);
    EXPECT_EQ(x.updates, y.updates);
    EXPECT_EQ(x.converged, y.converged);
    EXPECT_EQ(x.law.mean, y.law.mean);
    EXPECT_EQ(x.law.max, y.law.max);
    EXPECT_EQ(x.law.working, y.law.working);
    EXPECT_EQ(x.law.v_ref, y.law.v_ref);
    EXPECT_EQ(x.moreau_change, y.moreau_change);
    EXPECT_EQ(std::memcmp(&x.energy, &y.energy, sizeof(x.energy)), 0);
    EXPECT_EQ(x.energy_gained, y.energy_gained);
    EXPECT_EQ(x.momentum_residual, y.momentum_residual);
    EXPECT_EQ(x.max_overlap, y.max_overlap);
    EXPECT_EQ(x.mean_overlap, y.mean_overlap);
    EXPECT_EQ(x.max_speed, y.max_speed);
    EXPECT_EQ(x.rebuilt, y.rebuilt);
}

/// Frames 0 to `frames` - 1, the reports and the observables are those that `write_run` writes.
template <int Dim>
void expect_written_run(const RunReader& reader, std::size_t frames) {
    ASSERT_EQ(reader.info().frames.size(), frames);
    for (std::size_t k = 0; k < frames; ++k) {
        expect_same(reader.read_frame<Dim>(static_cast<std::int64_t>(k)), snapshot<Dim>(static_cast<int>(k)));
    }
    const auto wall_rows = reader.wall_impulses();
    int step = 0;
    for (const auto& row : reader.reports()) {
        expect_same_report(row.report, report(++step));
        const auto expected = walls(step);
        ASSERT_EQ(row.walls, expected.size());
        for (std::size_t w = 0; w < row.walls; ++w) {
            const auto& found = wall_rows.at(row.walls_begin + w);
            EXPECT_EQ(found.id, expected[w].id);
            for (std::size_t k = 0; k < Dim; ++k) EXPECT_EQ(found.impulse[k], expected[w].impulse[k]);
        }
    }
    std::int64_t frame = 0;
    for (const auto& text : reader.observables()) {
        if (text.frame < 0) continue;
        EXPECT_EQ(text.frame, frame);
        EXPECT_EQ(text.json, observed(static_cast<int>(frame++)));
    }
}

}  // namespace talus::record::testing
