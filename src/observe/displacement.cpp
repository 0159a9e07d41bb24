// Displacements of the grains between instants (track.h), averaged over everything, over regions and over the
// cells of a grid (field.h), a grain belonging to where it was at the beginning of an interval. With a
// period the intervals follow each other, as under a stroboscope [moreau1994, figs. 1-2]: means are per
// interval, and their standard error comes from the scatter between intervals.

#include <cmath>

#include "observe/field.h"
#include "observe/table.h"
#include "observe/track.h"

namespace talus {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <int Dim>
struct Options {
    observe::TrackOptions track;
    observe::FieldOptions<Dim> field;
    std::optional<double> beyond;   ///< grains that moved further are counted [m]
    bool grains = false;
};

template <int Dim>
class Displacement final : public observe::Tracker<Dim> {
public:
    explicit Displacement(const Options<Dim>& options) : observe::Tracker<Dim>(options.track), options_(options), field_(options.field) {}

    [[nodiscard]] observe::Result measure(const Snapshot<Dim>& now) const override {
        if (!this->is_open()) return report();
        Displacement open(*this);   // the interval that is still going on
        open.finish_interval(now, this->moves_to(now));
        return open.report();
    }

    void save(ByteWriter& out) const override {
        observe::Tracker<Dim>::save(out);
        out.put_array(begins_);
        out.put_array(ends_);
        out.put_array(means_);
        out.put_array(std::vector<observe::FieldSums<Dim>>{field_.all});
        out.put_array(field_.regions);
        out.put_array(field_.cells);
        last_.save(out);
    }
    void load(ByteReader& in) override {
        observe::Tracker<Dim>::load(in);
        in.get_array(begins_);
        in.get_array(ends_);
        in.get_array(means_);
        std::vector<observe::FieldSums<Dim>> all;
        in.get_array(all);
        field_.all = all.at(0);
        in.get_array(field_.regions);
        in.get_array(field_.cells);
        last_.load(in);
    }

protected:
    [[nodiscard]] bool counts(const Snapshot<Dim>& snapshot, std::size_t i) const override {
        return options_.field.counts(snapshot, i);
    }
    void finish_interval(const Snapshot<Dim>& now, const observe::Moves<Dim>& moves) override {
        const Vec<Dim> up = observe::vertical(now, Vec<Dim>::Zero().eval()).up;
        observe::Field<Dim> field(options_.field);
        for (std::size_t k = 0; k < moves.id.size(); ++k) field.add(options_.field, up, moves.start[k], moves.move[k]);
        begins_.push_back(moves.begin);
        ends_.push_back(moves.end);
        for (const auto& region : field.regions) means_.push_back(region.mean());
        field_.add(field);
        last_ = moves;
    }

private:
    [[nodiscard]] observe::Result report() const;
    void add_region(observe::Result& result, std::size_t r) const;
    [[nodiscard]] observe::Table interval_table() const;
    [[nodiscard]] observe::Table grain_table() const;

    Options<Dim> options_;
    std::vector<double> begins_, ends_;       ///< of the intervals [s]
    std::vector<Vec<Dim>> means_;             ///< interval by interval, region by region [m]
    observe::Field<Dim> field_;               ///< all intervals together
    observe::Moves<Dim> last_;
};

/// Mean over the intervals in which a grain was there, and its standard error.
template <int Dim>
void Displacement<Dim>::add_region(observe::Result& result, std::size_t r) const {
    const std::size_t regions = options_.field.regions.size();
    const std::string& name = options_.field.names[r];
    Vec<Dim> sum = Vec<Dim>::Zero(), squares = Vec<Dim>::Zero();
    double n = 0.0;
    for (std::size_t k = r; k < means_.size(); k += regions) {
        if (means_[k].hasNaN()) continue;
        sum += means_[k];
        ++n;
    }
    const Vec<Dim> mean = sum / n;
    for (std::size_t k = r; k < means_.size(); k += regions)
        if (!means_[k].hasNaN()) squares += (means_[k] - mean).cwiseAbs2();
    observe::add_vector<Dim>(result, name + "_", mean, "m");
    const Vec<Dim> error = n > 1.0 ? Vec<Dim>((squares / (n * (n - 1.0))).cwiseSqrt()) : Vec<Dim>(Vec<Dim>::Constant(nan));
    observe::add_vector<Dim>(result, name + "_sigma_", error, "m");
    observe::add_region_vorticity(result, name, field_.regions[r], {"d", "m", "rad"});
}

template <int Dim>
observe::Table Displacement<Dim>::interval_table() const {
    observe::TableBuilder table("intervals");
    table.column("begin", "s").column("end", "s");
    for (const auto& name : options_.field.names) table.template vector<Dim>(name + "_", "m");
    for (std::size_t k = 0; k < begins_.size(); ++k) {
        table.put(begins_[k]).put(ends_[k]);
        const std::size_t regions = options_.field.regions.size();
        for (std::size_t r = 0; r < regions; ++r) table.template put<Dim>(means_[k * regions + r]);
    }
    return table.take();
}

template <int Dim>
observe::Table Displacement<Dim>::grain_table() const {
    observe::TableBuilder table("grains");
    table.column("id").template vector<Dim>("", "m").template vector<Dim>("d", "m");
    for (std::size_t k = 0; k < last_.id.size(); ++k)
        table.put(static_cast<double>(last_.id[k])).template put<Dim>(last_.start[k]).template put<Dim>(last_.move[k]);
    return table.take();
}

template <int Dim>
observe::Result Displacement<Dim>::report() const {
    observe::Result result;
    double largest = last_.move.empty() ? nan : 0.0;
    double moved = 0.0;
    for (const auto& move : last_.move) {
        largest = std::max(largest, move.norm());
        moved += options_.beyond && move.norm() > *options_.beyond;
    }
    result.add("begin", begins_.empty() ? nan : begins_.front(), "s");
    result.add("end", ends_.empty() ? nan : ends_.back(), "s");
    result.add("intervals", static_cast<double>(begins_.size()));
    result.add("grains", static_cast<double>(last_.id.size()));
    observe::add_vector<Dim>(result, "mean_", field_.all.mean(), "m");
    result.add("rms", std::sqrt(field_.all.squares / field_.all.count), "m");
    result.add("max", largest, "m");
    if (options_.beyond) result.add("moved", moved);
    for (std::size_t r = 0; r < options_.field.regions.size(); ++r) add_region(result, r);
    result.tables.push_back(interval_table());
    if (options_.field.has_grid) result.tables.push_back(observe::grid_table(options_.field, field_, {"d", "m", "rad"}));
    if (options_.grains) result.tables.push_back(grain_table());
    return result;
}

template <int Dim>
observe::Measurement<Dim> make(observe::Parameters& parameters) {
    Options<Dim> options;
    options.track = observe::read_track_options(parameters, "displacement");
    options.field = observe::read_field_options<Dim>(parameters);
    options.beyond = parameters.positive_length("beyond");
    options.grains = parameters.flag("grains", false);
    return std::shared_ptr<observe::Memory<Dim>>(std::make_shared<Displacement<Dim>>(options));
}

}  // namespace

void register_displacement(ObservableRegistry& registry) {
    registry.add("displacement", "displacement of the grains between instants or stroboscopic, by regions and on a grid; vorticity",
                 make<2>, make<3>, observe::Needs::frames);
}

}  // namespace talus
