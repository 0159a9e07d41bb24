#pragma once
/// \file
/// When an observable with a memory takes samples: at every frame, after every step, or at multiples of a
/// time; within a window of time. The count of what was taken is part of its checkpoint.

#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "observe/memory.h"
#include "observe/parameters.h"

namespace talus::observe {

class Schedule {
public:
    /// Reads `from`, `to`, `every` [s], `sample` (frames or steps).
    Schedule(Parameters& parameters, std::string name, bool steps) : name_(std::move(name)) {
        from_ = parameters.seconds("from").value_or(-std::numeric_limits<double>::infinity());
        to_ = parameters.seconds("to").value_or(std::numeric_limits<double>::infinity());
        if (from_ >= to_) parameters.fail("to", "must be later than `from`");
        every_ = parameters.seconds("every");
        if (every_ && !(*every_ > 0.0)) parameters.fail("every", "must be a time greater than 0");
        if (every_ && parameters.has("sample")) parameters.fail("every", "is given as well as `sample`; give one of them");
        steps_ = parameters.choice("sample", steps ? std::vector<std::string>{"steps", "frames"} : std::vector<std::string>{"frames", "steps"}) == "steps" && !every_;
    }

    /// True where samples are taken between frames, which hold no interval sums.
    [[nodiscard]] bool is_between_frames() const { return steps_ || every_.has_value(); }
    [[nodiscard]] double from() const { return from_; }
    void set_end(double to) { to_ = to; }

    [[nodiscard]] bool is_due(const Moment& moment) const {
        if (!moment.has_reached(from_) || moment.time > to_ + 0.5 * moment.h) return false;
        if (every_) return passed(moment) > taken_;
        return steps_ || moment.is_frame;
    }
    /// A sample is taken now. \throws InputError when the run file has not the frames it needs.
    void take(const Moment& moment) {
        if (moment.only_frames && steps_)
            throw InputError(fmt::format("observable `{}` samples every step, which a run file does not hold; write `sample: frames`, or put the "
                                         "observable into the scene", name_));
        if (!every_) return;
        const std::int64_t now = passed(moment);
        if (moment.only_frames && taken_ >= 0 && now > taken_ + 1)
            throw InputError(fmt::format("observable `{}` wants a sample every {:.9g} s, and the frames of the run file are further apart (at {:.9g} s); "
                                         "leave `every` out to take the frames there are, or put the observable into the scene", name_, *every_, moment.time));
        taken_ = now;
    }
    void save(ByteWriter& out) const { out.put(taken_); }
    void load(ByteReader& in) { taken_ = in.get<std::int64_t>(); }

private:
    /// Multiples of `every` since the beginning of the window.
    [[nodiscard]] std::int64_t passed(const Moment& moment) const {
        const double begin = std::isfinite(from_) ? from_ : 0.0;
        return static_cast<std::int64_t>(std::floor((moment.time - begin + 0.5 * moment.h) / *every_));
    }

    std::string name_;
    double from_ = 0.0, to_ = 0.0;          ///< [s]
    std::optional<double> every_;           ///< [s]
    bool steps_ = false;
    std::int64_t taken_ = -1;
};

}  // namespace talus::observe
