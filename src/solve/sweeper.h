#pragma once
/// \file
/// A contact problem arranged for sweeping: in groups that threads can work on, ball contacts in blocks.
///
/// A sweep visits the contacts inside the domains of the problem, then those between domains 0 and 1, 2 and 3, ..., then
/// those between 1 and 2, 3 and 4, ..., and last those that no domain holds [contact/domains.h]. Groups of one such part
/// share no body and are swept at the same time. Inside a group ball contacts come first, in blocks (`block_packer.h`), then general
/// contacts and links one by one. The order is that of the problem within each group, whatever the number of threads.
///
/// Ball impulses and velocities are copies until `publish`; general contacts and links are worked on in place.

#include <vector>

#include "laws/link.h"
#include "laws/local.h"
#include "parallel/threads.h"
#include "solve/block_packer.h"
#include "solve/sweep_control.h"

namespace talus {

template <int Dim>
class Sweeper {
public:
    /// Arranges the problem and takes its impulses. \throws InputError for a kernel that the machine lacks.
    void begin(const ContactProblem<Dim>& problem, Kernel kernel);
    /// Takes the velocities of the problem.
    void resume(const ContactProblem<Dim>& problem);
    /// Gives the problem the ball impulses.
    void publish(ContactProblem<Dim>& problem) const;

    /// One sweep of exact answers.
    void sweep(ContactProblem<Dim>& problem, SweepMeasure* measure) { run(problem, nullptr, measure); }
    /// One sweep from impulses extrapolated by beta; the velocities have been. \returns the energy of its changes [J].
    double sweep(ContactProblem<Dim>& problem, double beta, SweepMeasure* measure) { return run(problem, &beta, measure); }

    [[nodiscard]] std::vector<BodyLine<Dim>>& lines() { return lines_; }
    /// Those of them that contacts may move; the others keep their velocities.
    [[nodiscard]] const std::vector<std::uint32_t>& moved() const { return moved_; }

private:
    using Rows = typename LinkContact<Dim>::Rows;
    /// Contacts of a group: places in `ball_order_` and the like, and its blocks.
    struct Group {
        std::size_t balls = 0, balls_end = 0, generals = 0, generals_end = 0, links = 0, links_end = 0;
        std::size_t blocks = 0, blocks_end = 0;
        BallSums sums;
        SweepMeasure measure;
        double energy = 0.0;
        [[nodiscard]] bool empty() const { return balls == balls_end && generals == generals_end && links == links_end; }
    };
    struct Part {
        std::vector<std::size_t> groups;
    };

    void find_moved(const ContactProblem<Dim>& problem);
    void arrange(const ContactProblem<Dim>& problem);
    void pack(const ContactProblem<Dim>& problem);
    void fill(const ContactProblem<Dim>& problem, const Group& group);
    double run(ContactProblem<Dim>& problem, const double* beta, SweepMeasure* measure);
    void run_group(ContactProblem<Dim>& problem, Group& group, const double* beta, double v_ref, bool measuring);
    template <class Contact, class Impulse>
    double visit(Contact& contact, Impulse& before, const double* beta, SweepMeasure* measure);

    const BallKernels<Dim>* kernels_ = nullptr;
    std::vector<Group> groups_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> place_in_group_;        ///< scratch of `arrange`
    std::vector<std::uint32_t> ball_order_, general_order_, link_order_;
    std::vector<std::int32_t> place_;                  ///< of each ball contact: block times `lanes` plus lane
    std::vector<BallBlock<Dim>> blocks_;
    std::vector<BallBlockBefore<Dim>> before_;
    std::vector<double> impact_;
    std::vector<Vec<Dim>> before_general_;
    std::vector<Rows> before_link_;
    std::vector<BodyLine<Dim>> lines_;                 ///< of the problem, then one inert one a group
    std::vector<std::uint8_t> is_moved_;
    std::vector<std::uint32_t> moved_;
    std::vector<BlockPacker::Group> packing_;
    BlockPacker packer_;
};

}  // namespace talus
