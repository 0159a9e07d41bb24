#pragma once
/// \file
/// What an observable keeps between the instants at which it is measured: reference positions, sums by
/// phase, series. It says itself at which moments it wants to look. While a world runs it is asked after
/// every step; afterwards, with a run file, at the stored frames only. Its state is part of every
/// checkpoint, so that a resumed run gives the same bits.

#include <cstdint>

#include "observe/result.h"
#include "state/archive.h"
#include "step/snapshot.h"
#include "talus/report.h"

namespace talus::observe {

/// What an observable must be shown.
enum class Needs : std::uint8_t {
    frame,    ///< the frame that is measured
    frames,   ///< earlier instants too; frames of a run file will do
    reports,  ///< the report of every step
    steps     ///< unless told otherwise, the state after every step: not to be had from a run file
};

/// A moment at which a memory may look at the state.
struct Moment {
    double time = 0.0;          ///< [s]
    std::int64_t step = 0;
    double h = 0.0;             ///< time step [s]
    bool is_frame = false;      ///< a frame is recorded here
    bool only_frames = false;   ///< the steps between frames cannot be had

    /// Is it the first moment at or after `when`, or later? Half a step early counts: times are sums.
    [[nodiscard]] bool has_reached(double when) const { return time >= when - 0.5 * h; }
};

template <int Dim>
class Memory {
public:
    virtual ~Memory() = default;
    /// Does it want to see the state of this moment? Asked often, so it must be cheap.
    [[nodiscard]] virtual bool wants(const Moment& moment) const = 0;
    virtual void see(const Snapshot<Dim>& now, const Moment& moment) = 0;
    [[nodiscard]] virtual bool wants_reports() const { return false; }
    virtual void see_report(const StepReport&) {}
    [[nodiscard]] virtual Result measure(const Snapshot<Dim>& now) const = 0;
    virtual void save(ByteWriter& out) const = 0;
    virtual void load(ByteReader& in) = 0;
};

}  // namespace talus::observe
