// State hashes kept in golden.txt: the same scenes give the same bits on every x86-64 machine and in every
// later version that does not mean to change results. A change that does (another sweep order, another
// rounding) renews the file with the lines this test prints, and says so in the changelog.
//
// any_processor_test.sh repeats it with the C library told that there is no fused multiply-add.
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>

#include "scenes.h"

namespace talus::test {
namespace {

using Key = std::pair<std::string, int>;  // scene, dimension

std::map<Key, std::string> stored_hashes() {
    std::ifstream file(TALUS_SOURCE_DIR "/tests/determinism/golden.txt");
    std::map<Key, std::string> out;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        std::string name, hash;
        int dim = 0;
        words >> name >> dim >> hash;
        out[{name, dim}] = hash;
    }
    return out;
}

template <class D>
class Golden : public ::testing::Test {};
TYPED_TEST_SUITE(Golden, BothDimensions);

TYPED_TEST(Golden, HashesAreThoseOfTheFile) {
    constexpr int Dim = TypeParam::value;
    const std::map<Key, std::string> stored = stored_hashes();
    for (const auto& [name, make] : all_scenes<Dim>()) {
        Scene<Dim> scene = make();
        scene.advance(240);
        std::ostringstream hash;
        hash << std::hex << std::setfill('0') << std::setw(16) << scene.bench.world.hash();
        const auto it = stored.find({name, Dim});
        ASSERT_NE(it, stored.end()) << "golden.txt lacks the line\n" << name << ' ' << Dim << ' ' << hash.str();
        EXPECT_EQ(it->second, hash.str()) << "if results were meant to change, the line is now\n"
                                          << name << ' ' << Dim << ' ' << hash.str();
    }
}

}  // namespace
}  // namespace talus::test
