#include "engines/catalog/prepare_extents.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "base/tensors/tensor_difference.h"
#include "engines/catalog/package_keeper.h"
#include "engines/client/engine_process.h"
#include "engines/protocol/tensor_files.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

constexpr int64_t kWidth = 32;
constexpr Seconds kPrepareExtentsLimit{60};

Tensor random_tensor(const std::string& name, const Shape& shape) {
  Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
  Random(7, name).fill_normal(tensor.as<float>(), 0.3F);
  return tensor;
}

/// y = softmax(x + positions of this length) * w
Model model_at(int64_t length) {
  Model model;
  model.name = "made";
  model.opset = 17;
  Graph& graph = model.graph;
  graph.inputs = {{"x", DataType::kFloat32, true, {{length, "length"}, {kWidth, ""}}}};
  graph.outputs = {{"y", DataType::kFloat32, false, {}}};
  graph.constants = {{"w", random_tensor("w", {kWidth, kWidth})},
                     {"table", random_tensor("table", {100, kWidth})}};
  const int64_t zero = 0;
  graph.constants["zero"] = Tensor::of<int64_t>(DataType::kInt64, {1}, std::span(&zero, 1));
  graph.nodes = {{"shape", "Shape", "", {"x"}, {"shape"}},
                 {"length", "Gather", "", {"shape", "zero"}, {"length"}, {{"axis", int64_t{0}}}},
                 {"part", "Slice", "", {"table", "zero", "length", "zero"}, {"part"}},
                 {"a", "Add", "", {"x", "part"}, {"a"}},
                 {"p", "Softmax", "", {"a"}, {"p"}, {{"axis", int64_t{-1}}}},
                 {"y", "MatMul", "", {"p", "w"}, {"y"}}};
  return model;
}

class PreparedExtents : public ::testing::Test {
 protected:
  PreparedExtents() : folder_(std::move(*TemporaryFolder::make())) {
    options_.target = parse_target("host").value();
    options_.folder = folder_.path();
    options_.cache = folder_.path() / "cache";
    options_.executor = "vm";
  }

  std::unique_ptr<EngineProcess> start() {
    auto engine = EngineProcess::start((*engine_table().find("halide"))->command(options_));
    EXPECT_TRUE(engine) << to_text(engine.error());
    EXPECT_TRUE((*engine)->call("hello", {{"protocol", 1}}, kPrepareExtentsLimit));
    return *std::move(engine);
  }

  /// What `name`, which the request prepares or binds, computes of `x`.
  Tensor output(EngineProcess& engine, const std::string& method, const Json& params,
                const Tensor& x) {
    Json request = params;
    request["inputs"] = *write_tensors(folder_.path() / "inputs", {{"x", x}});
    const auto ready = engine.call(method, request, kPrepareExtentsLimit);
    EXPECT_TRUE(ready) << to_text(ready.error());
    if (!ready) return {};
    const auto run = engine.call(
        "run",
        {{"name", params.at("name")}, {"outputs_dir", (folder_.path() / "outputs").string()}},
        kPrepareExtentsLimit);
    EXPECT_TRUE(run) << to_text(run.error());
    return run ? read_tensors(run->at("outputs")).value().at("y") : Tensor();
  }

  TemporaryFolder folder_;
  EngineOptions options_;
};

TEST_F(PreparedExtents, BoundModelsComputeWhatTheDefaultExecutorDoes) {
  PackageSeries series(folder_.path() / "series");
  const auto engine = start();
  EngineOptions fixed = options_;
  fixed.executor = "default";
  std::string method = "prepare";
  for (const int64_t length : {5, 0, 1, 64, 7}) {
    SCOPED_TRACE(length);
    const Model model = model_at(length);
    const Tensor x = random_tensor("x", {length, kWidth});
    const auto free = prepare_extents(model, options_, series);
    ASSERT_TRUE(free) << to_text(free.error());
    const auto alone = (*engine_table().find("halide"))->prepare_model(model, fixed);
    ASSERT_TRUE(alone) << to_text(alone.error());
    Json vm = {{"name", "vm"}, {"kind", "package"}, {"path", free->path.string()}};
    vm["executor"] = "vm";
    const Json sequential = {{"name", "s"}, {"kind", "package"}, {"path", alone->path.string()}};
    const Tensor bound = output(*engine, method, vm, x);
    const Tensor expected = output(*engine, "prepare", sequential, x);
    ASSERT_EQ(bound.type, expected.type);
    EXPECT_LT(max_relative_error(bound, expected), 1e-5);
    method = "bind";
  }
}

TEST_F(PreparedExtents, AModelThatCannotBeBoundIsGone) {
  PackageSeries series(folder_.path() / "series"), others(folder_.path() / "others");
  const auto engine = start();
  const auto one = prepare_extents(model_at(5), options_, series);
  const auto other = prepare_extents(model_at(6), options_, others);
  ASSERT_TRUE(one && other);
  const Json first = {{"name", "vm"}, {"kind", "package"}, {"path", one->path.string()}};
  ASSERT_TRUE(engine->call("prepare", first, kPrepareExtentsLimit));
  const auto bound =
      engine->call("bind", {{"name", "vm"}, {"path", other->path.string()}}, kPrepareExtentsLimit);
  ASSERT_FALSE(bound);
  EXPECT_NE(bound.error().text.find("are not those that are loaded"), std::string::npos);
  const auto run =
      engine->call("run", {{"name", "vm"}, {"outputs_dir", "x"}}, kPrepareExtentsLimit);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().text, "nothing of that name");
}

TEST(PackageKeeper, KeepsTheSeriesOfTheLastModel) {
  PackageKeeper keeper;
  PackageSeries* const first = keeper.series_of("a").value();
  EXPECT_EQ(keeper.series_of("a").value(), first);
  const TemporaryFolder other = std::move(*TemporaryFolder::make());
  EngineOptions options;
  options.target = parse_target("host").value();
  options.folder = other.path();
  options.cache = other.path() / "cache";
  options.executor = "vm";
  const auto kept = prepare_extents(model_at(5), options, *first);
  ASSERT_TRUE(kept) << to_text(kept.error());
  EXPECT_TRUE(std::filesystem::exists(kept->path));
  ASSERT_TRUE(keeper.series_of("b"));
  EXPECT_FALSE(std::filesystem::exists(kept->path));
}

}  // namespace
}  // namespace opbench
