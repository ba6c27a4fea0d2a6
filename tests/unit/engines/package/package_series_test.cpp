#include "engines/package/package_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/tensors/tensor_difference.h"
#include "engines/runtime/executor.h"
#include "model/operators/workloads/workload.h"
#include "model_maker.h"
#include "shared_kernels.h"
#include "test_form.h"

namespace opbench {
namespace {

constexpr const char* kPackageSeriesVm = "vm";
constexpr int64_t kWidth = 24;
constexpr int64_t kMostPositions = 300;

/// One layer over a length: position embeddings are a slice of a table, a mask and a range of
/// positions are made from the length, and a table of weights is transposed before the run.
Model layer(int64_t length) {
  ModelMaker m;
  const std::string x = m.input("x", {2, length, kWidth});
  m.name_dimension(1, "length");
  const std::string shape = m.node("Shape", {x}, "shape");
  const std::string extent =
      m.node("Gather", {shape, m.integers("one", {1})}, "extent", {{"axis", int64_t{0}}});
  const std::string table = m.weight("table", {kMostPositions, kWidth});
  const std::string positions = m.node(
      "Slice", {table, m.integers("zero", {0}), extent, m.integers("axis", {0})}, "positions");
  const std::string h = m.node("Add", {x, positions}, "h");
  const std::string wide = m.weight("wide", {48, kWidth});
  const std::string turned =
      m.node("Transpose", {wide}, "turned", {{"perm", std::vector<int64_t>{1, 0}}});
  const std::string q = m.node("MatMul", {h, turned}, "q");
  const std::string k = m.node("MatMul", {h, m.weight("wk", {kWidth, 48})}, "k");
  const std::string t = m.node("Transpose", {k}, "t", {{"perm", std::vector<int64_t>{0, 2, 1}}});
  const std::string s = m.node("MatMul", {q, t}, "s");
  const std::string mask_shape =
      m.node("Concat", {extent, extent}, "mask_shape", {{"axis", int64_t{0}}});
  const std::string ones = m.node("ConstantOfShape", {mask_shape}, "ones");
  m.last().attributes["value"] =
      Tensor::of<float>(DataType::kFloat32, {1}, std::vector<float>{1.0F});
  const std::string mask = m.node("Trilu", {ones}, "mask", {{"upper", int64_t{0}}});
  const std::string p =
      m.node("Softmax", {m.node("Mul", {s, mask}, "masked")}, "p", {{"axis", int64_t{-1}}});
  return m.finish({m.node("Relu", {m.node("MatMul", {p, k}, "c")}, "y")});
}

/// The operators' references on the model as it is read, node by node: no pass but the types.
Tensor reference(const Model& model, const Tensor& input) {
  std::map<std::string, Tensor> values = model.graph.constants;
  values["x"] = input;
  for (const Node& node : model.graph.nodes) {
    const OperatorCall call = call_of(node, model.graph, model.opset);
    const TensorType& type = model.graph.types.at(node.outputs.front());
    Tensor result = Tensor::empty(type);
    OperatorCall known = call;
    std::vector<TensorView> inputs;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      Tensor& value = values.at(node.inputs[i]);
      known.constants[i] = &value;
      inputs.push_back({value.type, value.data.data()});
    }
    const std::vector<TensorView> outputs = {{type, result.data.data()}};
    EXPECT_TRUE(operator_of(node)->run(known, inputs, outputs)) << node.name;
    values[node.outputs.front()] = std::move(result);
  }
  return values.at("y");
}

class PackageSeriesOf : public ::testing::Test {
 protected:
  PackageSeriesOf() : folder_(std::move(*TemporaryFolder::make())), series_(folder_.path() / "s") {
    options_.target = host_target();
    options_.cache = shared_kernels();
    options_.build.worker = {OPBENCH_BINARY_DIR "/opbench", "build-worker"};
    options_.build.workers = 2;
  }

  Package build(const Model& model) {
    auto package = series_.build(model, {}, options_);
    EXPECT_TRUE(package) << to_text(package.error());
    return package ? *std::move(package) : Package();
  }

  /// Binds the one loaded package to the extents of the model, and compares a run.
  void run(const Model& model, const Package& package) {
    executor_.reset();
    if (loaded_ == nullptr) {
      auto loaded = LoadedPackage::load(package.folder, {});
      ASSERT_TRUE(loaded) << to_text(loaded.error());
      loaded_ = *std::move(loaded);
    } else {
      const auto taken = loaded_->take_extents(package.folder);
      ASSERT_TRUE(taken) << to_text(taken.error());
    }
    Tensor input = Tensor::empty(model.graph.types.at("x"));
    Random(5).fill_normal(input.as<float>(), 1.0F);
    ASSERT_TRUE(loaded_->set_input(0, input));
    auto executor = (*executor_table().find(kPackageSeriesVm))->make(*loaded_);
    ASSERT_TRUE(executor) << to_text(executor.error());
    executor_ = *std::move(executor);
    ASSERT_EQ(executor_->run(), 0);
    const Tensor expected = reference(model, input);
    ASSERT_EQ(loaded_->output(0).type, expected.type);
    EXPECT_LT(max_relative_error(loaded_->output(0), expected), 1e-5);
  }

  static std::set<std::string> symbols_of(const Package& package) {
    std::set<std::string> symbols;
    for (const Step& step : package.program.steps) symbols.insert(step.symbol);
    return symbols;
  }

  TemporaryFolder folder_;
  PackageOptions options_;
  PackageSeries series_;
  std::unique_ptr<LoadedPackage> loaded_;
  std::unique_ptr<Executor> executor_;
};

TEST_F(PackageSeriesOf, ComputeTheModelAtEveryLength) {
  using Lengths = std::vector<int64_t>;
  for (const int64_t length :
       by_form(Lengths{17, 0, 1, 40, 5, 17, 300, 16}, Lengths{17, 0, 1, 40, 2, 5, 17, 300, 16})) {
    SCOPED_TRACE(length);
    const Model model = layer(length);
    run(model, build(model));
  }
}

TEST_F(PackageSeriesOf, PackWeightsOnce) {
  const Package first = build(layer(20));
  const Package second = build(layer(30));
  EXPECT_EQ(symbols_of(second), symbols_of(first));
  // What 30 positions and their mask take, each on a boundary of its own.
  const int64_t own = 4 * (30 * kWidth + 30 * 30);
  const int64_t grown = second.program.weight_bytes - first.program.weight_bytes;
  EXPECT_GE(grown, own);
  EXPECT_LE(grown, own + 1024);
  const Package again = build(layer(20));
  EXPECT_EQ(again.program.weight_bytes, second.program.weight_bytes);
  EXPECT_TRUE(
      std::filesystem::equivalent(first.folder / "weights.bin", again.folder / "weights.bin"));
}

TEST_F(PackageSeriesOf, ConstantsOfOneNameMayDifferByLength) {
  // The factor is the length itself: batch normalisation takes it into weights that are not fixed.
  const auto scaled = [](int64_t length) {
    ModelMaker m;
    const std::string x = m.input("x", {1, 64, length});
    m.name_dimension(2, "length");
    const std::string extent =
        m.node("Gather", {m.node("Shape", {x}, "shape"), m.integers("two", {2})}, "extent",
               {{"axis", int64_t{0}}});
    const std::string factor = m.node("Cast", {extent}, "factor", {{"to", int64_t{1}}});
    const std::string scale = m.node("Expand", {factor, m.integers("channels", {64})}, "scale");
    const std::string conv = m.node("Conv", {x, m.weight("w", {64, 64, 1})}, "conv");
    const std::string ones = m.weight("ones", {64}, 0);
    return m.finish({m.node("BatchNormalization",
                            {conv, scale, m.weight("b", {64}), m.weight("mean", {64}),
                             m.node("Exp", {ones}, "variance")},
                            "y")});
  };
  for (const int64_t length : {8, 9, 8, 12}) {
    SCOPED_TRACE(length);
    const Model model = scaled(length);
    run(model, build(model));
  }
}

TEST_F(PackageSeriesOf, HaveAUnitForEachNodeWithoutFusion) {
  const size_t fused = build(layer(17)).units.size();
  PackageSeries single(folder_.path() / "single", Fusion::kOff);
  for (const int64_t length : {int64_t{17}, by_form<int64_t>(40, 5)}) {
    SCOPED_TRACE(length);
    const Model model = layer(length);
    const auto package = single.build(model, {}, options_);
    ASSERT_TRUE(package) << to_text(package.error());
    EXPECT_GT(package->units.size(), fused);
    run(model, *package);
  }
}

TEST_F(PackageSeriesOf, MakeObservedValuesOutputs) {
  const auto package = series_.build(layer(7), {"s", "no such value"}, options_);
  ASSERT_TRUE(package) << to_text(package.error());
  EXPECT_EQ(package->program.outputs.size(), 2U);
}

}  // namespace
}  // namespace opbench
