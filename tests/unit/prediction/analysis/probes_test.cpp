#include "prediction/analysis/probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "made_curves.h"

namespace opbench {
namespace {

ProbeSearch probes_searched(const Curve& curve, size_t budget) {
  std::vector<double> values;
  for (const CurvePoint& point : curve) values.push_back(point.x);
  const Probe probe = [&](size_t index) -> Result<double> { return curve.at(index).y; };
  return search_with_probes(values, budget, 0.05, probe).value();
}

double least_of(const Curve& curve) {
  return std::ranges::min_element(curve, {}, &CurvePoint::y)->y;
}

TEST(Probes, NeverAskTwiceNorMoreThanTheBudget) {
  for (int count = 1; count <= 40; ++count) {
    for (size_t budget = 1; budget <= 12; ++budget) {
      const Curve curve =
          made_curve(count, 0.3, static_cast<uint64_t>(count), [](double n) { return 1 / n; });
      const ProbeSearch search = probes_searched(curve, budget);
      EXPECT_EQ(search.order.size(), std::min(budget, curve.size()));
      EXPECT_EQ(std::set<double>(search.order.begin(), search.order.end()).size(),
                search.order.size());
    }
  }
}

TEST(Probes, FindTheBestWhereAllAreAsked) {
  const Curve curve = made_curve(8, 0.5, 3, [](double) { return 1.0; });
  EXPECT_EQ(probes_searched(curve, 8).fastest.y, least_of(curve));
}

TEST(Probes, ComeNearTheBestOfManyForms) {
  std::vector<double> regrets;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed, "form");
    const int count = std::vector{16, 40, 64, 128}[seed % 4];
    const double peak = 2 + random.uniform() * (count - 2);
    for (int form = 0; form < 3; ++form) {
      const Curve curve = made_curve(count, 0.03, seed, [&](double n) {
        if (form == 0) return 1 / std::min(n, peak);
        if (form == 1) return n <= peak ? 1 / n : 1 / peak * (1 + 0.2 * (n - peak) / peak);
        return std::ceil(count / n);
      });
      const ProbeSearch search = probes_searched(curve, 8);
      regrets.push_back(search.enough.y / least_of(curve) - 1);
    }
  }
  std::ranges::sort(regrets);
  EXPECT_LT(regrets[regrets.size() / 2], 0.1);
}

TEST(Probes, EndWithTheErrorOfAProbe) {
  const Probe probe = [](size_t) -> Result<double> { return Error{ErrorCode::kSystem, "no time"}; };
  const auto search = search_with_probes({1, 2, 3}, 2, 0.05, probe);
  ASSERT_FALSE(search);
  EXPECT_EQ(search.error().message, "no time");
}

}  // namespace
}  // namespace opbench
