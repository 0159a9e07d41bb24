#pragma once
/// \file
/// Displacements of grains between instants: from a reference to now, between two stated times, or
/// stroboscopic, once every so many periods of a drive. Positions are unwrapped across periodic borders;
/// a grain counts when it is there at both ends. Base of the observables `displacement` and `stagnation`.
///
/// While running, the instants are the steps nearest to the stated times. From a run file they must be
/// frames: one that is missing is an error that says which.

#include <optional>
#include <vector>

#include "observe/registry.h"

namespace talus::observe {

struct TrackOptions {
    std::string name;                    ///< of the observable, for messages
    std::optional<double> from, to;      ///< [s]; the first moment, now
    std::optional<double> period;        ///< between strobes: `periods` times the period of the drive [s]
};

/// Reads `from`, `to`, `period` or `frequency`, `periods`.
[[nodiscard]] TrackOptions read_track_options(Parameters& parameters, const std::string& name);

/// Grains and how they moved; parallel arrays, ids increasing.
template <int Dim>
struct Moves {
    double begin = 0.0, end = 0.0;       ///< [s]
    std::vector<BodyId> id;
    std::vector<Vec<Dim>> start;         ///< inside the periodic cell [m]
    std::vector<Vec<Dim>> move;          ///< [m]

    void save(ByteWriter& out) const;
    void load(ByteReader& in);
};

template <int Dim>
class Tracker : public Memory<Dim> {
public:
    explicit Tracker(TrackOptions options) : options_(std::move(options)) {}

    [[nodiscard]] bool wants(const Moment& moment) const override;
    void see(const Snapshot<Dim>& now, const Moment& moment) override;
    void save(ByteWriter& out) const override;
    void load(ByteReader& in) override;

protected:
    /// A finished interval; `now` is its end.
    virtual void finish_interval(const Snapshot<Dim>& now, const Moves<Dim>& moves) = 0;
    /// Does this grain count?
    [[nodiscard]] virtual bool counts(const Snapshot<Dim>& snapshot, std::size_t i) const = 0;

    [[nodiscard]] bool has_reference() const { return has_reference_; }
    /// True while the interval from the reference to now is still to be measured: no end and no period.
    [[nodiscard]] bool is_open() const { return has_reference_ && !options_.period && !closed_; }
    /// From the reference to `now`.
    [[nodiscard]] Moves<Dim> moves_to(const Snapshot<Dim>& now) const;

private:
    [[nodiscard]] double next_time() const;   ///< of the next look [s]; infinity: none
    void check_time(const Moment& moment, double wanted) const;
    void take_reference(const Snapshot<Dim>& now);

    TrackOptions options_;
    bool has_reference_ = false, closed_ = false;
    double first_ = 0.0;                 ///< beginning of the first interval [s]
    std::int64_t strobes_ = 0;           ///< intervals done
    Moves<Dim> reference_;               ///< `start` and, in `move`, the unwrapped position
};

extern template struct Moves<2>;
extern template struct Moves<3>;
extern template class Tracker<2>;
extern template class Tracker<3>;

}  // namespace talus::observe
