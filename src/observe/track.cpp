#include "observe/track.h"

#include <limits>

#include <fmt/format.h>

namespace talus::observe {

namespace {

template <int Dim>
Vec<Dim> unwrapped(const Snapshot<Dim>& snapshot, std::size_t i) {
    Vec<Dim> x = snapshot.position[i];
    for (int k = 0; k < Dim; ++k)
        if (snapshot.periodic[static_cast<std::size_t>(k)])
            x[k] += snapshot.image[i][k] * (snapshot.cell_high[k] - snapshot.cell_low[k]);
    return x;
}

}  // namespace

TrackOptions read_track_options(Parameters& parameters, const std::string& name) {
    TrackOptions options;
    options.name = name;
    options.from = parameters.seconds("from");
    options.to = parameters.seconds("to");
    options.period = parameters.period();
    const double periods = static_cast<double>(parameters.count("periods", 1, 1));
    if (!options.period && parameters.has("periods")) parameters.fail("periods", "goes with `period` or `frequency`");
    if (options.period) *options.period *= periods;
    if (options.from && options.to && *options.from >= *options.to) parameters.fail("to", "must be later than `from`");
    return options;
}

template <int Dim>
void Moves<Dim>::save(ByteWriter& out) const {
    out.put(begin);
    out.put(end);
    out.put_array(id);
    out.put_array(start);
    out.put_array(move);
}

template <int Dim>
void Moves<Dim>::load(ByteReader& in) {
    begin = in.get<double>();
    end = in.get<double>();
    in.get_array(id);
    in.get_array(start);
    in.get_array(move);
}

template <int Dim>
double Tracker<Dim>::next_time() const {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (!has_reference_) return options_.from.value_or(-never);
    if (closed_) return never;
    if (!options_.period) return options_.to.value_or(never);
    const double next = first_ + static_cast<double>(strobes_ + 1) * *options_.period;
    return options_.to && next > *options_.to + 1e-9 * *options_.period ? never : next;
}

template <int Dim>
bool Tracker<Dim>::wants(const Moment& moment) const { return moment.has_reached(next_time()); }

template <int Dim>
void Tracker<Dim>::check_time(const Moment& moment, double wanted) const {
    if (!moment.only_frames || !(moment.time > wanted + 0.75 * moment.h) || !std::isfinite(wanted)) return;
    throw InputError(fmt::format("observable `{}` wants the state at t = {:.9g} s, and the run file has no frame there (the next is at "
                                 "{:.9g} s); choose times at which frames were recorded, or put the observable into the scene, "
                                 "where every step can be seen", options_.name, wanted, moment.time));
}

template <int Dim>
void Tracker<Dim>::take_reference(const Snapshot<Dim>& now) {
    reference_ = {};
    reference_.begin = reference_.end = now.time;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (!counts(now, i)) continue;
        reference_.id.push_back(now.id[i]);
        reference_.start.push_back(now.position[i]);
        reference_.move.push_back(unwrapped(now, i));
    }
}

template <int Dim>
Moves<Dim> Tracker<Dim>::moves_to(const Snapshot<Dim>& now) const {
    Moves<Dim> moves;
    moves.begin = reference_.begin;
    moves.end = now.time;
    for (std::size_t k = 0; k < reference_.id.size(); ++k) {
        const auto i = now.index_of(reference_.id[k]);
        if (i < 0 || !counts(now, static_cast<std::size_t>(i))) continue;
        moves.id.push_back(reference_.id[k]);
        moves.start.push_back(reference_.start[k]);
        moves.move.push_back(unwrapped(now, static_cast<std::size_t>(i)) - reference_.move[k]);
    }
    return moves;
}

template <int Dim>
void Tracker<Dim>::see(const Snapshot<Dim>& now, const Moment& moment) {
    check_time(moment, next_time());
    if (!has_reference_) {
        has_reference_ = true;
        first_ = options_.from.value_or(now.time);
        take_reference(now);
        return;
    }
    finish_interval(now, moves_to(now));
    ++strobes_;
    if (options_.period)
        take_reference(now);
    else
        closed_ = true;
}

template <int Dim>
void Tracker<Dim>::save(ByteWriter& out) const {
    out.put(has_reference_);
    out.put(closed_);
    out.put(first_);
    out.put(strobes_);
    reference_.save(out);
}

template <int Dim>
void Tracker<Dim>::load(ByteReader& in) {
    has_reference_ = in.get<bool>();
    closed_ = in.get<bool>();
    first_ = in.get<double>();
    strobes_ = in.get<std::int64_t>();
    reference_.load(in);
}

template struct Moves<2>;
template struct Moves<3>;
template class Tracker<2>;
template class Tracker<3>;

}  // namespace talus::observe
