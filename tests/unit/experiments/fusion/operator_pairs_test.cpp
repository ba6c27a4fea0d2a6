#include "experiments/fusion/operator_pairs.h"

#include <gtest/gtest.h>

#include <set>

#include "model/passes/passes.h"

namespace opbench {
namespace {

TEST(OperatorPairs, AreAtLeastADozenDifferentOnes) {
  std::set<std::string> names;
  const std::vector<OperatorPair> pairs = chosen_pairs({}).value();
  for (const OperatorPair& pair : pairs) names.insert(pair.name());
  EXPECT_GE(names.size(), 12U);
  EXPECT_LT(names.size(), operator_pairs().size());
}

TEST(OperatorPairs, MakeModelsThatOurEngineRuns) {
  for (const OperatorPair& pair : operator_pairs()) {
    PairModels models = models_of(pair);
    for (Model* model : {&models.rest_of_first, &models.rest_of_second, &models.first,
                         &models.second, &models.both}) {
      const auto units = lower(*model);
      ASSERT_TRUE(units) << pair.name() << " " << model->name << to_text(units.error());
      EXPECT_FALSE(units->empty());
    }
  }
}

size_t units_of(Model model) { return lower(model).value().size(); }

// A test with one answer only would judge nothing.
TEST(OperatorPairs, SomeAreFusedByOurEngineAndSomeAreNot) {
  std::set<std::string> fused, apart;
  for (const OperatorPair& pair : operator_pairs()) {
    const PairModels models = models_of(pair);
    const bool is_fused = units_of(models.both) + units_of(models.rest_of_second) <
                          units_of(models.first) + units_of(models.second);
    (is_fused ? fused : apart).insert(pair.name());
  }
  EXPECT_TRUE(fused.contains("conv+relu"));
  EXPECT_TRUE(fused.contains("conv+bn"));
  EXPECT_TRUE(fused.contains("matmul+add"));
  EXPECT_TRUE(apart.contains("conv+conv"));
  EXPECT_TRUE(apart.contains("relu+pool"));
  EXPECT_GE(fused.size(), 6U);
  EXPECT_GE(apart.size(), 4U);
}

TEST(OperatorPairs, TheLastModelHasTheOperatorsOfBoth) {
  const PairModels models = models_of(chosen_pairs({"conv+relu"})->front());
  EXPECT_EQ(models.first.graph.nodes.size(), 3U);
  EXPECT_EQ(models.second.graph.nodes.size(), 3U);
  ASSERT_EQ(models.both.graph.nodes.size(), 4U);
  EXPECT_EQ(models.both.graph.nodes[1].type, "Conv");
  EXPECT_EQ(models.both.graph.nodes[2].type, "Relu");
  EXPECT_EQ(models.rest_of_second.graph.nodes.size(), 2U);
}

TEST(OperatorPairs, AreChosenByName) {
  EXPECT_EQ(chosen_pairs({"pool+relu", "conv+add"})->front().first.name, "pool");
  const auto unknown = chosen_pairs({"conv+rellu"});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "unknown pair \"conv+rellu\"");
}

}  // namespace
}  // namespace opbench
