#include "view/frame_columns.h"

#include <cmath>

#include "record/vectors.h"

namespace talus::view {

namespace {

constexpr double kTurnStep = 1.0 / 1023.0;   // of components of quaternions and normals; of angles [rad]

// An angle keeps its whole turns; the page makes a quaternion of it.
void append_rotation(std::vector<double>& out, const Rotation<2>& r) { out.push_back(r.angle); }
void append_rotation(std::vector<double>& out, const Rotation<3>& r) {
    // q and -q are one rotation: one sign, so that a body at rest does not change.
    const double sign = r.q.w() < 0.0 ? -1.0 : 1.0;
    for (const double x : {r.q.x(), r.q.y(), r.q.z(), r.q.w()}) out.push_back(sign * x);
}
int rotation_size(const Rotation<2>&) { return 1; }
int rotation_size(const Rotation<3>&) { return 4; }

/// Forms of the columns: exact ones, or those that take little room.
struct Forms {
    bool exact = false;
    [[nodiscard]] Form brief(Prediction p) const { return exact ? Form{} : Form{Encoding::brief, p, 1.0}; }
    [[nodiscard]] Form linear(double step, Prediction p) const { return exact ? Form{} : Form{Encoding::linear, p, step}; }
    /// Whole numbers are the same in both: a float would not hold every id.
    [[nodiscard]] static Form whole(Prediction p) { return {Encoding::linear, p, 1.0}; }
};

template <int Dim>
class Packer {
public:
    Packer(const Snapshot<Dim>& snapshot, const Vec<Dim>& origin, const Detail& detail)
        : s_(snapshot), origin_(origin), detail_(detail), forms_{detail.exact} {}

    void bodies(FrameColumns& frame) {
        frame.bodies = static_cast<std::uint32_t>(s_.size());
        for (const BodyId id : s_.id) frame.ids.push_back(id);
        const auto before = Prediction::before;
        add(frame, "id", Owner::bodies, 1, Forms::whole(Prediction::along), [&](auto& out, std::size_t i) { out.push_back(static_cast<double>(s_.id[i])); });
        add(frame, "position", Owner::bodies, 3, forms_.linear(detail_.length_step, Prediction::onward),
            [&](auto& out, std::size_t i) { record::append<Dim>(out, Vec<Dim>(s_.position[i] - origin_)); });
        add(frame, "image", Owner::bodies, 3, Forms::whole(before), [&](auto& out, std::size_t i) { record::append<Dim>(out, s_.image[i].template cast<double>()); });
        add(frame, "rotation", Owner::bodies, rotation_size(Rotation<Dim>{}), forms_.linear(kTurnStep, before), [&](auto& out, std::size_t i) {
            const bool kept = detail_.exact || detail_.rotations || !s_.is_ball(i);
            append_rotation(out, kept ? s_.rotation[i] : Rotation<Dim>{});
        });
        add(frame, "velocity", Owner::bodies, 3, forms_.linear(detail_.speed_step, before), [&](auto& out, std::size_t i) { record::append<Dim>(out, s_.velocity[i]); });
        add(frame, "spin", Owner::bodies, 3, forms_.linear(detail_.spin_step, before), [&](auto& out, std::size_t i) { record::append_spin(out, s_.spin[i]); });
        add(frame, "radius", Owner::bodies, 1, forms_.brief(before), [&](auto& out, std::size_t i) { out.push_back(s_.radius[i]); });
        add(frame, "mass", Owner::bodies, 1, forms_.brief(before), [&](auto& out, std::size_t i) { out.push_back(s_.mass[i]); });
        add(frame, "birth", Owner::bodies, 1, forms_.brief(before), [&](auto& out, std::size_t i) { out.push_back(s_.birth[i]); });
        const auto whole = [&](const char* name, const auto& array) {
            add(frame, name, Owner::bodies, 1, Forms::whole(before), [&](auto& out, std::size_t i) { out.push_back(static_cast<double>(array[i])); });
        };
        whole("material", s_.material);
        whole("tag", s_.tag);
        whole("shape", s_.shape);
        whole("driven", s_.driven);
        whole("wall", s_.wall);
    }

    void contacts(FrameColumns& frame) {
        std::vector<std::size_t> kept;
        for (std::size_t k = 0; k < s_.contacts.size(); ++k)
            if (detail_.idle_contacts || !s_.contacts[k].impulse.isZero(0.0)) kept.push_back(k);
        frame.contacts = static_cast<std::uint32_t>(kept.size());
        list(frame, Owner::contacts, s_.contacts, kept, s_.h);
        const auto of = [&](const char* name, const Form& form, auto value) {
            add(frame, name, Owner::contacts, 1, form, [&](auto& out, std::size_t i) { out.push_back(static_cast<double>(value(s_.contacts[kept[i]]))); });
        };
        of("gap", forms_.brief(Prediction::none), [](const auto& c) { return c.gap; });
        of("friction", forms_.brief(Prediction::along), [](const auto& c) { return c.friction; });
        of("status", Forms::whole(Prediction::along), [](const auto& c) { return static_cast<int>(c.status); });
        of("bond", Forms::whole(Prediction::along), [](const auto& c) { return static_cast<int>(c.bond); });
        if (detail_.exact)
            add(frame, "slip", Owner::contacts, 3, Form{}, [&](auto& out, std::size_t i) { record::append<Dim>(out, s_.contacts[kept[i]].velocity_after); });
    }

    void sums(FrameColumns& frame) {
        std::vector<std::size_t> kept;
        for (std::size_t k = 0; k < s_.sums.size(); ++k)
            if (!s_.sums[k].impulse.isZero(0.0)) kept.push_back(k);
        frame.sums = static_cast<std::uint32_t>(kept.size());
        list(frame, Owner::sums, s_.sums, kept, s_.sums_seconds);
    }

private:
    template <class Fill>
    void add(FrameColumns& frame, std::string name, Owner owner, int components, const Form& form, Fill fill) {
        const std::size_t rows = owner == Owner::bodies ? frame.bodies : owner == Owner::contacts ? frame.contacts : frame.sums;
        Column column{std::move(name), owner, components, form, {}};
        column.values.reserve(rows * static_cast<std::size_t>(components));
        for (std::size_t i = 0; i < rows; ++i) fill(column.values, i);
        frame.columns.push_back(std::move(column));
    }

    /// What contacts and sums of contacts have in common. Bodies are places in the frame, -1: gone since.
    template <class Records>
    void list(FrameColumns& frame, Owner owner, const Records& records, const std::vector<std::size_t>& kept, double seconds) {
        const std::string prefix = owner == Owner::sums ? "sum_" : "";
        const auto body = [&](const char* name, auto id) {
            add(frame, prefix + name, owner, 1, Forms::whole(Prediction::along), [&](auto& out, std::size_t i) { out.push_back(static_cast<double>(s_.index_of(id(records[kept[i]])))); });
        };
        body("a", [](const auto& c) { return c.a; });
        body("b", [](const auto& c) { return c.b; });
        add(frame, prefix + "point", owner, 3, forms_.linear(detail_.length_step, Prediction::along),
            [&](auto& out, std::size_t i) { record::append<Dim>(out, Vec<Dim>(records[kept[i]].point - origin_)); });
        add(frame, prefix + "normal", owner, 3, forms_.linear(kTurnStep, Prediction::none), [&](auto& out, std::size_t i) { record::append<Dim>(out, records[kept[i]].normal); });
        add(frame, prefix + "force", owner, 3, forms_.brief(Prediction::none),
            [&](auto& out, std::size_t i) { record::append<Dim>(out, Vec<Dim>(records[kept[i]].impulse / seconds)); });
    }

    const Snapshot<Dim>& s_;
    const Vec<Dim>& origin_;
    const Detail& detail_;
    Forms forms_;
};

}  // namespace

template <int Dim>
FrameColumns frame_columns(const Snapshot<Dim>& snapshot, std::uint32_t number, const Vec<Dim>& origin, const Detail& detail) {
    FrameColumns frame;
    frame.number = number;
    Packer<Dim> packer(snapshot, origin, detail);
    packer.bodies(frame);
    if (detail.contacts) packer.contacts(frame);
    if (detail.contacts && detail.sums && snapshot.sums_seconds > 0.0) packer.sums(frame);
    return frame;
}

template FrameColumns frame_columns<2>(const Snapshot<2>&, std::uint32_t, const Vec<2>&, const Detail&);
template FrameColumns frame_columns<3>(const Snapshot<3>&, std::uint32_t, const Vec<3>&, const Detail&);

}  // namespace talus::view
