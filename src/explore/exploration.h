#pragma once
/// \file
/// Everything that was found out about a state at rest, as plain data in world axes: what is printed, written and drawn.

#include <optional>
#include <string>
#include <vector>

#include "explore/bounds.h"
#include "explore/sample.h"

namespace talus::explore {

/// Vectors of contacts and bodies, flat: `dimension` numbers each.
using Flat = std::vector<double>;

struct ContactTable {
    std::vector<std::int64_t> a, b;       ///< body ids; forces are those that b gives a
    std::vector<std::int64_t> feature;
    Flat point, normal;                   ///< [m], [-]
    std::vector<double> friction, gap;    ///< [-], [m]
    [[nodiscard]] std::size_t size() const { return a.size(); }
};

/// A motion of all bodies: linear velocities, then angular ones, flat.
struct MotionTable {
    Flat velocity, spin;
};

struct BoundFound {
    BoundKind kind = BoundKind::none;
    double value = 0.0;    ///< [N]
    Flat forces;           ///< that attain it, or a self-stress without limit [N]
    Certificate certificate;
};

struct QuantityFound {
    std::string name;
    Flat weights;                  ///< value = sum over contacts of weights . force
    BoundFound least, greatest;
    double found = 0.0;            ///< with the forces that the state carries [N]
    std::vector<double> samples;   ///< values, by sample [N]
    double sample_least = 0.0, sample_greatest = 0.0;   ///< over samples at rest; NaN without any
    int outside = 0;               ///< samples at rest beyond the bounds
    [[nodiscard]] bool varies(double unit) const;
};

struct LimitFound {
    BoundKind kind = BoundKind::none;
    double multiplier = 0.0;
    Flat forces;
    MotionTable mechanism;
    Certificate certificate;
};

struct CollapseFound {
    std::string name, unit;
    LimitFound least, greatest;
};

struct SamplesFound {
    SampleSettings settings;
    std::vector<std::uint8_t> outcome;
    std::vector<double> velocity;                     ///< largest, over g h [-]
    std::vector<std::int64_t> sweeps, sweeps_again;
    std::vector<Flat> start, forces;                  ///< [N]
    int stay = 0, move = 0, unsolved = 0, fixed_points = 0;
    [[nodiscard]] std::size_t size() const { return outcome.size(); }
};

struct PlaneFound {
    std::size_t x = 0, y = 0;      ///< quantities
    Window window;
    Projection projection;
    bool x_goes_on = false, y_goes_on = false;   ///< beyond the window
};

struct Exploration {
    int dimension = 2;
    double gravity = 0.0, h = 0.0;     ///< [m/s2], [s]
    double unit = 0.0;                 ///< largest load on a body [N]
    std::vector<std::int64_t> bodies;  ///< ids
    ContactTable contacts;
    std::string existence;             ///< some, none, unsure
    Certificate certificate;
    std::vector<std::int64_t> untouched;
    MotionTable mechanism;             ///< where there is no equilibrium
    Flat found;                        ///< forces that the step finds from the history of the state [N]
    bool found_rests = false, found_solved = false;   ///< that step left all at rest; it was solved to its tolerance
    std::vector<QuantityFound> quantities;
    SamplesFound samples;
    std::optional<PlaneFound> plane;
    std::vector<CollapseFound> collapses;
    double inside_tolerance = 1e-6;    ///< of a sample against a bound, times max(unit, |bound|) [-]

    [[nodiscard]] int outside() const;
    /// Samples at rest where the exact answer is that there is no equilibrium.
    [[nodiscard]] int impossible() const { return existence == "none" ? samples.stay : 0; }
    /// Some program was not solved to its accuracy.
    [[nodiscard]] bool is_unsure() const;
    /// What was sampled agrees with what is proved.
    [[nodiscard]] bool is_consistent() const { return outside() == 0 && impossible() == 0; }
};

/// Explores one state, step by step; `add_…` in any order after the constructor, `finish` last.
template <int Dim>
class Explorer {
public:
    /// \throws InputError as `force_set` does.
    Explorer(World<Dim>& world, const SampleSettings& settings);

    [[nodiscard]] const ForceSet<Dim>& set() const { return set_; }
    [[nodiscard]] const World<Dim>& world() const { return world_; }
    [[nodiscard]] const Exploration& result() const { return out_; }

    void add_sample();                              ///< the next one
    void add_quantity(const Quantity& quantity);    ///< with its bounds
    void add_collapse(const Thrust& load);
    /// Totals on every named wall that is touched (on all walls together where some have no name), and the contact whose normal force is
    /// least determined: by its exact range up to a hundred contacts, else by its spread in the samples. `names` by body id.
    void add_default_quantities(const std::vector<std::pair<BodyId, std::string>>& names);
    /// Values of the samples, checks, and the picture along two quantities (from 0), or along the first two that vary.
    Exploration finish(std::optional<std::pair<std::size_t, std::size_t>> plane = {});

private:
    [[nodiscard]] Flat flat(const Eigen::VectorXd& f) const;
    [[nodiscard]] MotionTable table(const Motion<Dim>& motion) const;
    [[nodiscard]] LimitFound limit(const Limit<Dim>& l) const;
    [[nodiscard]] std::optional<std::size_t> least_determined_contact() const;
    void describe();
    void judge_samples(QuantityFound& q, const Quantity& quantity) const;
    void look_at(std::size_t x, std::size_t y);

    World<Dim>& world_;
    ForceSet<Dim> set_;
    Exploration out_;
    std::vector<Quantity> quantities_;
    std::vector<Eigen::VectorXd> sampled_;
};

extern template class Explorer<2>;
extern template class Explorer<3>;

}  // namespace talus::explore
