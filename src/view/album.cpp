#include "view/album.h"

#include <algorithm>
#include <cmath>

#include <yaml-cpp/yaml.h>

#include "observe/forces.h"
#include "observe/space.h"
#include "observe/units.h"
#include "view/series.h"

namespace talus::view {

namespace {

constexpr std::size_t kLooks = 7;            // frames that extent and shapes are taken from
constexpr double kLengthParts = 200.0;       // of the smallest radius: the error of a position is half of one
constexpr double kSpeedParts = 1000.0;       // of sqrt(g d): half of one is slower than any picture shows

template <int Dim>
Vec<Dim> part_of(const std::array<double, 3>& x) {
    Vec<Dim> v;
    for (int k = 0; k < Dim; ++k) v[k] = x[static_cast<std::size_t>(k)];
    return v;
}

template <int Dim>
void widen(Extent& e, const Snapshot<Dim>& s) {
    for (std::size_t i = 0; i < s.size(); ++i) {
        const double r = s.radius[i];
        if (r == 0.0 || !s.position[i].allFinite() || !std::isfinite(r)) continue;
        for (int k = 0; k < Dim; ++k) {
            const auto axis = static_cast<std::size_t>(k);
            e.low[axis] = e.has_grains ? std::min(e.low[axis], s.position[i][k] - r) : s.position[i][k] - r;
            e.high[axis] = e.has_grains ? std::max(e.high[axis], s.position[i][k] + r) : s.position[i][k] + r;
        }
        e.smallest = e.has_grains ? std::min(e.smallest, r) : r;
        e.largest = std::max(e.largest, r);
        e.has_grains = true;
        if (observe::is_grain(s, i) && s.velocity[i].allFinite()) e.max_speed = std::max(e.max_speed, s.velocity[i].norm());
    }
    if (s.h > 0.0)
        for (const auto& contact : s.contacts)
            if (contact.impulse.allFinite()) e.max_force = std::max(e.max_force, contact.impulse.norm() / s.h);
}

/// The scene as YAML; null when the text is none, which is no reason not to show a run.
YAML::Node parse_scene(const std::string& text) try {
    return YAML::Load(text);
} catch (const YAML::Exception&) {
    return {};
}

nlohmann::json units_of(observe::UnitSystem system, int dim) {
    nlohmann::json units;
    const auto add = [&](const char* quantity, const char* si) {
        const observe::Unit unit = observe::unit_in(system, si);
        units[quantity] = {{"name", unit.name}, {"factor", unit.factor}};
    };
    add("length", "m");
    add("speed", "m/s");
    add("mass", "kg");
    add("force", "N");
    add("pressure", dim == 2 ? "N/m" : "Pa");
    add("energy", "J");
    add("time", "s");
    add("spin", "rad/s");
    return units;
}

nlohmann::json provenance_of(const record::RunInfo& info) {
    const record::Provenance& p = info.provenance;
    return {{"version", p.version}, {"git", p.git},   {"machine", p.machine}, {"date", p.date},
            {"command", p.command}, {"seed", p.seed}, {"scene", info.scene_name}};
}

}  // namespace

std::vector<std::size_t> spread(std::size_t count, std::size_t most) {
    std::vector<std::size_t> chosen;
    if (count == 0 || most == 0) return chosen;
    if (most == 1) return {count - 1};
    const std::size_t n = std::min(count, most);
    for (std::size_t k = 0; k < n; ++k) chosen.push_back(n == 1 ? count - 1 : k * (count - 1) / (n - 1));
    return chosen;
}

Album::Album(const std::string& run_file) : path_(run_file), reader_(std::in_place, run_file) {
    for (const std::size_t k : spread(size(), kLooks)) look(k);
    for (std::size_t k = 0; k < 3; ++k) origin_[k] = extent_.has_grains ? 0.5 * (extent_.low[k] + extent_.high[k]) : 0.0;
}

const record::RunReader& Album::reader() const {
    if (!reader_) throw IoError(path_ + ": cannot be read at the moment");
    return *reader_;
}

bool Album::refresh() {
    const std::size_t frames = reader_ ? size() : 0;
    const std::string state = reader_ ? reader_->info().state : "";
    reader_.reset();   // first: HDF5 shows a file that is open in this program as it was when it was opened
    reader_.emplace(path_);
    if (size() == frames && reader_->info().state == state) return false;
    if (size() > 0) look(size() - 1);
    return true;
}

void Album::look(std::size_t k) {
    try {
        if (reader().info().dimension == 2) look_at<2>(k);
        else look_at<3>(k);
    } catch (const IoError&) {   // told when that frame is asked for
    }
}

template <int Dim>
void Album::look_at(std::size_t k) {
    const auto s = reader().read_frame<Dim>(static_cast<std::int64_t>(k));
    widen(extent_, s);
    double size = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) size += extent_.high[axis] - extent_.low[axis];
    add_geometry(geometry_, s, size > extent_of_geometry_);
    extent_of_geometry_ = size;
    auto periodic = nlohmann::json::array(), low = periodic, high = periodic;
    for (int axis = 0; axis < Dim; ++axis) {
        periodic.push_back(s.periodic[static_cast<std::size_t>(axis)]);
        low.push_back(s.cell_low[axis]);
        high.push_back(s.cell_high[axis]);
    }
    space_ = {{"periodic", periodic}, {"low", low}, {"high", high}};
}

FrameColumns Album::columns(std::size_t k, const Detail& detail) const {
    const auto number = static_cast<std::uint32_t>(k);
    const auto frame = static_cast<std::int64_t>(k);
    if (reader().info().dimension == 2) return frame_columns<2>(reader().read_frame<2>(frame), number, part_of<2>(origin_), detail);
    return frame_columns<3>(reader().read_frame<3>(frame), number, part_of<3>(origin_), detail);
}

Detail Album::compact_detail() const {
    Detail detail;
    detail.length_step = extent_.smallest > 0.0 ? extent_.smallest / kLengthParts : 1e-6;
    const auto& frames = reader().info().frames;
    double g = 0.0;
    if (!frames.empty())
        for (const double x : frames.back().gravity) g += x * x;
    const double fall = std::sqrt(std::sqrt(g) * 2.0 * extent_.smallest);
    const double speed = fall > 0.0 ? fall : extent_.max_speed;
    detail.speed_step = speed > 0.0 ? speed / kSpeedParts : 1e-6;
    detail.spin_step = extent_.largest > 0.0 ? detail.speed_step / extent_.largest : 1e-6;   // of the surface of any grain: as velocities
    return detail;
}

nlohmann::json Album::meta() const {
    const record::RunInfo& info = reader().info();
    const YAML::Node scene = parse_scene(info.scene_text);
    const bool cgs = scene.IsMap() && scene["units"].as<std::string>("si") == "cgs";
    auto frames = nlohmann::json::array();
    for (const auto& f : info.frames)
        frames.push_back({{"time", f.time}, {"step", f.step}, {"bodies", f.bodies}, {"contacts", f.contacts}, {"sums", f.sums_seconds}});
    std::array<double, 3> gravity{};
    if (!info.frames.empty()) gravity = info.frames.back().gravity;
    return {{"format", "talus view"},
            {"version", 1},
            {"dimension", info.dimension},
            {"title", scene.IsMap() ? scene["title"].as<std::string>(info.scene_name) : info.scene_name},
            {"state", info.state},
            {"units", units_of(cgs ? observe::UnitSystem::cgs : observe::UnitSystem::si, info.dimension)},
            {"origin", origin_},
            {"gravity", gravity},
            {"space", space_},
            {"extent",
             {{"low", extent_.low}, {"high", extent_.high}, {"smallest", extent_.smallest}, {"largest", extent_.largest},
              {"max_speed", extent_.max_speed}, {"max_force", extent_.max_force}}},
            {"materials", info.materials},
            {"arrays", info.arrays},
            {"has_contacts", info.has_contacts},
            {"has_sums", info.has_sums},
            {"frames", frames},
            {"series", series_of(reader())},
            {"provenance", provenance_of(info)}};
}

}  // namespace talus::view
