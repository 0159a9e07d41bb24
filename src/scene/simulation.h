#pragma once
/// \file
/// A running scene: a world with its emitters, sinks, freezing rules and stages.
///
/// `advance()` makes one step: grains that are due are released, the world steps, grains that touched a
/// freezing surface stop, grains in a sink leave, and the next stage begins when this one is over. All
/// random numbers are functions of seeds and counters, so that a resumed run has the same bits.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "step/snapshot.h"
#include "talus/world.h"

namespace talus::scene {

/// Reads the frame a scene starts from; given by whoever can read run files.
template <int Dim>
using FrameLoader = std::function<Snapshot<Dim>(const StartPlan&)>;

/// What happened to grains since the beginning.
struct Counts {
    std::vector<std::int64_t> emitted;  ///< by emitter
    std::vector<std::int64_t> removed;  ///< by sink
    std::int64_t frozen = 0;
    std::int64_t delayed_steps = 0;  ///< steps at which a due grain had to wait
};

template <int Dim>
class Simulation {
public:
    /// \throws InputError when the scene is of another dimension or needs a loader and has none.
    explicit Simulation(const Scene& scene, const FrameLoader<Dim>& loader = {});
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    [[nodiscard]] World<Dim>& world();
    [[nodiscard]] const World<Dim>& world() const;
    [[nodiscard]] const Scene& scene() const;  ///< without its generated grains

    /// Called in the middle of `advance`, when the grains that are due are there and the step is not yet made.
    using BeforeStep = std::function<void(World<Dim>&)>;
    /// One step.
    StepReport advance(const BeforeStep& before_step = {});
    [[nodiscard]] bool finished() const;
    /// Part of the run that is done, in [0, 1]; a stage that ends on a condition counts by its
    /// longest duration, or not at all when it has none.
    [[nodiscard]] double progress() const;
    /// Latest time at which the run ends [s]; infinity when a stage has no longest duration.
    [[nodiscard]] double end_time() const;
    [[nodiscard]] std::string stage() const;
    [[nodiscard]] std::size_t stage_index() const;
    /// True where the scene demands that the tolerance is met at present.
    [[nodiscard]] bool demands_tolerance() const;
    [[nodiscard]] const Counts& counts() const;
    /// Id of a named body. \throws InputError on an unknown name.
    [[nodiscard]] BodyId body(const std::string& name) const;

    [[nodiscard]] std::vector<std::byte> checkpoint() const;
    /// The same, piece by piece.
    void checkpoint(const ByteSink& sink) const;
    /// Into a freshly built simulation of the same scene.
    /// \throws IoError when the bytes are damaged or belong to another scene.
    void restore(std::span<const std::byte> bytes);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

extern template class Simulation<2>;
extern template class Simulation<3>;

}  // namespace talus::scene
