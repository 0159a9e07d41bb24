#pragma once
/// \file
/// A contact problem arranged for sweeping: in groups that threads can work on, contacts in blocks.
///
/// A sweep visits the contacts inside the domains of the problem, then those between domains 0 and 1, 2 and 3, ..., then
/// those between 1 and 2, 3 and 4, ..., and last those that no domain holds [contact/domains.h]. Groups of one such part
/// share no body and are swept at the same time. Inside a group ball contacts come first, then general contacts, both in blocks (`block_packer.h`), then
/// links one by one. The order is that of the problem within each group, whatever the number of threads.
///
/// Impulses and velocities are copies until `publish`; links are worked on in place.

#include <vector>

#include "laws/link.h"
#include "laws/local.h"
#include "parallel/threads.h"
#include "solve/ball_block.h"
#include "solve/block_packer.h"
#include "solve/general_block.h"
#include "solve/sweep_control.h"

namespace talus {

template <int Dim>
class Sweeper {
public:
    /// Arranges the problem and takes its impulses. \throws InputError for a kernel that the machine lacks.
    void begin(const ContactProblem<Dim>& problem, Kernel kernel);
    /// Takes the velocities of the problem.
    void resume(const ContactProblem<Dim>& problem);
    /// Gives the problem the impulses.
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
    /// The same in blocks.
    template <class Block, class Before>
    struct Packed : Sorted {
        std::vector<std::int32_t> place;     ///< of each contact: block times `lanes` plus lane
        std::vector<Range> blocks_of;        ///< by group
        std::vector<Block> blocks;
        std::vector<Before> before;
        std::vector<double> impact;          ///< by place
    };
    struct Part {
        std::vector<std::size_t> groups;
    };

    void find_moved(const ContactProblem<Dim>& problem);
    void arrange(const ContactProblem<Dim>& problem);
    template <class Contact, class Blocks>
    void pack(const ContactProblem<Dim>& problem, const std::vector<Contact>& contacts, Blocks& packed, std::int32_t distance);
    template <class Contact, class Blocks>
    void fill(const std::vector<Contact>& contacts, std::size_t group, Blocks& packed);
    double run(ContactProblem<Dim>& problem, const double* beta, SweepMeasure* measure);
    void run_group(ContactProblem<Dim>& problem, std::size_t group, const double* beta, double v_ref, bool measuring);
    double visit(LinkContact<Dim>& link, Rows& before, const double* beta, SweepMeasure* measure);

    const BallKernels<Dim>* ball_kernels_ = nullptr;
    const GeneralKernels<Dim>* general_kernels_ = nullptr;
    std::vector<Group> groups_;
    std::vector<Part> parts_;
    std::vector<std::uint32_t> place_in_group_;        ///< scratch of `arrange`
    Packed<BallBlock<Dim>, BallBlockBefore<Dim>> balls_;
    Packed<GeneralBlock<Dim>, GeneralBlockBefore<Dim>> generals_;
    Sorted links_;
    std::vector<Rows> before_link_;
    std::vector<BodyLine<Dim>> lines_;                 ///< of the problem, then one inert one a group
    std::vector<std::uint8_t> is_moved_;
    std::vector<std::uint32_t> moved_;
    std::vector<BlockPacker::Group> packing_;
    BlockPacker packer_;
};

}  // namespace talus
