#include "memory_roof.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace talus::bench {
namespace {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The compiler must believe that somebody reads the value.
void keep(double value) { asm volatile("" : : "g"(value) : "memory"); }

/// Sixteen partial sums: the additions must not wait for each other, or they, not memory, are timed.
double sum(const std::vector<double>& a) {
    double partial[16] = {};
    for (std::size_t i = 0; i + 16 <= a.size(); i += 16)
        for (std::size_t k = 0; k < 16; ++k) partial[k] += a[i + k];
    return *std::max_element(partial, partial + 16);
}

void triad(std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& c) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = b[i] + 3.0 * c[i];
}

}  // namespace

MemoryRoof measure_memory_roof(std::size_t megabytes, int repeats) {
    const std::size_t n = megabytes * 1'000'000 / sizeof(double);
    std::vector<double> a(n, 1.0), b(n, 2.0), c(n, 3.0);
    MemoryRoof roof;
    for (int k = 0; k < repeats; ++k) {
        const double t0 = seconds_now();
        keep(sum(b));
        const double t1 = seconds_now();
        triad(a, b, c);
        const double t2 = seconds_now();
        keep(a[n / 2]);
        roof.read = std::max(roof.read, static_cast<double>(n * sizeof(double)) / (t1 - t0));
        roof.triad = std::max(roof.triad, static_cast<double>(3 * n * sizeof(double)) / (t2 - t1));
    }
    return roof;
}

std::size_t peak_resident_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace talus::bench
