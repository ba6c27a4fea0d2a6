#include "model/zoo/image/zoo_wiring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace opbench {
namespace {

using Sources = std::vector<std::vector<size_t>>;

size_t edges_of(const Sources& sources) {
  size_t count = 0;
  for (const auto& into : sources) count += into.size();
  return count;
}

TEST(RandomWiring, ConnectsARingWhereNothingIsRewired) {
  const WiringOptions options = {.nodes = 6, .degree = 4, .probability = 0};
  EXPECT_EQ(random_wiring(options, Random(1)),
            (Sources{{}, {0}, {0, 1}, {1, 2}, {0, 2, 3}, {0, 1, 3, 4}}));
}

TEST(RandomWiring, KeepsEdgesOfANodeThatIsConnectedToAllOthers) {
  const WiringOptions options = {.nodes = 5, .degree = 4, .probability = 1};
  EXPECT_EQ(random_wiring(options, Random(1)), (Sources{{}, {0}, {0, 1}, {0, 1, 2}, {0, 1, 2, 3}}));
}

TEST(RandomWiring, KeepsTheNumberOfEdgesAndLeadsThemUpwards) {
  for (const WiringOptions& options :
       {WiringOptions{32, 4, 0.75}, WiringOptions{16, 4, 0.75}, WiringOptions{320, 20, 0.75},
        WiringOptions{7, 6, 0.5}, WiringOptions{9, 2, 1}, WiringOptions{1, 0, 1}}) {
    for (uint64_t seed = 0; seed < 50; ++seed) {
      const Sources sources = random_wiring(options, Random(seed));
      ASSERT_EQ(sources.size(), options.nodes);
      EXPECT_EQ(edges_of(sources), options.nodes * options.degree / 2);
      std::vector<size_t> degrees(options.nodes);
      for (size_t to = 0; to < sources.size(); ++to) {
        EXPECT_TRUE(std::ranges::is_sorted(sources[to], std::less_equal<>())) << "no edge twice";
        for (const size_t from : sources[to]) {
          EXPECT_LT(from, to) << "neither loops nor cycles";
          ++degrees[from];
          ++degrees[to];
        }
      }
      for (const size_t degree : degrees) EXPECT_GE(degree, options.degree / 2);
    }
  }
}

TEST(RandomWiring, RewiresTheShareOfEdgesThatTheProbabilitySays) {
  const WiringOptions options = {.nodes = 200, .degree = 4, .probability = 0.75};
  size_t kept = 0;
  constexpr uint64_t kSeeds = 40;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Sources sources = random_wiring(options, Random(seed));
    for (size_t to = 0; to < sources.size(); ++to) {
      for (const size_t from : sources[to]) {
        const size_t distance = std::min(to - from, options.nodes - (to - from));
        kept += distance <= options.degree / 2 ? 1 : 0;
      }
    }
  }
  // Of 16 000 edges. Few get an end beside their own node by chance.
  EXPECT_NEAR(static_cast<double>(kept) / (kSeeds * 400), 0.25, 0.03);
}

TEST(RandomWiring, DependsOnTheNumbersAlone) {
  const WiringOptions options = {.nodes = 32, .degree = 4, .probability = 0.75};
  EXPECT_EQ(random_wiring(options, Random(1)), random_wiring(options, Random(1)));
  EXPECT_NE(random_wiring(options, Random(1)), random_wiring(options, Random(2)));
}

}  // namespace
}  // namespace opbench
