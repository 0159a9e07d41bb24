#pragma once
/// \file
/// From geometry to the contact problem: body lines, free velocities, Delassus operators, velocities
/// before the step, and the impulses to start from.

#include <cstdint>
#include <vector>

#include "contact/arrange.h"
#include "contact/cache.h"
#include "contact/problem.h"
#include "detect/narrow/touch.h"
#include "state/drives.h"
#include "state/materials.h"

namespace talus {

/// Where a contact lives in the problem: kind and index in one number.
class ContactRecord {
public:
    enum class Kind : std::uint8_t { ball, general, link };
    ContactRecord() = default;
    ContactRecord(Kind kind, std::size_t index) : code_(static_cast<std::uint32_t>(index << 2 | static_cast<std::size_t>(kind))) {}
    [[nodiscard]] Kind kind() const { return static_cast<Kind>(code_ & 3u); }
    [[nodiscard]] std::size_t index() const { return code_ >> 2; }

private:
    std::uint32_t code_ = 0;
};

/// Where contact k of the touch list lives in the problem, and its kinematics. Contacts that are links come
/// first among the links of the problem.
///
/// Cohesion C is a pull -C h n that the two bodies are given beforehand: what the problem then solves for is
/// S^ = S + C h n, which obeys the law without cohesion. `impulse_of` gives the true S.
template <int Dim>
struct ContactLinks {
    const std::vector<Touch<Dim>>* touches = nullptr;   ///< the list; it must stay as long as the contacts are asked about
    std::vector<ContactRecord> records;     ///< empty when all are ball contacts, in the order of the list
    std::vector<Vec<Dim>> wall;             ///< W, world axes [m/s]; empty when nothing driven moves
    // by link of kind contact, along its couple rows, times its length
    std::vector<Spin<Dim>> couple_before;   ///< relative spin before the step, drives included [m/s]
    std::vector<Spin<Dim>> couple_wall;     ///< share of the drives [m/s]
    // empty without cohesion
    std::vector<double> pull;               ///< C h [N s]; 0 where no cohesion acts
    std::vector<BondState> bond;
    std::vector<LineMotion<Dim>> unpulled;  ///< free velocities without the pulls
    std::vector<std::uint8_t> simple;       ///< by body: a ball, or held, whose inverse inertia is a multiple of the identity
    struct Counts {
        std::size_t balls = 0, generals = 0, links = 0;
    };
    std::vector<Counts> counts;             ///< by chunk of contacts, then where the chunk's begin
    std::vector<std::uint32_t> ball_touch;  ///< ball contact -> contact; empty when all are ball contacts
    Arranger<Dim> arranger;
    /// By body: change of spin by the gyroscopic term [rad/s]; empty when there are only balls and walls.
    std::vector<Spin<Dim>> gyroscopic;

    [[nodiscard]] ContactRecord record(std::size_t k) const { return records.empty() ? ContactRecord(ContactRecord::Kind::ball, k) : records[k]; }
    [[nodiscard]] const Vec<Dim>& normal(std::size_t k) const { return (*touches)[k].normal; }
    [[nodiscard]] Vec<Dim> W(std::size_t k) const { return wall.empty() ? Vec<Dim>(Vec<Dim>::Zero()) : wall[k]; }
};

template <int Dim>
struct GatherInput {
    const Bodies<Dim>& bodies;
    const Cell<Dim>& cell;
    const Placement<Dim>& at;
    const CandidateList<Dim>& list;
    const DrivenMotion<Dim>& motion;
    const TouchList<Dim>& touch;
    const ContactCache<Dim>& cache;
    const Materials& materials;
    Vec<Dim> gravity;
    double h = 0.0;
    const std::vector<Wrench<Dim>>& loads;            ///< of the bodies below
    const std::vector<std::int32_t>& loaded_bodies;
    std::size_t joints = 0;                           ///< that will join the contacts in the problem
    bool warm_start = true;
    bool springs_back = false;                        ///< some law may give tangential velocity back
    const Threads& threads;
};

/// Fills all of the problem but joints and laws. History that is in the problem is used up.
template <int Dim>
void gather(const GatherInput<Dim>& in, ContactProblem<Dim>& problem, ContactLinks<Dim>& links);

/// Bodies in their own order have their lines anywhere: whoever goes along them fetches those of so many bodies ahead.
inline constexpr std::size_t lines_ahead = 16;

/// Says that the contacts after k will be asked about next, or set.
template <int Dim>
[[gnu::always_inline]] inline void look_ahead(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k) {
    constexpr std::size_t ahead = 12;
    if (k + ahead >= links.touches->size()) return;
    const ContactRecord r = links.record(k + ahead);
    if (r.kind() == ContactRecord::Kind::ball) problem.balls.fetch(r.index());
}

/// The same, and the lines of their bodies: of contacts less far ahead, whose blocks have come.
template <int Dim>
[[gnu::always_inline]] inline void look_ahead_at_bodies(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k) {
    constexpr std::size_t ahead = 6;
    look_ahead(problem, links, k);
    if (k + ahead >= links.touches->size()) return;
    const ContactRecord r = links.record(k + ahead);
    if (r.kind() != ContactRecord::Kind::ball) return;
    const LinePair pair = problem.balls.lines(r.index());
    __builtin_prefetch(&problem.lines[pair.a]);
    __builtin_prefetch(&problem.lines[pair.b]);
}

/// Impulse of contact k in world axes, its cohesion included.
template <int Dim>
[[nodiscard]] Vec<Dim> impulse_of(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k);
/// Its couple on body a in world axes, about the contact point [N m s].
template <int Dim>
[[nodiscard]] Spin<Dim> couple_of(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k);

/// Relative spin along the couple rows of a link, times its length, for the velocities of `lines`.
template <int Dim, class Line>
[[nodiscard]] inline Spin<Dim> couple_velocity_of(const ContactProblem<Dim>& problem, const std::vector<Line>& lines,
                                                  const ContactLinks<Dim>& links, std::size_t link) {
    const auto& c = problem.links[link];
    return (formal_velocity(c, lines[c.a], lines[c.b]) - c.c).template tail<spin_size<Dim>>() + links.couple_wall[link];
}

/// Radius by which couples are measured: r_a r_b/(r_a + r_b), of bodies that are not balls that of the ball that
/// holds them; boundaries are flat.
template <int Dim>
[[nodiscard]] inline double effective_radius(const Bodies<Dim>& bodies, const Touch<Dim>& t) {
    const double ra = bodies.radius[t.a], rb = bodies.radius[t.b];
    return bodies.is_boundary(t.b) ? ra : ra * rb / (ra + rb);
}

/// Relative velocity U = G u + W of contact k for the velocities of `lines`, world axes.
template <int Dim, class Line>
[[nodiscard]] Vec<Dim> velocity_of(const ContactProblem<Dim>& problem, const std::vector<Line>& lines,
                                   const ContactLinks<Dim>& links, std::size_t k);
/// The same for the present lines of the problem.
template <int Dim>
[[nodiscard]] inline Vec<Dim> velocity_of(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links,
                                          std::size_t k) {
    return velocity_of(problem, problem.lines, links, k);
}

/// Puts the velocities of before the step, which the bodies still have, into `problem.motions()`.
template <int Dim>
void note_start(const Bodies<Dim>& bodies, const CandidateList<Dim>& list, const Threads& threads, ContactProblem<Dim>& problem);
/// U- = G u_I + W of contact k from there, world axes [m/s].
template <int Dim>
[[nodiscard]] Vec<Dim> velocity_before(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k);

/// The mean of U- and of the velocity for the present lines.
template <int Dim>
[[nodiscard]] Vec<Dim> mean_velocity(const ContactProblem<Dim>& problem, const ContactLinks<Dim>& links, std::size_t k);

/// Length by which the spin of a line is scaled: its radius for a ball, 1 m else.
template <int Dim>
[[nodiscard]] inline double spin_scale(const Bodies<Dim>& bodies, std::size_t i) {
    return bodies.is_ball(i) ? bodies.radius[i] : 1.0;
}

}  // namespace talus
