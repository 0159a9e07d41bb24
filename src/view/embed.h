#pragma once
/// \file
/// The frames of a run for a page that stands alone: quantised, compressed, and thinned out to a size.
///
/// First the cost of bodies and of contacts is measured on a few frames; then the least that must go is
/// dropped, in this order: forces of every other frame; rotations of balls, contacts without force and sums, and
/// forces of all but every third … tenth frame; frames. What was dropped or rounded is told in words for the page.

#include <string>
#include <vector>

#include "view/album.h"

namespace talus::view {

/// What of a run is kept.
struct Thinning {
    std::size_t every = 1;           ///< of the frames
    std::size_t contacts_every = 1;  ///< of the frames kept; the last always has its own
    bool lean = false;               ///< rotations of balls, idle contacts and sums are left out
};

struct Embedded {
    Thinning thinning;
    std::vector<std::string> blocks;     ///< base64 of zlib of `encode_block`
    nlohmann::json frames;               ///< rows: `number block slot contacts` of each frame kept
    std::vector<std::string> notes;      ///< what was left out and rounded, in words
    std::size_t bytes = 0;               ///< of all blocks
};

/// \param budget bytes of all blocks in base64.
[[nodiscard]] Embedded embed_frames(const Album& album, std::size_t budget);

/// Bytes a frame: of bodies and contacts, plain and lean.
struct FrameCost {
    double bodies = 0.0, contacts = 0.0, lean_bodies = 0.0, lean_contacts = 0.0;
    FrameCost& operator+=(const FrameCost& other);
    FrameCost& operator*=(double factor);
};
[[nodiscard]] double estimate_size(const FrameCost& cost, std::size_t frames, const Thinning& thinning);
/// The mildest thinning for which the estimate is within the budget.
[[nodiscard]] Thinning choose_thinning(const FrameCost& cost, std::size_t frames, double budget);

}  // namespace talus::view
