#include "engines/package/free_forms.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/files/file.h"
#include "base/tensors/tensor_difference.h"
#include "engines/package/package.h"
#include "engines/runtime/executor.h"
#include "model/operators/workloads/workload.h"
#include "model_maker.h"
#include "shared_kernels.h"

namespace opbench {
namespace {

constexpr const char* kFreeFormsVm = "vm";

/// Attention of one head: rows and terms of its products depend on the length.
Model attention(int64_t batch, int64_t length) {
  ModelMaker m;
  const std::string x = m.input("x", {batch, length, 24});
  m.name_dimension(0, "batch");
  m.name_dimension(1, "length");
  const std::string q = m.node("MatMul", {x, m.weight("wq", {24, 32})}, "q");
  const std::string k = m.node("MatMul", {x, m.weight("wk", {24, 32})}, "k");
  const std::string t = m.node("Transpose", {k}, "t", {{"perm", std::vector<int64_t>{0, 2, 1}}});
  const std::string s =
      m.node("Softmax", {m.node("MatMul", {q, t}, "s")}, "p", {{"axis", int64_t{-1}}});
  const std::string c = m.node("MatMul", {s, q}, "c");
  const std::string n =
      m.node("LayerNormalization", {c, m.weight("g", {32}), m.weight("b", {32})}, "n");
  return m.finish({m.node("Relu", {m.node("Add", {n, q}, "a")}, "y")});
}

class FreeFormsOf : public ::testing::Test {
 protected:
  FreeFormsOf() : folder_(std::move(*TemporaryFolder::make())) {
    options_.target = host_target();
    options_.folder = folder_.path() / "package";
    options_.cache = shared_kernels();
    options_.build.worker = {OPBENCH_BINARY_DIR "/opbench", "build-worker"};
    options_.build.workers = 2;
  }

  /// Builds the model for these extents, checks a run, and keeps the kernels' names.
  void run(const Model& model) {
    const FreeForms forms = FreeForms::of(model);
    ASSERT_EQ(forms.reason(), "");
    options_.free = &forms;
    const auto package = build_package(model, fuse(model), options_);
    ASSERT_TRUE(package) << to_text(package.error());
    for (const Step& step : package->program.steps) symbols_.insert(step.symbol);
    auto loaded = LoadedPackage::load(package->folder, {});
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    Tensor input = Tensor::empty(model.graph.types.at("x"));
    Random(5).fill_normal(input.as<float>(), 1.0F);
    ASSERT_TRUE((*loaded)->set_input(0, input));
    auto executor = (*executor_table().find(kFreeFormsVm))->make(**loaded);
    ASSERT_TRUE(executor) << to_text(executor.error());
    ASSERT_EQ((*executor)->run(), 0);
    EXPECT_LT(max_relative_error((*loaded)->output(0), reference(model, input)), 1e-5);
  }

  static Tensor reference(const Model& model, const Tensor& input) {
    std::map<std::string, Tensor> values = {{"x", input}};
    for (const auto& [name, constant] : model.graph.constants) values[name] = constant;
    for (const Unit& unit : fuse(model)) {
      std::vector<Tensor> operands;
      for (const std::string& name : unit.operands) operands.push_back(values.at(name));
      values[unit.output] = run_reference(unit.workload, operands).value();
    }
    return values.at("y");
  }

  TemporaryFolder folder_;
  PackageOptions options_;
  std::set<std::string> symbols_;
};

TEST(LeastExtent, RangesGrowByPowersOfFour) {
  for (const auto& [extent, least] : std::map<int64_t, int64_t>{{0, 0},
                                                                {1, 1},
                                                                {2, 2},
                                                                {3, 2},
                                                                {4, 4},
                                                                {15, 4},
                                                                {16, 16},
                                                                {63, 16},
                                                                {64, 64},
                                                                {255, 64},
                                                                {256, 256},
                                                                {512, 256}}) {
    EXPECT_EQ(least_extent(extent), least) << extent;
  }
}

TEST_F(FreeFormsOf, OneSetOfKernelsServesARange) {
  run(attention(2, 16));
  const std::set<std::string> first = symbols_;
  for (const int64_t length : {17, 31, 48, 63}) run(attention(3, length));
  EXPECT_EQ(symbols_, first);
  run(attention(2, 70));
  EXPECT_GT(symbols_.size(), first.size());
}

TEST_F(FreeFormsOf, ExtentOfOneIsAConstant) {
  run(attention(1, 20));
  const std::set<std::string> first = symbols_;
  run(attention(1, 21));
  EXPECT_EQ(symbols_, first);
}

TEST(FreeForms, ModelWithoutNamedDimensionsHasNone) {
  ModelMaker m;
  const std::string x = m.input("x", {4, 8});
  EXPECT_NE(FreeForms::of(m.finish({m.node("Relu", {x}, "y")})).reason(), "");
}

TEST(FreeForms, ModelForOneExtentHasNone) {
  ModelMaker m;
  const std::string x = m.input("x", {6, 8});
  m.name_dimension(0, "rows");
  const std::string y = m.node("Add", {x, m.weight("w", {6, 8})}, "y");
  EXPECT_NE(FreeForms::of(m.finish({y})).reason().find("does not take rows="), std::string::npos);
}

}  // namespace
}  // namespace opbench
