#pragma once
/// \file
/// Averages of a vector field that grains sample (velocity, displacement), by named regions and by the
/// cells of a grid: mean, and vorticity of the linear field that fits the samples best in the sense of
/// least squares. All is kept as sums, which can be added up over intervals and put into a checkpoint.
///
/// Limits: vorticity wants Dim + 1 grains that do not lie on a line or plane, else it is NaN.

#include <array>
#include <set>
#include <string>
#include <vector>

#include "observe/forces.h"
#include "observe/region.h"
#include "observe/registry.h"

namespace talus::observe {

/// Sums over samples u at places x.
template <int Dim>
struct FieldSums {
    double count = 0.0, squares = 0.0;                               ///< [-], of u
    Vec<Dim> x = Vec<Dim>::Zero(), u = Vec<Dim>::Zero();
    Mat<Dim> xx = Mat<Dim>::Zero(), ux = Mat<Dim>::Zero();

    void add(const Vec<Dim>& place, const Vec<Dim>& sample);
    void add(const FieldSums& other);
    [[nodiscard]] Vec<Dim> mean() const { return u / count; }         ///< NaN without samples
    [[nodiscard]] Spin<Dim> vorticity() const;
};

template <int Dim>
struct FieldOptions {
    std::vector<std::string> names;          ///< of the regions
    std::vector<Region<Dim>> regions;
    bool has_grid = false;
    Vec<Dim> low = Vec<Dim>::Zero(), high = Vec<Dim>::Zero();
    std::array<int, Dim> cells{};
    std::set<std::int32_t> tags;             ///< of the grains that count; empty: all

    [[nodiscard]] std::size_t cell_count() const;
    /// Cell of the grid that holds x, or -1.
    [[nodiscard]] std::ptrdiff_t cell_of(const Vec<Dim>& x) const;
    [[nodiscard]] Vec<Dim> cell_centre(std::size_t cell) const;
    [[nodiscard]] bool counts(const Snapshot<Dim>& snapshot, std::size_t i) const {
        return is_grain(snapshot, i) && (tags.empty() || tags.contains(snapshot.tag[i]));
    }
};

/// Reads `regions`, `grid`, `tags`.
template <int Dim>
[[nodiscard]] FieldOptions<Dim> read_field_options(Parameters& parameters);

/// A field under way: sums of everything, of each region, of each cell.
template <int Dim>
struct Field {
    explicit Field(const FieldOptions<Dim>& options);
    void add(const FieldOptions<Dim>& options, const Vec<Dim>& up, const Vec<Dim>& place, const Vec<Dim>& sample);
    void add(const Field& other);

    FieldSums<Dim> all;
    std::vector<FieldSums<Dim>> regions, cells;
};

/// How the quantity of a field is called.
struct FieldWords {
    std::string column;          ///< of tables, before x y z: `d`, `v`
    std::string unit;            ///< of the quantity
    std::string vorticity_unit;
};

/// `NAME_grains`, `NAME_vorticity...` of each region; its mean is up to the caller.
template <int Dim>
void add_region_vorticity(Result& result, const std::string& name, const FieldSums<Dim>& sums, const FieldWords& words);

/// Table `grid`: centres of the cells, number of samples, mean, vorticity.
template <int Dim>
[[nodiscard]] Table grid_table(const FieldOptions<Dim>& options, const Field<Dim>& field, const FieldWords& words);

}  // namespace talus::observe
