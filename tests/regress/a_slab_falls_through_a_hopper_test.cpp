// Cause: against a hopper only the corners of a solid between its two ends were looked at. A slab across the opening,
// whose corners are outside, and a plug wider than the outlet met nothing and fell through.
#include "drop.h"

namespace talus {
namespace {

TEST(AHopper, CarriesASlabAcrossItsOpening) {
    BodySpec<3> slab;
    slab.shape = {"box", {1.2, 1.2, 0.05}};
    slab.position = {0.0, 0.0, 0.55};
    Drop drop({"cone_inside", {0.1, 0.4, 0.5}}, Vec<3>::Zero(), slab, 1e-3);
    EXPECT_NEAR(drop.height_after(0.6), 0.525, 1e-3);
}

TEST(AHopper, IsPluggedByWhatIsWiderThanItsOutlet) {
    BodySpec<3> plug;
    plug.shape = {"frustum", {0.02, 0.3, 0.5}};
    plug.position = {0.0, 0.0, 0.3};
    Drop drop({"cone_inside", {0.1, 0.12, 0.05}}, Vec<3>::Zero(), plug, 1e-3);
    EXPECT_GT(drop.height_after(0.6), 0.1);
}

}  // namespace
}  // namespace talus
