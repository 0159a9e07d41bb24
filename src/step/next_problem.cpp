#include "step/next_problem.h"

#include "solve/refresh.h"
#include "step/stages.h"
#include "step/world_access.h"

namespace talus {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Number of each freedom of each body, -1 for those that are held.
template <int Dim>
using FreedomNumbers = std::vector<Eigen::Matrix<int, freedoms<Dim>, 1>>;

template <int Dim>
class GlobalForm {
public:
    explicit GlobalForm(const typename World<Dim>::Impl& w) : w_(w), problem_(w.work.problem) {
        number_freedoms();
        body_of_line_.assign(problem_.lines.size(), -1);
        for (std::size_t i = 0; i < w.bodies.size(); ++i) body_of_line_[w.candidates.rank[i]] = static_cast<std::int32_t>(i);
    }

    [[nodiscard]] std::int64_t bodies() const { return bodies_; }
    [[nodiscard]] GlobalProblem<Dim> make() {
        GlobalProblem<Dim> out;
        const auto contacts = static_cast<Eigen::Index>(problem_.contacts());
        out.M.resize(count_, count_);
        out.H.resize(count_, Dim * contacts);
        out.w.resize(Dim * contacts);
        const Eigen::VectorXd v = add_inertia();
        out.M.setFromTriplets(inertia_.begin(), inertia_.end());
        out.f = out.M * v;
        add_contacts(out);
        out.H.setFromTriplets(arms_.begin(), arms_.end());
        return out;
    }

private:
    using Rows = Eigen::Matrix<double, Dim, freedoms<Dim>>;  // of a contact's velocity, for (v, spin)

    void number_freedoms() {
        const auto& bodies = w_.bodies;
        number_.assign(bodies.size(), Eigen::Matrix<int, freedoms<Dim>, 1>::Constant(-1));
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (bodies.glued_to[i] >= 0 || bodies.driven[i] == all_driven<Dim>) continue;
            ++bodies_;
            for (int k = 0; k < freedoms<Dim>; ++k)
                if (!(bodies.driven[i] >> k & 1u)) number_[i][k] = count_++;
        }
    }

    /// M, and the free velocities.
    Eigen::VectorXd add_inertia() {
        Eigen::VectorXd v(count_);
        const auto& bodies = w_.bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (number_[i].maxCoeff() < 0) continue;
            const LineMotion<Dim>& line = problem_.free_lines[w_.candidates.rank[i]];
            Eigen::Matrix<double, freedoms<Dim>, freedoms<Dim>> M = decltype(M)::Zero();
            M.template topLeftCorner<Dim, Dim>() = bodies.mass[i] * Mat<Dim>::Identity();
            // A ball's inertia is the same in all axes; to turn it would only add rounding.
            if (bodies.is_ball(i)) M.diagonal().template tail<spin_size<Dim>>() = bodies.inertia[i];
            else M.template bottomRightCorner<spin_size<Dim>, spin_size<Dim>>() =
                     in_world<Dim>(w_.work.at.rotation[i], bodies.inertia[i]);
            Eigen::Matrix<double, freedoms<Dim>, 1> u;
            u << line.v, line.R / spin_scale(bodies, i);
            for (int a = 0; a < freedoms<Dim>; ++a) {
                if (number_[i][a] < 0) continue;
                v[number_[i][a]] = u[a];
                for (int b = 0; b < freedoms<Dim>; ++b)
                    if (number_[i][b] >= 0 && M(a, b) != 0.0) inertia_.emplace_back(number_[i][a], number_[i][b], M(a, b));
            }
        }
        return v;
    }

    /// Adds one side of contact k; `rows` are for the line's (v, R).
    void add_side(std::size_t k, std::int32_t line, Rows rows) {
        const std::int32_t i = body_of_line_[line];
        if (i < 0) return;  // stands for all that nothing moves
        rows.template rightCols<spin_size<Dim>>() *= spin_scale(w_.bodies, static_cast<std::size_t>(i));
        for (int f = 0; f < freedoms<Dim>; ++f) {
            if (number_[i][f] < 0) continue;
            for (int r = 0; r < Dim; ++r)
                if (rows(r, f) != 0.0) arms_.emplace_back(number_[i][f], static_cast<int>(Dim * k) + r, rows(r, f));
        }
    }

    void add_contacts(GlobalProblem<Dim>& out) {
        std::size_t k = 0;
        for (const BallContact<Dim> c : problem_.balls) {
            const Mat<Dim> frame = frame_of<Dim>(c.n);
            const auto turn = angular_rows<Dim>(frame, Vec<Dim>(-c.n));
            Rows a, b;
            a << frame, turn;
            b << -frame, turn;
            add_side(k, c.a, a);
            add_side(k, c.b, b);
            out.w.template segment<Dim>(Dim * k++) = frame * Vec<Dim>(c.cn * c.n + to_world(c.ct, c.n));
            out.mu.push_back(c.mu);
        }
        for (const auto& c : problem_.generals) {
            Rows a, b;
            a << c.frame, c.spin_a;
            b << -c.frame, -c.spin_b;
            add_side(k, c.a, a);
            add_side(k, c.b, b);
            out.w.template segment<Dim>(Dim * k++) = c.c;
            out.mu.push_back(c.mu);
        }
    }

    const typename World<Dim>::Impl& w_;
    const ContactProblem<Dim>& problem_;
    FreedomNumbers<Dim> number_;
    std::vector<std::int32_t> body_of_line_;
    Triplets inertia_, arms_;
    int count_ = 0;
    std::int64_t bodies_ = 0;
};

/// The stages link candidates and history to the contacts found; the step must find both as they were.
template <int Dim>
class PutBack {
public:
    explicit PutBack(typename World<Dim>::Impl& w)
        : w_(w), candidates_(w.candidates), cache_(spelled_out(w)), joints_(w.joints), h_(w.h), turning_(w.turning), time_base_(w.time_base),
          steps_at_pace_(w.steps_at_pace) {}
    ~PutBack() {
        w_.candidates = std::move(candidates_);
        w_.cache = std::move(cache_);
        w_.joints = std::move(joints_);
        w_.h = h_;
        w_.turning = turning_;
        w_.time_base = time_base_;
        w_.steps_at_pace = steps_at_pace_;
        w_.has_contacts = false;
    }
    PutBack(const PutBack&) = delete;
    PutBack& operator=(const PutBack&) = delete;

private:
    static const ContactCache<Dim>& spelled_out(typename World<Dim>::Impl& w) {
        spell_out(w.cache, w.work.problem);
        return w.cache;
    }

    typename World<Dim>::Impl& w_;
    CandidateList<Dim> candidates_;
    ContactCache<Dim> cache_;
    std::vector<JointState<Dim>> joints_;
    double h_, turning_, time_base_;
    std::int64_t steps_at_pace_;
};

/// The stages before the solver, which the rule `gap` needs to know whether all contacts are there.
template <int Dim>
void prepare(typename World<Dim>::Impl& w) {
    StepReport report;
    predict_stage<Dim>(w);
    pair_stage<Dim>(w);
    for (bool again = true; again;) {
        touch_stage<Dim>(w, report);
        spell_out(w.cache, w.work.problem);   // it is needed once more
        gather_stage<Dim>(w);
        if (w.settings.rule != ContactRule::gap) return;
        solve_stage<Dim>(w, report);
        again = look_again_stage<Dim>(w, report);
    }
    gather_stage<Dim>(w);
}

}  // namespace

template <int Dim>
NextProblem<Dim> next_problem(World<Dim>& world) {
    auto& w = WorldAccess::impl(world);
    const PutBack<Dim> put_back(w);
    prepare<Dim>(w);
    NextProblem<Dim> next;
    next.time = w.time;
    next.step = w.steps;
    assemble(w.work.problem, next.local);
    refresh_velocities(next.local);
    GlobalForm<Dim> form(w);
    next.global = form.make();
    next.bodies = form.bodies();
    return next;
}

template <int Dim>
ContactProblem<Dim> next_contact_problem(World<Dim>& world) {
    auto& w = WorldAccess::impl(world);
    const PutBack<Dim> put_back(w);
    prepare<Dim>(w);
    refresh_velocities(w.work.problem);
    ContactProblem<Dim> problem = w.work.problem;
    problem.threads = nullptr;  // those of the world may be gone before the problem
    return problem;
}

template NextProblem<2> next_problem(World<2>&);
template NextProblem<3> next_problem(World<3>&);
template ContactProblem<2> next_contact_problem(World<2>&);
template ContactProblem<3> next_contact_problem(World<3>&);

}  // namespace talus
