#include "view/embed.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace talus::view {

namespace {

constexpr std::size_t kBlockBytes = 12u << 20;  // before compression: what a page unpacks at once; the first frames of a block cost most
constexpr std::size_t kSamples = 6;             // frames whose cost is measured
constexpr std::size_t kPackedToMeasure = 60;    // frames that are packed for that: three and two of them, in full and lean, for each

Detail detail_of(const Album& album, const Thinning& thinning, bool contacts) {
    Detail detail = album.compact_detail();
    detail.rotations = detail.idle_contacts = detail.sums = !thinning.lean;
    detail.contacts = contacts;
    return detail;
}

/// Bytes of a block in the page.
double size_in_page(const std::vector<FrameColumns>& frames) { return 4.0 / 3.0 * static_cast<double>(deflate(encode_block(frames)).size()); }

std::size_t raw_size(const FrameColumns& frame) {
    std::size_t size = 0;
    for (const Column& column : frame.columns) size += 4 * column.values.size();
    return size;
}

/// The columns of bodies alone, or those of contacts and sums.
FrameColumns part_of(const FrameColumns& frame, bool bodies) {
    FrameColumns part = frame;
    std::erase_if(part.columns, [bodies](const Column& column) { return (column.owner == Owner::bodies) != bodies; });
    return part;
}

/// Frame k and up to two before it, `every` apart, oldest first: predictions go by two frames.
std::vector<FrameColumns> stretch_before(const Album& album, std::size_t k, std::size_t every, const Detail& detail) {
    std::vector<FrameColumns> frames;
    for (std::size_t back = 3; back-- > 0;)
        if (back * every <= k) frames.push_back(album.columns(k - back * every, detail));
    return frames;
}

/// Bytes that the bodies of a frame cost in the middle of a block of `length` frames, with their share of what its first frames cost more.
double cost_of_bodies(std::vector<FrameColumns> stretch, double length) {
    for (FrameColumns& frame : stretch) frame = part_of(frame, true);
    const double all = size_in_page(stretch);
    if (stretch.size() == 1) return all;
    stretch.pop_back();
    const double first = size_in_page(stretch), next = all - first;
    return next + std::max(0.0, first - static_cast<double>(stretch.size()) * next) / length;
}

FrameCost measure_cost(const Album& album, std::size_t every) {
    FrameCost cost;
    double looked = 0.0;
    for (const std::size_t k : spread(album.size(), kSamples)) {
        try {
            FrameCost here;
            for (const bool lean : {false, true}) {
                const auto stretch = stretch_before(album, k, every, detail_of(album, {every, 1, lean}, true));
                const double length = std::max(1.0, static_cast<double>(kBlockBytes) / static_cast<double>(raw_size(stretch.back()) + 1));
                (lean ? here.lean_bodies : here.bodies) = cost_of_bodies(stretch, length);
                (lean ? here.lean_contacts : here.contacts) = size_in_page({part_of(stretch.back(), false)});
            }
            cost += here;
            looked += 1.0;
        } catch (const IoError&) {   // a broken frame costs nothing
        }
    }
    if (looked > 0.0) cost *= 1.0 / looked;
    return cost;
}

/// More than the frames take when nothing is left out: half of the bytes of their numbers.
double generous_size(const Album& album) {
    constexpr double kBody = 27 * 4, kContact = 16 * 4, kDeflated = 0.5 * 4.0 / 3.0;
    double size = 0.0;
    for (const auto& frame : album.reader().info().frames)
        size += kBody * static_cast<double>(frame.bodies) + kContact * static_cast<double>(frame.contacts + frame.sums);
    return kDeflated * size;
}

std::vector<std::string> notes_on(const Thinning& t, std::size_t all, std::size_t kept, std::size_t broken) {
    std::vector<std::string> notes;
    if (t.every > 1) notes.push_back(fmt::format("{} of {} frames are in this page (one in {}).", kept, all, t.every));
    if (t.contacts_every > 1)
        notes.push_back(fmt::format("Contacts and forces are in one frame in {} of this page, the last among them.", t.contacts_every));
    if (t.lean) notes.push_back("Rotations of balls, contacts without force and mean forces are left out.");
    if (broken > 0) notes.push_back(fmt::format("{} of the run's frames cannot be read and are left out.", broken));
    notes.push_back("Numbers are rounded: positions to 1/200 of the smallest radius, velocities to 1/1000 of √(g d), forces to 1/256 of themselves.");
    notes.push_back("talus view on the run file shows all of it.");
    return notes;
}

/// Fills blocks frame by frame.
class Binder {
public:
    explicit Binder(Embedded& out) : out_(out) { out_.frames = nlohmann::json::array(); }

    void add(FrameColumns frame, bool contacts) {
        const std::size_t size = raw_size(frame);
        if (!open_.empty() && bytes_ + size > kBlockBytes) close();
        out_.frames.push_back({{"number", frame.number}, {"block", out_.blocks.size()}, {"slot", open_.size()}, {"contacts", contacts}});
        open_.push_back(std::move(frame));
        bytes_ += size;
    }
    void close() {
        if (open_.empty()) return;
        out_.blocks.push_back(to_base64(deflate(encode_block(open_))));
        out_.bytes += out_.blocks.back().size();
        open_.clear();
        bytes_ = 0;
    }

private:
    Embedded& out_;
    std::vector<FrameColumns> open_;
    std::size_t bytes_ = 0;
};

Embedded embed_with(const Album& album, const Thinning& thinning) {
    Embedded out;
    out.thinning = thinning;
    Binder binder(out);
    std::size_t kept = 0, broken = 0;
    const std::size_t last = album.size() - 1;
    for (std::size_t k = last % thinning.every; k <= last; k += thinning.every) {   // so that the last is one of them
        const bool contacts = ((last - k) / thinning.every) % thinning.contacts_every == 0;
        try {
            binder.add(album.columns(k, detail_of(album, thinning, contacts)), contacts);
            ++kept;
        } catch (const IoError&) {
            ++broken;
        }
    }
    binder.close();
    out.notes = notes_on(thinning, album.size(), kept, broken);
    return out;
}

}  // namespace

FrameCost& FrameCost::operator+=(const FrameCost& other) {
    bodies += other.bodies;
    contacts += other.contacts;
    lean_bodies += other.lean_bodies;
    lean_contacts += other.lean_contacts;
    return *this;
}

FrameCost& FrameCost::operator*=(double factor) {
    for (double* part : {&bodies, &contacts, &lean_bodies, &lean_contacts}) *part *= factor;
    return *this;
}

double estimate_size(const FrameCost& cost, std::size_t frames, const Thinning& t) {
    const double kept = std::ceil(static_cast<double>(frames) / static_cast<double>(t.every));
    const double with_contacts = std::ceil(kept / static_cast<double>(t.contacts_every));
    return kept * (t.lean ? cost.lean_bodies : cost.bodies) + with_contacts * (t.lean ? cost.lean_contacts : cost.contacts);
}

Thinning choose_thinning(const FrameCost& cost, std::size_t frames, double budget) {
    constexpr std::size_t kSparsest = 10;   // forces of fewer frames than that are of little use: rather fewer frames
    for (std::size_t every = 1; every < std::max<std::size_t>(frames, 2); ++every)
        for (const bool lean : {false, true})
            for (std::size_t sparse = 1; sparse <= (lean ? kSparsest : 2); ++sparse)
                if (const Thinning t{every, sparse, lean}; estimate_size(cost, frames, t) <= budget) return t;
    return {std::max<std::size_t>(frames, 1), 1, true};
}

Embedded embed_frames(const Album& album, std::size_t budget) {
    if (album.size() == 0) return {{}, {}, nlohmann::json::array(), {"The run has no frame yet."}, 0};
    const double room = static_cast<double>(budget);
    Thinning thinning;
    if (generous_size(album) <= room || album.size() <= kPackedToMeasure) {   // to pack all of them takes no longer than to measure
        Embedded out = embed_with(album, thinning);
        if (out.bytes <= budget) return out;
    }
    FrameCost cost = measure_cost(album, 1);
    thinning = choose_thinning(cost, album.size(), room);
    if (thinning.every > 1) {   // farther apart, frames differ more
        const FrameCost apart = measure_cost(album, thinning.every);
        const auto again = choose_thinning(apart, album.size(), room);
        if (again.every >= thinning.every) {
            thinning = again;
            cost = apart;
        }
    }
    for (;;) {
        Embedded out = embed_with(album, thinning);
        if (out.bytes <= budget || thinning.every >= album.size()) return out;
        // The frames that were measured were cheaper than the others: choose again with the cost that was seen, and a little to spare.
        cost *= 1.03 * static_cast<double>(out.bytes) / estimate_size(cost, album.size(), thinning);
        thinning = choose_thinning(cost, album.size(), room);
    }
}

}  // namespace talus::view
