#pragma once
/// \file
/// A contact problem arranged for sweeping: in groups that threads can work on, contacts in blocks.
///
/// A sweep visits the contacts inside the domains of the problem, then those between domains 0 and 1, 2 and 3, ..., then
/// those between 1 and 2, 3 and 4, ..., and last those that no domain holds [contact/domains.h]. Groups of one such part
/// share no body and are swept at the same time. Inside a group ball contacts come first, then general contacts, both in blocks
/// [contact/block_packer.h], then links one by one. The order is that of the problem within each group, whatever the number of threads.
///
/// Velocities and the impulses of balls and links are worked on in place; those of general contacts are copies until `publish`.

#include <vector>

#include "contact/arrange.h"
#include "laws/link.h"
#include "laws/local.h"
#include "parallel/threads.h"
#include "solve/ball_sweep.h"
#include "solve/general_block.h"
#include "solve/sweep_control.h"

namespace talus {

template <int Dim>
class Sweeper {
public:
    /// Arranges the problem where this has not been done, and takes the impulses of general contacts. \throws InputError for a kernel that the
    /// machine lacks.
    void begin(ContactProblem<Dim>& problem, Kernel kernel);
    /// Gives the problem the impulses of its general contacts.
    void publish(ContactProblem<Dim>& problem) const;
    /// Keeps the velocities while others are computed in their place.
    void keep_lines(const ContactProblem<Dim>& problem) { kept_lines_ = problem.lines; }
    void put_lines_back(ContactProblem<Dim>& problem) { problem.lines.swap(kept_lines_); }

    /// One sweep of exact answers.
    void sweep(ContactProblem<Dim>& problem, SweepMeasure* measure) { run(problem, nullptr, measure); }
    /// One sweep from velocities and impulses extrapolated by beta along their last change. \returns the energy of its changes [J].
    double sweep(ContactProblem<Dim>& problem, double beta, SweepMeasure* measure) { return run(problem, &beta, measure); }

    [[nodiscard]] std::size_t bytes() const;

private:
    using Rows = typename LinkContact<Dim>::Rows;
    struct Range {
        std::size_t begin = 0, end = 0;
        [[nodiscard]] bool empty() const { return begin == end; }
    };
    /// What a sweep over a group found.
    struct Group {
        KernelSums sums;
        SweepMeasure measure;
        double energy = 0.0;
    };
    /// Contacts of one kind, sorted by group.
    struct Sorted {
        std::vector<std::uint32_t> order;
        std::vector<Range> of;               ///< by group: places in `order`
    };
    /// General contacts in blocks.
    struct Generals : Sorted {
        std::vector<std::int32_t> place;     ///< of each contact: block times `lanes` plus lane
        std::vector<Range> blocks_of;        ///< by group
        std::vector<GeneralBlock<Dim>> blocks;
        std::vector<GeneralBlockBefore<Dim>> before;
        std::vector<double> impact;          ///< by place
    };
    struct Part {
        std::vector<std::size_t> groups;
    };
    /// Lines that follow each other, may be moved by contacts, and lie in the same domain.
    struct Run {
        std::uint32_t begin, end;
    };

    void forget_before(ContactProblem<Dim>& problem);
    void find_moved(const ContactProblem<Dim>& problem);
    void find_runs(const ContactProblem<Dim>& problem);
    void extrapolate(ContactProblem<Dim>& problem, std::size_t place, double beta) const;
    [[nodiscard]] bool has_any(const ContactProblem<Dim>& problem, std::size_t group) const;
    void arrange(const ContactProblem<Dim>& problem);
    void pack(const ContactProblem<Dim>& problem);
    void fill(const ContactProblem<Dim>& problem, std::size_t group);
    [[nodiscard]] Range balls_of(const ContactProblem<Dim>& problem, std::size_t group) const;
    double run(ContactProblem<Dim>& problem, const double* beta, SweepMeasure* measure);
    void run_group(ContactProblem<Dim>& problem, std::size_t group, const double* beta, double v_ref, bool measuring);
    double visit(LinkContact<Dim>& link, Rows& before, std::vector<BodyLine<Dim>>& lines, const double* beta, SweepMeasure* measure);

    const BallKernels<Dim>* ball_kernels_ = nullptr;
    const GeneralKernels<Dim>* general_kernels_ = nullptr;
    std::vector<Group> groups_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> place_in_group_;        ///< scratch of `arrange`
    std::span<BallBlockBefore<Dim>> ball_before_;      ///< in the scratch of the problem
    Generals generals_;
    Sorted links_;
    std::vector<Rows> before_link_;
    std::vector<BodyLine<Dim>> kept_lines_;
    std::vector<std::uint8_t> is_moved_;   ///< by line: whether contacts may move it; the others keep their velocities
    std::vector<Run> runs_;                ///< by domain, and last those of none
    std::vector<std::size_t> runs_begin_;
    std::vector<BlockPacker::Group> packing_;
    BlockPacker packer_;
};

}  // namespace talus
