#include "presentation/cli/operators/catalog.h"

#include <gmock/gmock.h>

#include "base/files/file.h"
#include "presentation/cli/operators/catalog_text.h"

namespace opbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

CatalogEntry entry(const std::string& name, int64_t count, std::optional<double> predicted_ms,
                   std::optional<double> measured_ms) {
  CatalogEntry result;
  result.what.identity.operator_text = name;
  result.what.identity.texts.workload = name + " 1x4";
  result.what.counts["m"] = count;
  result.predicted_ms = predicted_ms;
  result.measured_ms = measured_ms;
  return result;
}

Catalog example() {
  return {.models = {"m"},
          .entries = {entry("conv2d", 6, 1, 1), entry("conv2d", 1, 2, {}), entry("dense", 1, 1, 9),
                      entry("relu", 2, 0.5, 0.1), entry("Blur", 1, {}, {})},
          .has_measured = true};
}

TEST(Catalog, FindsTheFewestThatTakeMostOfTheTime) {
  const Coverage predicted = coverage_of(example(), TimeSource::kPredicted);
  EXPECT_EQ(predicted.ms, 10);
  EXPECT_EQ(predicted.timed, 4);
  EXPECT_THAT(predicted.workloads, ElementsAre(0, 1, 2));
  ASSERT_EQ(predicted.operators.size(), 2);
  EXPECT_EQ(predicted.operators[0], std::pair(std::string("conv2d"), 0.8));
  EXPECT_EQ(predicted.operators[1].first, "dense");
}

TEST(Catalog, KeepsMeasuredTimesApart) {
  const Coverage measured = coverage_of(example(), TimeSource::kMeasured);
  EXPECT_EQ(measured.ms, 15.2);
  EXPECT_EQ(measured.timed, 3) << "one has a predicted time alone";
  EXPECT_THAT(measured.workloads, ElementsAre(2, 0));
  const std::string text = coverage_text(example());
  EXPECT_THAT(text, HasSubstr("90 % of the predicted time: 3 of 4 workloads"));
  EXPECT_THAT(text, HasSubstr("90 % of the measured time: 2 of 3 workloads"));
  Catalog unmeasured = example();
  unmeasured.has_measured = false;
  EXPECT_THAT(coverage_text(unmeasured), Not(HasSubstr("measured")));
}

TEST(Catalog, CoversNothingOfNothing) {
  const Coverage none = coverage_of({}, TimeSource::kPredicted);
  EXPECT_TRUE(none.workloads.empty());
  EXPECT_TRUE(none.operators.empty());
}

}  // namespace
}  // namespace opbench
