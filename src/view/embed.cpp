#include "view/embed.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace talus::view {

namespace {

constexpr std::size_t kBlockBytes = 3u << 20;   // before compression: what a page unpacks at once
constexpr std::size_t kSamples = 6;             // frames whose cost is measured

Detail detail_of(const Album& album, const Thinning& thinning, bool contacts) {
    Detail detail = album.compact_detail();
    detail.rotations = detail.idle_contacts = detail.sums = !thinning.lean;
    detail.contacts = contacts;
    return detail;
}

double base64_size(const std::string& bytes) { return 4.0 / 3.0 * static_cast<double>(bytes.size()); }

/// Bytes that a frame costs after the one before it.
double cost_of(const Album& album, std::size_t k, std::size_t every, const Detail& detail) {
    const std::size_t before = k >= every ? k - every : k;
    std::vector<FrameColumns> frames{album.columns(before, detail)};
    const double first = base64_size(deflate(encode_block(frames)));
    if (before == k) return first;
    frames.push_back(album.columns(k, detail));
    // Contacts are not predicted from before, bodies are: both frames together, less the first.
    return base64_size(deflate(encode_block(frames))) - first;
}

FrameCost measure_cost(const Album& album, std::size_t every) {
    FrameCost cost;
    double looked = 0.0;
    for (const std::size_t k : spread(album.size(), kSamples)) {
        try {
            const auto with = [&](bool lean, bool contacts) { return cost_of(album, k, every, detail_of(album, {every, 1, lean}, contacts)); };
            const double bodies = with(false, false), lean = with(true, false);
            cost.contacts += std::max(0.0, with(false, true) - bodies);
            cost.lean_contacts += std::max(0.0, with(true, true) - lean);
            cost.bodies += bodies;
            cost.lean_bodies += lean;
            looked += 1.0;
        } catch (const IoError&) {   // a broken frame costs nothing
        }
    }
    if (looked > 0.0)
        for (double* part : {&cost.bodies, &cost.contacts, &cost.lean_bodies, &cost.lean_contacts}) *part /= looked;
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

std::string every_word(std::size_t every, const char* what) {
    return every == 2 ? fmt::format("every second {}", what) : fmt::format("every {}th {}", every, what);
}

std::vector<std::string> notes_on(const Thinning& t, std::size_t all, std::size_t kept, std::size_t broken) {
    std::vector<std::string> notes;
    if (t.every > 1) notes.push_back(fmt::format("{} of {} frames are in this page ({}).", kept, all, every_word(t.every, "frame")));
    if (t.contacts_every > 1)
        notes.push_back("Contacts and forces are in " + every_word(t.contacts_every, "frame") + " of this page and in the last.");
    if (t.lean) notes.push_back("Rotations of balls and contacts without force are left out.");
    if (broken > 0) notes.push_back(fmt::format("{} of the run's frames cannot be read and are left out.", broken));
    if (!notes.empty()) notes.push_back("talus view on the run file shows all of it.");
    return notes;
}

/// Fills blocks frame by frame.
class Binder {
public:
    explicit Binder(Embedded& out) : out_(out) { out_.frames = nlohmann::json::array(); }

    void add(FrameColumns frame, bool contacts) {
        std::size_t size = 0;
        for (const Column& column : frame.columns) size += 4 * column.values.size();
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

Thinning choose_thinning(const FrameCost& cost, std::size_t frames, double budget) {
    constexpr std::size_t kSparsest = 10;   // forces of fewer frames than that are of little use: rather fewer frames
    for (std::size_t every = 1; every < std::max<std::size_t>(frames, 2); ++every)
        for (const bool lean : {false, true})
            for (std::size_t sparse = 1; sparse <= (lean ? kSparsest : 2); ++sparse) {
                const double kept = std::ceil(static_cast<double>(frames) / static_cast<double>(every));
                const double bodies = lean ? cost.lean_bodies : cost.bodies, contacts = lean ? cost.lean_contacts : cost.contacts;
                if (kept * bodies + std::ceil(kept / static_cast<double>(sparse)) * contacts <= budget) return {every, sparse, lean};
            }
    return {std::max<std::size_t>(frames, 1), 1, true};
}

Embedded embed_frames(const Album& album, std::size_t budget) {
    if (album.size() == 0) return {{}, {}, nlohmann::json::array(), {"The run has no frame yet."}, 0};
    const double room = static_cast<double>(budget);
    Thinning thinning;
    if (generous_size(album) > room) thinning = choose_thinning(measure_cost(album, 1), album.size(), room);
    if (thinning.every > 1) {   // farther apart, frames differ more
        const auto again = choose_thinning(measure_cost(album, thinning.every), album.size(), room);
        if (again.every >= thinning.every) thinning = again;
    }
    for (;;) {
        Embedded out = embed_with(album, thinning);
        if (out.bytes <= budget || thinning.every >= album.size()) return out;
        // The frames that were measured were cheaper than the others: take as many fewer as it is too much.
        const double excess = 1.05 * static_cast<double>(out.bytes) / room;
        thinning.lean = true;
        thinning.every = std::max(thinning.every + 1, static_cast<std::size_t>(std::ceil(static_cast<double>(thinning.every) * excess)));
        thinning.every = std::min(thinning.every, album.size());
    }
}

}  // namespace talus::view
