#pragma once
/// \file
/// How much the ways of grains differ from those of their neighbours: what falls together, or rests together, need not look
/// as far as what falls on what rests.

#include "detect/broad/packed_ball.h"

namespace talus {

/// The radii of balls, and such lengths that for every two balls that can meet, those of both together are at least the
/// difference of their ways. Two balls can meet when their distance is at most the sum of their radii and that difference.
///
/// `memory` is lent while this lasts.
template <int Dim>
void add_local_ways(std::span<const PackedBall<Dim>> balls, const Cell<Dim>& cell, const Threads& threads, std::span<std::byte> memory,
                    std::span<double> wide);

/// How large that must be for so many balls.
template <int Dim>
[[nodiscard]] std::size_t bytes_for_local_ways(std::size_t balls);

}  // namespace talus
