#include <gtest/gtest.h>

#include "base/files/file.h"
#include "experiments/predict/outline_file.h"
#include "experiments/predict/training_batches.h"
#include "experiments/predict/workload_batch.h"
#include "experiments/sessions/model/model_source.h"
#include "experiments/unit_times/predicted_model.h"
#include "machine/target/target.h"
#include "model/passes/evaluate.h"
#include "model/passes/passes.h"
#include "model/zoo/image/zoo_variants.h"

namespace opbench {
namespace {

std::vector<std::string> texts_of(Model model) {
  const auto units = lower(model);
  EXPECT_TRUE(units) << to_text(units.error());
  std::vector<std::string> texts;
  if (!units) return texts;
  for (const Unit& unit : *units) texts.push_back(text_of(unit.workload));
  return texts;
}

class ZooOutline : public testing::TestWithParam<const char*> {};

TEST_P(ZooOutline, HasTheUnitsOfTheModel) {
  ProfileRequest request;
  request.model.name = GetParam();
  request.model.is_zoo = true;
  const auto outline = load_outline(request.model, request.measure, request.hooks);
  const auto model = load_model(request.model, request.measure, request.hooks);
  ASSERT_TRUE(outline) << to_text(outline.error());
  ASSERT_TRUE(model);
  EXPECT_EQ(texts_of(*outline), texts_of(*model));
}

INSTANTIATE_TEST_SUITE_P(Small, ZooOutline,
                         testing::Values("squeezenet_v1.1", "mobilenet_v2", "lstm", "densenet-121",
                                         "resnet-18", "dense"));

TEST(Outline, OfAWorkloadHasItsUnit) {
  const auto workload = parse_workload("conv2d 1x8x6x6 w:8x8x3x3 w:8; relu");
  ASSERT_TRUE(workload);
  EXPECT_EQ(texts_of(outline_of_workload(*workload)), texts_of(model_of_workload(*workload, 1)));
}

TEST(Outline, IsSmallAsAFileAndComesBackWithWeights) {
  const auto variant = zoo_variant("vgg", 3);
  ASSERT_TRUE(variant);
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const auto path = folder->path() / "vgg-3.onnx";
  ASSERT_TRUE(write_outline(*variant, path));
  EXPECT_LT(std::filesystem::file_size(path), 200'000U);
  ProfileRequest request;
  request.model.name = path.string();
  request.model.randomize_weights = 1;
  const auto model = load_model(request.model, request.measure, request.hooks);
  ASSERT_TRUE(model) << to_text(model.error());
  EXPECT_EQ(model->name, "vgg-3");
  EXPECT_EQ(texts_of(*model), texts_of(*variant));
  for (const auto& [name, constant] : model->graph.constants) {
    EXPECT_TRUE(has_values(constant)) << name;
  }
}

TEST(ZooVariant, EveryFamilyCanBeLowered) {
  for (const VariantFamily& family : variant_families()) {
    for (uint64_t seed = 0; seed < 12; ++seed) {
      const auto variant = zoo_variant(family.name, seed);
      ASSERT_TRUE(variant);
      EXPECT_GT(texts_of(*variant).size(), 5U) << family.name << seed;
      const auto again = zoo_variant(family.name, seed);
      EXPECT_EQ(*again, *variant);
    }
    EXPECT_NE(*zoo_variant(family.name, 1), *zoo_variant(family.name, 2)) << family.name;
  }
  EXPECT_EQ(zoo_variant("resnets", 1).error().code, ErrorCode::kInvalidInput);
}

TEST(WorkloadBatch, KeepsEveryWorkload) {
  std::vector<Workload> workloads;
  for (const char* text : {"conv2d 1x8x6x6 w:16x8x3x3 w:16; relu", "add 4x8 4x8", "clip 2x3 =0 =6",
                           "matmul 3x4 w:4x5"}) {
    workloads.push_back(*parse_workload(text));
  }
  std::vector<std::string> expected;
  for (const Workload& workload : workloads) expected.push_back(text_of(workload));
  std::vector<std::string> found = texts_of(batch_of_workloads(workloads, "batch"));
  std::ranges::sort(expected);
  std::ranges::sort(found);
  EXPECT_EQ(found, expected);
}

TEST(TrainingBatches, AreTheSameAfterABreak) {
  TrainingBatches first(1, {});
  TrainingBatches second(1, {});
  for (const int64_t number : {0, 1, 7}) {
    const auto a = first.batch(number, {});
    const auto b = second.batch(number, {});
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->model, b->model);
    EXPECT_FALSE(a->is_units);
  }
}

TEST(TrainingBatches, LeaveFamiliesOut) {
  TrainingBatches batches(1, {"resnet", "vgg"});
  for (int64_t number = 0; number < 30; ++number) {
    if (number % 3 == 2) continue;
    const auto batch = batches.batch(number, {});
    ASSERT_TRUE(batch);
    EXPECT_NE(batch->family, "resnet");
    EXPECT_NE(batch->family, "vgg");
  }
}

TEST(TrainingBatches, DrawWorkloadsNearTheWorst) {
  TrainingBatches batches(1, {});
  const auto batch = batches.batch(2, {{"hardmax 37x41", 1}});
  ASSERT_TRUE(batch);
  EXPECT_TRUE(batch->is_units);
  const auto hardmaxes = std::ranges::count_if(
      batch->model.graph.nodes, [](const Node& node) { return node.type == "Hardmax"; });
  EXPECT_EQ(hardmaxes, 24);
  EXPECT_EQ(batch->model.graph.outputs.size(), 48U);
}

TEST(PlanModel, OfAnUnknownOperatorNamesWhatIsMissing) {
  Model model;
  model.opset = 17;
  model.ir_version = 8;
  model.other_opsets["com.acme"] = 1;
  Value x{"x", DataType::kFloat32, true, {{4, ""}, {8, ""}}};
  Value y = x;
  y.name = "y";
  model.graph.inputs = {x};
  model.graph.outputs = {y};
  model.graph.nodes = {{"a", "Relu", "", {"x"}, {"r"}, {}, false},
                       {"b", "Blur", "com.acme", {"r"}, {"y"}, {}, false}};
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  ProfileRequest request;
  request.model.name = (folder->path() / "odd.onnx").string();
  ASSERT_TRUE(write_outline(model, request.model.name));
  const auto planned = plan_model(request);
  ASSERT_TRUE(planned) << to_text(planned.error());
  EXPECT_EQ(planned->missing, (std::map<std::string, int64_t>{{"com.acme.Blur", 1}}));
  EXPECT_EQ(planned->steps.size(), 1U);
}

}  // namespace
}  // namespace opbench
