#include "bench/roof.h"

#include <sys/resource.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <ctime>
#include <functional>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace talus::bench {

struct RoofProbe::Streams {
    std::vector<double> a, b, c;
};

namespace {

/// The compiler must believe that somebody reads the value.
void keep(double value) { asm volatile("" : : "g"(value) : "memory"); }

constexpr std::size_t window = 1'000'000;   // numbers of one timing: 8 MB, below a millisecond

/// Sixteen partial sums: the additions must not wait for each other, or they, not memory, are timed.
double sum(const double* a) {
    double partial[16] = {};
    for (std::size_t i = 0; i + 16 <= window; i += 16)
        for (std::size_t k = 0; k < 16; ++k) partial[k] += a[i + k];
    return *std::max_element(partial, partial + 16);
}

void triad(double* __restrict__ a, const double* __restrict__ b, const double* __restrict__ c) {
    for (std::size_t i = 0; i < window; ++i) a[i] = b[i] + 3.0 * c[i];
}

constexpr std::size_t chain_length = 200'000;

/// Ten chains of multiplications and additions.
void plain_chains() {
    double x[10] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};
    for (std::size_t i = 0; i < chain_length; ++i)
        for (double& value : x) value = value * 0.999999 + 1e-9;
    keep(*std::max_element(x, x + 10));
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void fused_chains() {
    const __m256d factor = _mm256_set1_pd(0.999999), term = _mm256_set1_pd(1e-9);
    __m256d x0 = term, x1 = term, x2 = term, x3 = term, x4 = term, x5 = term, x6 = term, x7 = term, x8 = term, x9 = term;
    for (std::size_t i = 0; i < chain_length; ++i) {
        x0 = _mm256_fmadd_pd(x0, factor, term), x1 = _mm256_fmadd_pd(x1, factor, term);
        x2 = _mm256_fmadd_pd(x2, factor, term), x3 = _mm256_fmadd_pd(x3, factor, term);
        x4 = _mm256_fmadd_pd(x4, factor, term), x5 = _mm256_fmadd_pd(x5, factor, term);
        x6 = _mm256_fmadd_pd(x6, factor, term), x7 = _mm256_fmadd_pd(x7, factor, term);
        x8 = _mm256_fmadd_pd(x8, factor, term), x9 = _mm256_fmadd_pd(x9, factor, term);
    }
    const __m256d low = _mm256_add_pd(_mm256_add_pd(x0, x1), _mm256_add_pd(x2, x3));
    const __m256d high = _mm256_add_pd(_mm256_add_pd(x4, x5), _mm256_add_pd(x6, x7));
    const __m256d all = _mm256_add_pd(_mm256_add_pd(low, high), _mm256_add_pd(x8, x9));
    keep(_mm256_cvtsd_f64(all));
}
#endif

bool can_fuse() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

void chains() {
#if defined(__x86_64__)
    if (can_fuse()) return fused_chains();
#endif
    plain_chains();
}

double operations_of_chains() { return 2.0 * 10.0 * (can_fuse() ? 4.0 : 1.0) * static_cast<double>(chain_length); }

/// Shortest of `count` timings in each of which thread k of all threads does work(k, timing), beginning together.
double shortest(int threads, std::size_t count, const std::function<void(int, std::size_t)>& work) {
    std::vector<double> at(count + 1);
    std::size_t met = 0;
    std::barrier meet(threads, [&]() noexcept { at[met++] = seconds_now(); });
    const auto run = [&](int k) {
        meet.arrive_and_wait();
        for (std::size_t timing = 0; timing < count; ++timing) {
            work(k, timing);
            meet.arrive_and_wait();
        }
    };
    std::vector<std::thread> crew;
    for (int k = 1; k < threads; ++k) crew.emplace_back(run, k);
    run(0);
    for (std::thread& worker : crew) worker.join();
    double best = at[1] - at[0];
    for (std::size_t timing = 1; timing < count; ++timing) best = std::min(best, at[timing + 1] - at[timing]);
    return best;
}

}  // namespace

RoofProbe::RoofProbe(int threads, std::size_t megabytes)
    : windows_(std::max<std::size_t>(1, megabytes / 8)), streams_(std::make_unique<Streams[]>(threads)) {
    best_.threads = threads;
    const std::size_t n = windows_ * window;
    for (int k = 0; k < threads; ++k) streams_[k] = {std::vector(n, 1.0), std::vector(n, 2.0), std::vector(n, 3.0)};
}
RoofProbe::~RoofProbe() = default;
RoofProbe::RoofProbe(RoofProbe&&) noexcept = default;

void RoofProbe::measure() {
    const double all = static_cast<double>(best_.threads), bytes = all * static_cast<double>(window * sizeof(double));
    const double reading =
        shortest(best_.threads, windows_, [&](int k, std::size_t w) { keep(sum(streams_[k].b.data() + w * window)); });
    best_.read = std::max(best_.read, bytes / reading);
    const double streaming = shortest(best_.threads, windows_, [&](int k, std::size_t w) {
        Streams& s = streams_[k];
        triad(s.a.data() + w * window, s.b.data() + w * window, s.c.data() + w * window);
        keep(s.a[w * window]);
    });
    best_.triad = std::max(best_.triad, 3.0 * bytes / streaming);
    const double computing = shortest(best_.threads, 10, [](int, std::size_t) { chains(); });
    best_.flops = std::max(best_.flops, all * operations_of_chains() / computing);
}

std::size_t peak_resident_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace talus::bench
