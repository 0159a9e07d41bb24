#pragma once
/// \file
/// Finds each ball contact its place: in groups that threads can sweep [grouping.h], within them in blocks of contacts that share
/// no body [block_packer.h]. The order of a body's contacts is that of the problem within each group, whatever the number of threads.
///
/// Lines that no impulse moves are shared by contacts of all groups and blocks, which sweeps write to: in blocks one line a group, at
/// the end of the lines of the problem, stands for all of them.

#include "contact/block_packer.h"
#include "contact/grouping.h"

namespace talus {

/// Tells the lines of ball contact k. Refers to a callable without owning it.
class LinesOf {
public:
    template <class F>
    explicit LinesOf(const F& f)
        : object_(&f), call_([](const void* object, std::size_t k) { return (*static_cast<const F*>(object))(k); }) {}
    LinePair operator()(std::size_t k) const { return call_(object_, k); }

private:
    const void* object_;
    LinePair (*call_)(const void*, std::size_t);
};

/// Gives every group its line that nothing moves, where this has not been done. Domains have been assigned.
template <int Dim>
void add_inert_lines(ContactProblem<Dim>& problem);

template <int Dim>
class Arranger {
public:
    /// Makes room for `n` ball contacts, which are set thereafter, each with its `placed` lines. Lines have been gathered and
    /// domains assigned.
    void arrange(ContactProblem<Dim>& problem, std::size_t n, LinesOf lines);
    /// Where contacts have been put in by hand: takes them out and puts each in its place.
    void arrange_present(ContactProblem<Dim>& problem);

    /// The lines of contact k as its block is to hold them; until the memory of `ContactProblem::by_body` is used for other things.
    [[nodiscard]] LinePair placed(const ContactProblem<Dim>& problem, std::size_t k) const {
        const auto inert = problem.first_inert + static_cast<std::int32_t>(group_[k]);
        return {mobile_[k].a < 0 ? inert : mobile_[k].a, mobile_[k].b < 0 ? inert : mobile_[k].b};
    }

    [[nodiscard]] std::size_t bytes() const;

private:
    void note(const ContactProblem<Dim>& problem, std::size_t n, LinesOf lines);
    void pack(ContactProblem<Dim>& problem);
    void lay_out(ContactProblem<Dim>& problem);

    struct Range {
        std::uint32_t first = 0, last = 0;   ///< in `order_`
    };
    // by contact, in the scratch of the problem
    std::span<LinePair> mobile_;                 ///< its lines, -1 for those that no impulse moves
    std::span<std::uint32_t> order_;             ///< contacts sorted by group
    std::span<std::uint8_t> group_;
    static_assert(Grouping<Dim>::most_groups <= 256);
    std::vector<Range> ranges_;                  ///< by group
    std::vector<std::vector<std::size_t>> parts_;
    std::vector<std::uint32_t> counts_;
    std::vector<BlockPacker::Group> packing_;    ///< by group
    BlockPacker packer_;
};

}  // namespace talus
