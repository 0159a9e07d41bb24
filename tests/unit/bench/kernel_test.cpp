#include "bench/kernel.h"

#include <gtest/gtest.h>

#include "talus/error.h"

namespace talus::bench {
namespace {

void hear_nothing(const std::string&) {}

TEST(Roof, UpdatesFollowFromBytesAndOperations) {
    const Roof roof{.threads = 1, .read = 10.0 * bytes_per_update, .triad = 20.0 * bytes_per_update, .flops = 30.0 * flops_per_update};
    EXPECT_DOUBLE_EQ(roof.bandwidth(), 20.0 * bytes_per_update);
    EXPECT_DOUBLE_EQ(roof.memory_updates(), 20.0);
    EXPECT_DOUBLE_EQ(roof.fma_updates(), 30.0);
    EXPECT_DOUBLE_EQ(roof.updates(), 20.0);  // the lower one
}

TEST(Roof, AProbeKeepsTheBest) {
    RoofProbe probe(2, 1);
    probe.measure();
    const Roof first = probe.best();
    EXPECT_EQ(first.threads, 2);
    EXPECT_GT(first.read, 0.0);
    EXPECT_GT(first.triad, 0.0);
    EXPECT_GT(first.flops, 0.0);
    probe.measure();
    EXPECT_GE(probe.best().read, first.read);
    EXPECT_GE(probe.best().triad, first.triad);
    EXPECT_GE(probe.best().flops, first.flops);
}

TEST(Kernel, OneRowForEverySizeVariantAndThreadCount) {
    KernelOptions options;
    options.bodies = {1000, 2000};
    options.threads = {1};
    options.seconds = 0.0;
    options.settle = 0.05;
    const KernelResult result = measure_kernel(options, hear_nothing);
    ASSERT_EQ(result.rows.size(), 2 * kernel_variants().size());
    EXPECT_EQ(result.rows.front().bodies, 1000u);
    EXPECT_EQ(result.rows.back().bodies, 2000u);
    for (const KernelRow& row : result.rows) {
        EXPECT_GT(row.contacts, 0u);
        EXPECT_GT(row.updates_per_second, 0.0);
        EXPECT_DOUBLE_EQ(row.roof_fraction, row.updates_per_second / result.roofs[0].updates());
    }
}

TEST(Kernel, TheScalarOneIsTheReference) {
    ASSERT_FALSE(kernel_variants().empty());
    EXPECT_EQ(kernel_variants().front(), "scalar");
}

TEST(Kernel, RefusesWhatThereIsNot) {
    KernelOptions options;
    options.variants = {"vector"};
    EXPECT_THROW(static_cast<void>(measure_kernel(options, hear_nothing)), InputError);
    options.variants = {};
    options.threads = {0};
    EXPECT_THROW(static_cast<void>(measure_kernel(options, hear_nothing)), InputError);
    options.threads = {};
    options.bodies = {};
    EXPECT_THROW(static_cast<void>(measure_kernel(options, hear_nothing)), InputError);
    options.bodies = {1000};
    options.sweeps = 1;
    EXPECT_THROW(static_cast<void>(measure_kernel(options, hear_nothing)), InputError);
}

}  // namespace
}  // namespace talus::bench
