#pragma once
/// \file
/// The roofs of this machine, now: how many contact updates a second its cores could make if they did nothing
/// but move the bytes of the updates, or nothing but their multiplications and additions.
///
/// Memory: the larger of a read and of a triad (a = b + s c, three streams counted) over arrays far beyond the
/// caches, each thread on its own. Arithmetic: ten chains of 256-bit fused multiply-adds that do not wait for each
/// other, where the processor has them, else of multiplications and additions; two floating-point operations a lane.
///
/// Other jobs only ever slow a probe down, so arrays are passed in windows of less than a millisecond, and the best of all
/// windows counts; a benchmark measures again between its own timings. Limits: divisions and square roots are in no roof, nor is what the caches could feed.

#include <cstddef>
#include <memory>

namespace talus::bench {

/// Bytes that one update of a sphere contact moves: its record, and its share of two bodies' 64-byte
/// lines, at 2.6 contacts a body in double precision [B].
inline constexpr double bytes_per_update = 137.0;
/// Multiplications and additions of one update; two divisions and a square root come on top [-].
inline constexpr double flops_per_update = 106.0;

struct Roof {
    int threads = 1;
    double read = 0.0;     ///< sum of one long array [B/s]
    double triad = 0.0;    ///< a = b + s c [B/s]
    double flops = 0.0;    ///< fused multiply-adds, two operations each [1/s]
    [[nodiscard]] double bandwidth() const { return read > triad ? read : triad; }
    /// Contact updates a second at that bandwidth [1/s].
    [[nodiscard]] double memory_updates() const { return bandwidth() / bytes_per_update; }
    /// Contact updates a second at that arithmetic [1/s].
    [[nodiscard]] double fma_updates() const { return flops / flops_per_update; }
    /// The lower of the two [1/s].
    [[nodiscard]] double updates() const { return memory_updates() < fma_updates() ? memory_updates() : fma_updates(); }
};

/// Measures as often as asked and keeps the best.
class RoofProbe {
public:
    /// `megabytes` a thread and array, three arrays.
    explicit RoofProbe(int threads, std::size_t megabytes = 64);
    ~RoofProbe();
    RoofProbe(RoofProbe&&) noexcept;
    void measure();   ///< passes over the arrays once: some tens of milliseconds
    [[nodiscard]] const Roof& best() const { return best_; }

private:
    struct Streams;
    std::size_t windows_;
    std::unique_ptr<Streams[]> streams_;
    Roof best_;
};

/// Largest resident memory of this process so far [B].
[[nodiscard]] std::size_t peak_resident_bytes();

/// Processor time this process has used so far, all threads [s]; on a busy machine more telling than the clock.
[[nodiscard]] double cpu_seconds();

/// The clock on the wall [s].
[[nodiscard]] double seconds_now();

}  // namespace talus::bench
