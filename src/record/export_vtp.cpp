#include <fmt/format.h>

#include <charconv>

#include "record/boundary_mesh.h"
#include "record/export.h"
#include "record/output_file.h"
#include "record/solid_mesh.h"
#include "record/vectors.h"
#include "record/vtp.h"
#include "talus/error.h"

namespace talus::record {
namespace {

void append_rotation(std::vector<double>& out, const Rotation<2>& r) { out.push_back(r.angle); }
void append_rotation(std::vector<double>& out, const Rotation<3>& r) {
    out.insert(out.end(), {r.q.w(), r.q.x(), r.q.y(), r.q.z()});
}

/// Indices of the balls, which are what a point can stand for.
template <int Dim>
std::vector<std::size_t> balls_of(const Snapshot<Dim>& s) {
    std::vector<std::size_t> balls;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s.radius[i] > 0.0 && s.is_ball(i)) balls.push_back(i);
    }
    return balls;
}

template <class T>
VtpArray pick(const char* name, const std::vector<T>& values, const std::vector<std::size_t>& chosen) {
    std::vector<T> picked;
    picked.reserve(chosen.size());
    for (const std::size_t i : chosen) picked.push_back(values[i]);
    return {name, 1, std::move(picked)};
}

template <int Dim>
VtpMesh bodies_mesh(const Snapshot<Dim>& s) {
    VtpMesh mesh;
    mesh.time = s.time;
    const auto balls = balls_of(s);
    std::vector<double> velocity, spin, rotation;
    for (const std::size_t i : balls) {
        append<Dim>(mesh.points, s.position[i]);
        append<Dim>(velocity, s.velocity[i]);
        append_spin(spin, s.spin[i]);
        append_rotation(rotation, s.rotation[i]);
    }
    mesh.add_vertices();
    mesh.point_data = {pick("id", s.id, balls),         pick("radius", s.radius, balls),
                       {"velocity", 3, velocity},       {"angular_velocity", 3, spin},
                       pick("material", s.material, balls), pick("mass", s.mass, balls),
                       pick("tag", s.tag, balls),       pick("birth", s.birth, balls),
                       pick("wall", s.wall, balls),     pick("driven", s.driven, balls),
                       {"rotation", static_cast<int>(sizeof(Rotation<Dim>) / sizeof(double)), rotation}};
    return mesh;
}

/// What contacts and contact sums have in common.
template <int Dim, class Record>
void add_forces(VtpMesh& mesh, const std::vector<Record>& records, double seconds) {
    std::vector<std::int64_t> a, b;
    std::vector<std::int32_t> feature;
    std::vector<double> normal, normal_force, tangential_force;
    const double per_second = seconds > 0.0 ? 1.0 / seconds : 0.0;
    for (const auto& c : records) {
        append<Dim>(mesh.points, c.point);
        append<Dim>(normal, c.normal);
        const double f_n = c.impulse.dot(c.normal) * per_second;
        const Vec<Dim> f_t = c.impulse * per_second - f_n * c.normal;
        normal_force.push_back(f_n);
        append<Dim>(tangential_force, f_t);
        a.push_back(c.a);
        b.push_back(c.b);
        feature.push_back(static_cast<std::int32_t>(c.feature));
    }
    mesh.add_vertices();
    mesh.point_data = {{"normal_force", 1, normal_force}, {"tangential_force", 3, tangential_force},
                       {"normal", 3, normal}, {"a", 1, a}, {"b", 1, b}, {"feature", 1, feature}};
}

template <int Dim>
VtpMesh contacts_mesh(const Snapshot<Dim>& s) {
    VtpMesh mesh;
    mesh.time = s.time;
    add_forces<Dim>(mesh, s.contacts, s.h);
    std::vector<double> gap, before, after;
    std::vector<std::uint8_t> status;
    for (const auto& c : s.contacts) {
        gap.push_back(c.gap);
        status.push_back(static_cast<std::uint8_t>(c.status));
        append<Dim>(before, c.velocity_before);
        append<Dim>(after, c.velocity_after);
    }
    mesh.point_data.push_back({"gap", 1, gap});
    mesh.point_data.push_back({"status", 1, status});
    mesh.point_data.push_back({"velocity_before", 3, before});
    mesh.point_data.push_back({"velocity_after", 3, after});
    return mesh;
}

template <int Dim>
VtpMesh sums_mesh(const Snapshot<Dim>& s) {
    VtpMesh mesh;
    mesh.time = s.time;
    add_forces<Dim>(mesh, s.sums, s.sums_seconds);
    return mesh;
}

/// One time series: files `name/name_000000.vtp` and `name.pvd`.
struct TimeSeries {
    std::string folder, name;
    std::vector<PvdEntry> entries;

    TimeSeries(std::string f, std::string n) : folder(std::move(f)), name(std::move(n)) { make_folder(folder + "/" + name); }
    void add(std::size_t frame, const VtpMesh& mesh) {
        const std::string file = fmt::format("{0}/{0}_{1:06}.vtp", name, frame);
        write_vtp(folder + "/" + file, mesh);
        entries.push_back({mesh.time, file});
    }
    std::string finish() const {
        write_pvd(folder + "/" + name + ".pvd", entries);
        return name + ".pvd";
    }
};

template <int Dim>
std::vector<std::string> export_frames(const RunReader& run, const std::vector<std::size_t>& frames,
                                       const std::string& folder) {
    TimeSeries bodies(folder, "bodies"), boundaries(folder, "boundaries");
    std::vector<TimeSeries> solids, contacts, sums;
    if (run.info().has_contacts) contacts.emplace_back(folder, "contacts");
    if (run.info().has_sums) sums.emplace_back(folder, "sums");
    for (const std::size_t k : frames) {
        const auto snapshot = run.read_frame<Dim>(static_cast<std::int64_t>(k));
        bodies.add(k, bodies_mesh(snapshot));
        boundaries.add(k, boundary_mesh(snapshot));
        if (solids.empty() && has_solids(snapshot)) solids.emplace_back(folder, "solids");
        for (auto& series : solids) series.add(k, solid_mesh(snapshot));
        for (auto& series : contacts) series.add(k, contacts_mesh(snapshot));
        for (auto& series : sums) series.add(k, sums_mesh(snapshot));
    }
    std::vector<std::string> written{bodies.finish(), boundaries.finish()};
    for (const auto& series : solids) written.push_back(series.finish());
    for (const auto& series : contacts) written.push_back(series.finish());
    for (const auto& series : sums) written.push_back(series.finish());
    return written;
}

}  // namespace

std::vector<std::size_t> choose_frames(const RunInfo& info, const std::string& choice) {
    std::vector<std::size_t> frames;
    if (choice == "all") {
        for (std::size_t k = 0; k < info.frames.size(); ++k) frames.push_back(k);
        return frames;
    }
    if (choice == "last") return {frame_index(info, -1)};
    std::int64_t k = 0;
    const char* end = choice.data() + choice.size();
    const auto parsed = std::from_chars(choice.data(), end, k);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
        throw InputError("--frame " + choice + ": write a frame number (negative: from the end), 'all' or 'last'");
    }
    return {frame_index(info, k)};
}

std::vector<std::string> export_vtp(const RunReader& run, const std::vector<std::size_t>& frames,
                                    const std::string& folder) {
    make_folder(folder);
    return run.info().dimension == 2 ? export_frames<2>(run, frames, folder) : export_frames<3>(run, frames, folder);
}

}  // namespace talus::record
