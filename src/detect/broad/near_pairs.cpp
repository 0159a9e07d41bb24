#include "detect/broad/near_pairs.h"

#include <algorithm>

#include "detect/broad/list_work.h"
#include "detect/broad/local_ways.h"
#include "math/rotation.h"
#include "math/snug.h"

namespace talus {
namespace {

constexpr std::size_t chunk = 1024;  ///< ranks or cells handled together

template <int Dim>
void pack_balls(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, std::span<PackedBall<Dim>> balls) {
    in.threads.for_chunks(balls.size(), 4 * chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const std::int32_t i = list.order[k];
            balls[k] = {list.built_position[i], search_radius(in.bodies, list, i), list.way.empty() ? Vec<Dim>(Vec<Dim>::Zero()) : list.way[i],
                        in.bodies.is_wall(i)};
        }
    });
}

/// What a search works with, in the memory that was lent for it.
template <int Dim>
struct SearchRoom {
    std::span<PackedBall<Dim>> balls;
    std::span<double> wide;           ///< radii with which two that can meet overlap
    std::span<std::byte> ways;        ///< for local ways; cells take its place
    CellRoom<Dim> cells;
    std::span<std::byte> left[2];     ///< for pages; the second takes the place of `cells.cell_of`
};

/// Room for pages is what is left where it does. Where it does not by the last list, there is more from now on: pages would be asked for again
/// in every list.
template <int Dim>
SearchRoom<Dim> make_room(std::size_t n, bool looks_ahead, const ListMemory<Dim>& memory) {
    const std::size_t most_cells = CellGrid<Dim>::most_cells(n);
    const std::size_t for_cells = Pieces::bytes<CellEntry<Dim>>(n) + Pieces::bytes<std::uint32_t>(n);
    const std::size_t first = Pieces::bytes<PackedBall<Dim>>(n) + Pieces::bytes<std::int32_t>(most_cells + 1);
    const std::size_t second = Pieces::bytes<double>(n) + std::max(for_cells, looks_ahead ? bytes_for_local_ways<Dim>(n) : 0);
    const std::size_t wanted = first + Pieces::bytes<double>(n) + Pieces::bytes<CellEntry<Dim>>(n) + memory.work.pages.expected_bytes();
    static_cast<void>(memory.second.template take<std::byte>(second));
    const std::size_t least = std::max(first, memory.first.bytes()), there = least + memory.second.bytes();
    static_cast<void>(memory.first.template take<std::byte>(wanted > there ? least + (wanted - there) : first));
    Pieces of_first(memory.first.whole()), of_second(memory.second.whole());
    SearchRoom<Dim> room;
    room.balls = of_first.cut<PackedBall<Dim>>(n);
    room.cells.begin = of_first.cut<std::int32_t>(most_cells + 1);
    room.wide = of_second.cut<double>(n);
    room.ways = of_second.left();
    room.cells.entries = of_second.cut<CellEntry<Dim>>(n);
    room.cells.cell_of = Pieces(of_second).cut<std::uint32_t>(n);
    room.left[0] = of_first.left();
    room.left[1] = of_second.left();
    return room;
}

/// Writes streams of found pairs; it remembers whose partners were written last.
class PairStream {
public:
    PairStream(NumberStream& stream, NumberPages& pages) : stream_(stream), pages_(pages) {}
    void add(std::int32_t i, std::int32_t partner) {
        if (i != of_) stream_.add(pages_, ~(of_ = i));
        stream_.add(pages_, partner);
    }

private:
    NumberStream& stream_;
    NumberPages& pages_;
    std::int32_t of_ = -1;
};

/// Calls f(low, high) for the pairs of a stream.
template <class F>
void for_each_pair(const NumberStream& stream, F&& f) {
    std::int32_t i = -1;
    stream.for_each([&](std::int32_t x) {
        if (x < 0) i = ~x;
        else f(std::min(i, x), std::max(i, x));
    });
}

/// Finds the pairs of a range of cells and counts those that are its own in `count`, by lower rank.
template <int Dim>
void find_near(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, std::span<const PackedBall<Dim>> balls, std::size_t first_cell,
               std::size_t end_cell, ListWork<Dim>& work, std::int32_t* count) {
    thread_local Surroundings<Dim> around;
    const bool looks_ahead = !list.way.empty(), all_can_touch = list.apart.empty() && in.bodies.glued_to.capacity() == 0;
    FoundPairs out;
    PairStream own(out.own, work.pages), stray(out.stray, work.pages);
    work.grid.for_each_near(first_cell, end_cell, around, [&](std::int32_t i, std::int32_t j, bool together) {
        const PackedBall<Dim>&a = balls[i], &b = balls[j];
        double range = a.r + b.r;
        if (looks_ahead) range += (a.way - b.way).norm();
        if (in.cell.nearest(a.x - b.x).squaredNorm() > range * range || (a.is_wall & b.is_wall)) return;
        if (!all_can_touch && !can_touch(in.bodies, list, list.order[i], list.order[j])) return;
        if (!together && i > j) return stray.add(i, j);
        own.add(i, j);
        ++count[std::min(i, j)];
    });
    work.found[first_cell / chunk] = out;
}

/// Rows are short and nearly sorted.
void sort_row(Candidate* first, Candidate* last) {
    for (Candidate* c = first; c != last; ++c) {
        const Candidate moved = *c;
        Candidate* to = c;
        for (; to != first && (to - 1)->other > moved.other; --to) *to = *(to - 1);
        *to = moved;
    }
}

/// Puts the pairs that were found into rows. `list.grain_begin[k + 1]` is where that of rank k begins, and then ends.
template <int Dim>
void fill_rows(const CandidateInput<Dim>& in, const ListWork<Dim>& work, CandidateList<Dim>& list) {
    const auto put = [&](std::int32_t low, std::int32_t high) { list.grains[list.grain_begin[low + 1]++] = {high, -1}; };
    in.threads.for_tasks(work.found.size(), [&](std::size_t c) { for_each_pair(work.found[c].own, put); });
    for (const auto& f : work.found) for_each_pair(f.stray, put);
    list.grain_begin.pop_back();
    in.threads.for_chunks(list.order.size(), 4 * chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            sort_row(list.grains.data() + list.grain_begin[k], list.grains.data() + list.grain_begin[k + 1]);
    });
}

}  // namespace

template <int Dim>
void pair_grains(const CandidateInput<Dim>& in, const ListMemory<Dim>& memory, CandidateList<Dim>& list) {
    const std::size_t n = list.order.size();
    ListWork<Dim>& work = memory.work;
    const SearchRoom<Dim> room = make_room(n, !list.way.empty(), memory);
    pack_balls(in, list, room.balls);
    if (!list.way.empty()) add_local_ways<Dim>(room.balls, in.cell, in.threads, room.ways, room.wide);
    else for (std::size_t k = 0; k < n; ++k) room.wide[k] = room.balls[k].r;
    work.grid.make(room.balls, room.wide, in.cell, in.threads, room.cells);
    work.pages.open(room.left[0], room.left[1]);
    work.found.resize((work.grid.cells() + chunk - 1) / chunk);
    list.grain_begin.assign(n + 2, 0);
    // A ball lies in one chunk, which alone counts and writes the pairs it has with balls of higher rank.
    in.threads.for_chunks(work.grid.cells(), chunk, [&](std::size_t begin, std::size_t end) {
        find_near<Dim>(in, list, room.balls, begin, end, work, list.grain_begin.data() + 2);
    });
    for (const auto& f : work.found) for_each_pair(f.stray, [&](std::int32_t low, std::int32_t) { ++list.grain_begin[low + 2]; });
    for (std::size_t k = 2; k < n + 2; ++k) list.grain_begin[k] += list.grain_begin[k - 1];
    resize_snugly(list.grains, static_cast<std::size_t>(list.grain_begin[n + 1]));
    ++list.edition;
    fill_rows(in, work, list);
    work.pages.close();
}

template <int Dim>
void NearBoundaries<Dim>::set(const CandidateInput<Dim>& in, const CandidateList<Dim>& list) {
    walls_.clear();
    for (std::size_t k = 0; k < list.boundaries.size(); ++k)
        walls_.push_back({boundary_shape(in.shapes, in.bodies.shape[list.boundaries[k]]), matrix_of<Dim>(list.built_rotation[k]).transpose()});
}

template <int Dim>
bool NearBoundaries<Dim>::is_near(const CandidateInput<Dim>& in, const CandidateList<Dim>& list, std::int32_t i, std::size_t k) const {
    const std::int32_t b = list.boundaries[k];
    if (!can_touch(in.bodies, list, i, b)) return false;
    const Vec<Dim> x = walls_[k].to_local * in.cell.nearest(list.built_position[i] - list.built_position[b]);
    double limit = list.margin[i] + list.margin[b];
    if (!list.ahead.empty()) limit += list.ahead[i] + list.ahead[b] + (list.way[i] - list.way[b]).norm();
    return ball_gap(x, in.bodies.radius[i], walls_[k].shape, limit) <= limit;
}

template <int Dim>
void pair_boundaries(const CandidateInput<Dim>& in, const ListMemory<Dim>& memory, CandidateList<Dim>& list) {
    const std::size_t n = list.order.size();
    ListWork<Dim>& work = memory.work;
    work.boundaries.set(in, list);
    work.wall_pages.open(memory.first.whole(), memory.second.whole());
    work.near_walls.resize((n + chunk - 1) / chunk);
    list.wall_begin.assign(n + 1, 0);
    in.threads.for_chunks(n, chunk, [&](std::size_t begin, std::size_t end) {
        NumberStream near;
        std::int32_t count = 0;
        for (std::size_t r = begin; r < end; ++r) {
            work.boundaries.for_each(in, list, list.order[r], [&](std::int32_t b) { near.add(work.wall_pages, b), ++count; });
            list.wall_begin[r + 1] = count;  // within the chunk so far
        }
        work.near_walls[begin / chunk] = near;
    });
    for (std::size_t begin = chunk; begin < n; begin += chunk) {
        const std::int32_t before = list.wall_begin[begin];
        for (std::size_t r = begin; r < std::min(n, begin + chunk); ++r) list.wall_begin[r + 1] += before;
    }
    resize_snugly(list.walls, static_cast<std::size_t>(list.wall_begin[n]));
    in.threads.for_tasks(work.near_walls.size(), [&](std::size_t c) {
        Candidate* next = list.walls.data() + list.wall_begin[c * chunk];
        work.near_walls[c].for_each([&](std::int32_t b) { *next++ = {b, -1}; });
    });
    work.wall_pages.close();
}

#define TALUS_INSTANTIATE(Dim)                                                                          \
    template void pair_grains(const CandidateInput<Dim>&, const ListMemory<Dim>&, CandidateList<Dim>&); \
    template class NearBoundaries<Dim>;                                                                 \
    template void pair_boundaries(const CandidateInput<Dim>&, const ListMemory<Dim>&, CandidateList<Dim>&);
TALUS_INSTANTIATE(2)
TALUS_INSTANTIATE(3)
#undef TALUS_INSTANTIATE

}  // namespace talus
