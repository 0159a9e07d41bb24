#include "observe/field.h"

#include <cmath>
#include <limits>
#include <set>

#include <Eigen/LU>

#include "observe/table.h"

namespace talus::observe {

namespace {

/// Curl of a field with gradient G (du_i/dx_j).
Spin<2> curl(const Mat<2>& G) { return Spin<2>(G(1, 0) - G(0, 1)); }
Spin<3> curl(const Mat<3>& G) { return {G(2, 1) - G(1, 2), G(0, 2) - G(2, 0), G(1, 0) - G(0, 1)}; }

/// Names of its components: one about the axis that leaves the page, or three.
std::vector<std::string> curl_names(const Vec<2>&) { return {"vorticity"}; }
std::vector<std::string> curl_names(const Vec<3>&) { return {"vorticity_x", "vorticity_y", "vorticity_z"}; }

template <int Dim>
void read_grid(Parameters& parameters, FieldOptions<Dim>& options) {
    if (!parameters.has("grid")) return;
    const Spec spec = parameters.child("grid");
    Parameters keys(spec, Dim);
    for (const char* key : {"low", "high", "cells"})
        if (!keys.has(key)) keys.fail(key, "is missing");
    options.has_grid = true;
    options.low = keys.point<Dim>("low", options.low);
    options.high = keys.point<Dim>("high", options.high);
    if (!(options.low.array() < options.high.array()).all()) keys.fail("high", "must be greater than `low` in every direction");
    const auto cells = keys.numbers("cells", Dim);
    for (std::size_t k = 0; k < Dim; ++k) {
        if (!(cells[k] >= 1.0 && cells[k] <= 1e6 && cells[k] == std::floor(cells[k]))) keys.fail("cells", "must be whole numbers of at least 1");
        options.cells[k] = static_cast<int>(cells[k]);
    }
    keys.finish();
}

}  // namespace

template <int Dim>
void FieldSums<Dim>::add(const Vec<Dim>& place, const Vec<Dim>& sample) {
    ++count;
    squares += sample.squaredNorm();
    x += place;
    u += sample;
    xx += place * place.transpose();
    ux += sample * place.transpose();
}

template <int Dim>
void FieldSums<Dim>::add(const FieldSums& other) {
    count += other.count;
    squares += other.squares;
    x += other.x;
    u += other.u;
    xx += other.xx;
    ux += other.ux;
}

template <int Dim>
Spin<Dim> FieldSums<Dim>::vorticity() const {
    const Spin<Dim> none = Spin<Dim>::Constant(std::numeric_limits<double>::quiet_NaN());
    if (count < Dim + 1) return none;
    const Mat<Dim> spread = xx - x * x.transpose() / count;
    const Mat<Dim> together = ux - u * x.transpose() / count;
    // Singular to rounding when the places lie on a line (or plane): their spread has no volume.
    if (!(spread.determinant() > 1e-12 * std::pow(spread.trace() / Dim, Dim))) return none;
    return curl(Mat<Dim>(together * spread.inverse()));
}

template <int Dim>
std::size_t FieldOptions<Dim>::cell_count() const {
    if (!has_grid) return 0;
    std::size_t count = 1;
    for (const int n : cells) count *= static_cast<std::size_t>(n);
    return count;
}

template <int Dim>
std::ptrdiff_t FieldOptions<Dim>::cell_of(const Vec<Dim>& x) const {
    std::ptrdiff_t cell = 0;
    for (int k = Dim - 1; k >= 0; --k) {
        const int n = cells[static_cast<std::size_t>(k)];
        if (!has_grid || x[k] < low[k] || x[k] >= high[k]) return -1;
        cell = cell * n + std::min(n - 1, static_cast<int>((x[k] - low[k]) / (high[k] - low[k]) * n));
    }
    return cell;
}

template <int Dim>
Vec<Dim> FieldOptions<Dim>::cell_centre(std::size_t cell) const {
    Vec<Dim> centre;
    for (int k = 0; k < Dim; ++k) {
        const auto n = static_cast<std::size_t>(cells[static_cast<std::size_t>(k)]);
        centre[k] = low[k] + (static_cast<double>(cell % n) + 0.5) * (high[k] - low[k]) / static_cast<double>(n);
        cell /= n;
    }
    return centre;
}

template <int Dim>
FieldOptions<Dim> read_field_options(Parameters& parameters) {
    FieldOptions<Dim> options;
    std::set<std::string> names;
    for (const Spec& spec : parameters.children("regions")) {
        Parameters keys(spec, Dim);
        const std::string name = keys.name("name", "");
        if (name.empty()) keys.fail("name", "is missing; give it: what the region is called in the results");
        if (!names.insert(name).second) keys.fail("name", "is given to two regions: `" + name + "`");
        options.names.push_back(name);
        options.regions.push_back(read_region_of<Dim>(keys));
        keys.finish();
    }
    read_grid(parameters, options);
    options.tags = parameters.tags("tags");
    return options;
}

template <int Dim>
Field<Dim>::Field(const FieldOptions<Dim>& options) : regions(options.regions.size()), cells(options.cell_count()) {}

template <int Dim>
void Field<Dim>::add(const FieldOptions<Dim>& options, const Vec<Dim>& up, const Vec<Dim>& place, const Vec<Dim>& sample) {
    all.add(place, sample);
    for (std::size_t k = 0; k < regions.size(); ++k)
        if (options.regions[k].depth(place, up) >= 0.0) regions[k].add(place, sample);
    if (const auto cell = options.cell_of(place); cell >= 0) cells[static_cast<std::size_t>(cell)].add(place, sample);
}

template <int Dim>
void Field<Dim>::add(const Field& other) {
    all.add(other.all);
    for (std::size_t k = 0; k < regions.size(); ++k) regions[k].add(other.regions[k]);
    for (std::size_t k = 0; k < cells.size(); ++k) cells[k].add(other.cells[k]);
}

template <int Dim>
void add_region_vorticity(Result& result, const std::string& name, const FieldSums<Dim>& sums, const FieldWords& words) {
    const Spin<Dim> vorticity = sums.vorticity();
    const auto names = curl_names(sums.x);
    for (std::size_t k = 0; k < names.size(); ++k) result.add(name + "_" + names[k], vorticity[static_cast<int>(k)], words.vorticity_unit);
    result.add(name + "_grains", sums.count);
}

template <int Dim>
Table grid_table(const FieldOptions<Dim>& options, const Field<Dim>& field, const FieldWords& words) {
    TableBuilder table("grid");
    table.template vector<Dim>("", "m").column("count").template vector<Dim>(words.column, words.unit);
    for (const auto& name : curl_names(Vec<Dim>())) table.column(name, words.vorticity_unit);
    for (std::size_t cell = 0; cell < field.cells.size(); ++cell) {
        const auto& sums = field.cells[cell];
        table.template put<Dim>(options.cell_centre(cell)).put(sums.count).template put<Dim>(sums.mean());
        const Spin<Dim> vorticity = sums.vorticity();
        for (int k = 0; k < spin_size<Dim>; ++k) table.put(vorticity[k]);
    }
    return table.take();
}

template struct FieldSums<2>;
template struct FieldSums<3>;
template struct FieldOptions<2>;
template struct FieldOptions<3>;
template struct Field<2>;
template struct Field<3>;
template FieldOptions<2> read_field_options<2>(Parameters&);
template FieldOptions<3> read_field_options<3>(Parameters&);
template void add_region_vorticity<2>(Result&, const std::string&, const FieldSums<2>&, const FieldWords&);
template void add_region_vorticity<3>(Result&, const std::string&, const FieldSums<3>&, const FieldWords&);
template Table grid_table<2>(const FieldOptions<2>&, const Field<2>&, const FieldWords&);
template Table grid_table<3>(const FieldOptions<3>&, const Field<3>&, const FieldWords&);

}  // namespace talus::observe
