#include "record/explore_file.h"

#include <limits>
#include <span>

#include "record/h5.h"

namespace talus::record {
namespace {

using Shape = std::vector<hsize_t>;

/// Writes one dataset of any number of dimensions; deflated where that pays.
class Arrays {
public:
    explicit Arrays(const h5::File& file) : file_(file) {}
    void put(const std::string& name, const std::vector<double>& data, const Shape& shape) const {
        write(name, data.data(), H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, shape);
    }
    void put(const std::string& name, const std::vector<std::int64_t>& data) const {
        write(name, data.data(), H5T_NATIVE_INT64, H5T_STD_I64LE, {data.size()});
    }
    void put(const std::string& name, const std::vector<std::uint8_t>& data) const {
        write(name, data.data(), H5T_NATIVE_UINT8, H5T_STD_U8LE, {data.size()});
    }
    void put(const std::string& name, const std::vector<double>& data) const { put(name, data, {data.size()}); }

private:
    void write(const std::string& name, const void* data, hid_t memory, hid_t stored, const Shape& shape) const {
        hsize_t count = 1;
        for (const hsize_t n : shape) count *= n;
        const h5::Handle space(file_.check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), "make a dataspace"), H5Sclose);
        const h5::Handle plist(file_.check(H5Pcreate(H5P_DATASET_CREATE), "make properties"), H5Pclose);
        constexpr hsize_t worth_packing = 4096;
        if (count >= worth_packing) {
            Shape chunk = shape;
            while (chunk[0] > 1 && count / shape[0] * chunk[0] > 65536) chunk[0] = (chunk[0] + 1) / 2;
            file_.check(H5Pset_chunk(plist.get(), static_cast<int>(chunk.size()), chunk.data()), "set chunks");
            file_.check(H5Pset_shuffle(plist.get()), "set a filter");
            file_.check(H5Pset_deflate(plist.get(), 4), "set a filter");
        }
        const h5::Handle set(file_.check(H5Dcreate2(file_.id(), name.c_str(), stored, space.get(), H5P_DEFAULT, plist.get(), H5P_DEFAULT),
                                         "make a dataset"), H5Dclose);
        if (count > 0) file_.check(H5Dwrite(set.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write a dataset");
    }
    const h5::File& file_;
};

void add_group(const h5::File& file, const std::string& name) { (void)h5::make_group(file, name); }

template <class T, class Get>
auto column(const std::vector<T>& rows, Get&& get) {
    std::vector<std::decay_t<decltype(get(rows.front()))>> out;
    for (const T& row : rows) out.push_back(get(row));
    return out;
}

/// Rows one after another; rows that are missing become NaN.
std::vector<double> stacked(const std::vector<const explore::Flat*>& rows, std::size_t width) {
    std::vector<double> out;
    for (const explore::Flat* row : rows) {
        if (row->size() == width) out.insert(out.end(), row->begin(), row->end());
        else out.insert(out.end(), width, std::numeric_limits<double>::quiet_NaN());
    }
    return out;
}

template <class T, class Get>
std::vector<double> stacked(const std::vector<T>& rows, std::size_t width, Get&& get) {
    std::vector<const explore::Flat*> pointers;
    for (const T& row : rows) pointers.push_back(&get(row));
    return stacked(pointers, width);
}

void write_contacts(const h5::File& file, const Arrays& arrays, const explore::Exploration& e) {
    const explore::ContactTable& c = e.contacts;
    const auto d = static_cast<hsize_t>(e.dimension);
    add_group(file, "contacts");
    arrays.put("contacts/a", c.a);
    arrays.put("contacts/b", c.b);
    arrays.put("contacts/feature", c.feature);
    arrays.put("contacts/point", c.point, {c.size(), d});
    arrays.put("contacts/normal", c.normal, {c.size(), d});
    arrays.put("contacts/friction", c.friction);
    arrays.put("contacts/gap", c.gap);
    arrays.put("contacts/found", e.found, {c.size(), d});
}

double value_or_infinity(const explore::BoundFound& b, double sign) {
    if (b.kind == explore::BoundKind::attained) return b.value;
    return b.kind == explore::BoundKind::unbounded ? sign * std::numeric_limits<double>::infinity()
                                                   : std::numeric_limits<double>::quiet_NaN();
}

void write_quantities(const h5::File& file, const Arrays& arrays, const explore::Exploration& e) {
    const auto& q = e.quantities;
    const auto d = static_cast<hsize_t>(e.dimension), k = static_cast<hsize_t>(e.contacts.size());
    add_group(file, "quantities");
    if (q.empty()) return;
    h5::write_texts(file, "quantities/name", column(q, [](const auto& x) { return x.name; }));
    h5::write_texts(file, "quantities/least_kind", column(q, [](const auto& x) { return to_string(x.least.kind); }));
    h5::write_texts(file, "quantities/greatest_kind", column(q, [](const auto& x) { return to_string(x.greatest.kind); }));
    arrays.put("quantities/least", column(q, [](const auto& x) { return value_or_infinity(x.least, -1.0); }));
    arrays.put("quantities/greatest", column(q, [](const auto& x) { return value_or_infinity(x.greatest, 1.0); }));
    arrays.put("quantities/least_residual", column(q, [](const auto& x) { return x.least.certificate.residual; }));
    arrays.put("quantities/greatest_residual", column(q, [](const auto& x) { return x.greatest.certificate.residual; }));
    arrays.put("quantities/found", column(q, [](const auto& x) { return x.found; }));
    const Shape shape{q.size(), k, d};
    arrays.put("quantities/weights", stacked(q, k * d, [](const auto& x) -> const auto& { return x.weights; }), shape);
    arrays.put("quantities/least_forces", stacked(q, k * d, [](const auto& x) -> const auto& { return x.least.forces; }), shape);
    arrays.put("quantities/greatest_forces", stacked(q, k * d, [](const auto& x) -> const auto& { return x.greatest.forces; }), shape);
}

void write_samples(const h5::File& file, const Arrays& arrays, const explore::Exploration& e) {
    const auto& s = e.samples;
    const auto d = static_cast<hsize_t>(e.dimension), k = static_cast<hsize_t>(e.contacts.size());
    add_group(file, "samples");
    arrays.put("samples/outcome", s.outcome);
    arrays.put("samples/velocity", s.velocity);
    arrays.put("samples/sweeps", s.sweeps);
    arrays.put("samples/sweeps_again", s.sweeps_again);
    const auto whole = [](const auto& x) -> const auto& { return x; };
    arrays.put("samples/start", stacked(s.start, k * d, whole), {s.size(), k, d});
    arrays.put("samples/forces", stacked(s.forces, k * d, whole), {s.size(), k, d});
    std::vector<double> values;
    for (std::size_t i = 0; i < s.size(); ++i)
        for (const auto& q : e.quantities) values.push_back(q.samples[i]);
    arrays.put("samples/values", values, {s.size(), e.quantities.size()});
}

void write_collapses(const h5::File& file, const Arrays& arrays, const explore::Exploration& e) {
    const auto& c = e.collapses;
    const auto d = static_cast<hsize_t>(e.dimension), k = static_cast<hsize_t>(e.contacts.size());
    const auto bodies = static_cast<hsize_t>(e.bodies.size()), spins = e.dimension == 2 ? hsize_t{1} : hsize_t{3};
    add_group(file, "collapse");
    if (c.empty()) return;
    h5::write_texts(file, "collapse/load", column(c, [](const auto& x) { return x.name; }));
    h5::write_texts(file, "collapse/unit", column(c, [](const auto& x) { return x.unit; }));
    const auto side = [&](const std::string& name, auto&& of) {
        h5::write_texts(file, "collapse/" + name + "_kind", column(c, [&](const auto& x) { return to_string(of(x).kind); }));
        arrays.put("collapse/" + name, column(c, [&](const auto& x) {
            return of(x).kind == explore::BoundKind::attained ? of(x).multiplier : std::numeric_limits<double>::quiet_NaN();
        }));
        arrays.put("collapse/" + name + "_forces", stacked(c, k * d, [&](const auto& x) -> const auto& { return of(x).forces; }), {c.size(), k, d});
        arrays.put("collapse/" + name + "_velocity", stacked(c, bodies * d, [&](const auto& x) -> const auto& { return of(x).mechanism.velocity; }), {c.size(), bodies, d});
        arrays.put("collapse/" + name + "_spin", stacked(c, bodies * spins, [&](const auto& x) -> const auto& { return of(x).mechanism.spin; }), {c.size(), bodies, spins});
    };
    side("least", [](const auto& x) -> const auto& { return x.least; });
    side("greatest", [](const auto& x) -> const auto& { return x.greatest; });
}

void write_plane(const h5::File& file, const Arrays& arrays, const explore::PlaneFound& p) {
    add_group(file, "plane");
    arrays.put("plane/quantities", std::vector<std::int64_t>{static_cast<std::int64_t>(p.x), static_cast<std::int64_t>(p.y)});
    arrays.put("plane/window", std::vector<double>{p.window.x_low, p.window.x_high, p.window.y_low, p.window.y_high});
    std::vector<double> corners;
    for (std::size_t k = 0; k < p.projection.x.size(); ++k) corners.insert(corners.end(), {p.projection.x[k], p.projection.y[k]});
    arrays.put("plane/corners", corners, {p.projection.x.size(), 2});
}

}  // namespace

std::string to_string(explore::BoundKind kind) {
    switch (kind) {
        case explore::BoundKind::attained: return "attained";
        case explore::BoundKind::unbounded: return "unbounded";
        case explore::BoundKind::none: return "none";
        default: return "unsure";
    }
}

void write_exploration(const std::string& path, const explore::Exploration& found, const ExploreSource& source) {
    h5::File file = h5::File::create(path);
    const Arrays arrays(file);
    h5::write_attribute(file, "/", "format", "talus explore");
    h5::write_attribute(file, "/", "layout", std::int64_t{1});
    h5::write_attribute(file, "/", "dimension", std::int64_t{found.dimension});
    h5::write_attribute(file, "/", "source", source.file);
    h5::write_attribute(file, "/", "command", source.command);
    h5::write_attribute(file, "/", "version", source.version);
    h5::write_attribute(file, "/", "equilibrium", found.existence);
    h5::write_attribute(file, "/", "seed", static_cast<std::int64_t>(found.samples.settings.seed));
    const double step = found.h, unit = found.unit;
    h5::write_attribute(file, "/", "step", std::span<const double>(&step, 1));
    h5::write_attribute(file, "/", "unit", std::span<const double>(&unit, 1));
    arrays.put("bodies", found.bodies);
    write_contacts(file, arrays, found);
    write_quantities(file, arrays, found);
    write_samples(file, arrays, found);
    write_collapses(file, arrays, found);
    if (found.plane) write_plane(file, arrays, *found.plane);
    if (!found.mechanism.velocity.empty()) {
        const auto bodies = static_cast<hsize_t>(found.bodies.size());
        add_group(file, "mechanism");
        arrays.put("mechanism/velocity", found.mechanism.velocity, {bodies, found.mechanism.velocity.size() / bodies});
        arrays.put("mechanism/spin", found.mechanism.spin, {bodies, found.mechanism.spin.size() / bodies});
    }
    file.close();
}

}  // namespace talus::record
