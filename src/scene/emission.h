#pragma once
/// \file
/// Releases the grains of emitters, one by one.
///
/// Grain k of an emitter is due at its start + k / rate; its size, place and velocity are functions of
/// the emitter's seed and k, so that the only state is a few counters. With `lowest_free` it is let down
/// along the vertical to where it would first touch: exactly for balls, by stepping along the clearance
/// for boundaries. A grain without room waits, and with it those that follow. Grains that are not round are
/// placed by the ball that holds them.

#include <cstdint>
#include <optional>
#include <vector>

#include "scene/scene.h"
#include "state/archive.h"
#include "talus/world.h"

namespace talus::scene {

/// What an emitter has done.
struct EmitterState {
    std::int64_t made = 0;         ///< in all
    std::int64_t made_before = 0;  ///< when it was last switched on
    double origin = 0.0;           ///< time when it was last switched on [s]
    std::int64_t attempt = 0;      ///< places tried for the grain that is due
    std::uint8_t on = 0;
};

template <int Dim>
class Emission {
public:
    explicit Emission(const Scene& scene) : scene_(scene), states_(scene.emitters.size()) {}

    void switch_to(const std::vector<bool>& on, double time);
    /// Releases what is due before the step that begins now. Returns whether a grain had to wait.
    /// \throws InputError when there is nothing a grain could come to lie on.
    bool release(World<Dim>& world);
    /// No emitter that is on has anything left to make.
    [[nodiscard]] bool is_done(double time) const;
    [[nodiscard]] const std::vector<EmitterState>& states() const { return states_; }

    /// Height of the apex: the highest free ball that touches two bodies or more; none: no such ball.
    [[nodiscard]] std::optional<double> apex(const World<Dim>& world) const;

    /// Contacts of the last step do not survive a checkpoint, the apex they gave does.
    void save(ByteWriter& out, const World<Dim>& world) const;
    void load(ByteReader& in);

private:
    [[nodiscard]] bool is_due(std::size_t i, double time) const;
    bool release_one(std::size_t i, World<Dim>& world);
    void add_solid(std::size_t i, const BallSpec<Dim>& ball, World<Dim>& world) const;
    [[nodiscard]] std::optional<Vec<Dim>> find_place(std::size_t i, double radius, World<Dim>& world);
    [[nodiscard]] std::optional<double> lowest_free(const EmitterPlan& emitter, double s, double t, double radius,
                                                    const World<Dim>& world) const;

    const Scene& scene_;
    std::vector<EmitterState> states_;
    bool has_stored_apex_ = false;  ///< until the first step after a restore
    std::optional<double> stored_apex_;
};

extern template class Emission<2>;
extern template class Emission<3>;

}  // namespace talus::scene
