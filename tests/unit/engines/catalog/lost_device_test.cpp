// An OpenCL device that fails at any call: requests are answered with a reason, never by a crash,
// and never with wrong values.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "engines/catalog/engine.h"
#include "engines/client/engine_process.h"
#include "engines/protocol/tensor_files.h"
#include "machine/target/parse_target.h"
#include "test_form.h"

namespace opbench {
namespace {

constexpr Seconds kLostDeviceLimit{60};

Tensor drawn(const std::string& name, const Shape& shape) {
  Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
  Random(3, name).fill_normal(tensor.as<float>(), 0.5F);
  return tensor;
}

/// Softmax(x * w): two kernels between two copies.
Model two_kernels() {
  Model model;
  model.name = "two";
  model.opset = 17;
  Graph& graph = model.graph;
  graph.inputs = {{"x", DataType::kFloat32, true, {{8, ""}, {16, ""}}}};
  graph.outputs = {{"y", DataType::kFloat32, false, {}}};
  graph.constants = {{"w", drawn("w", {16, 12})}};
  graph.nodes = {{"p", "MatMul", "", {"x", "w"}, {"p"}},
                 {"y", "Softmax", "", {"p"}, {"y"}, {{"axis", int64_t{-1}}}}};
  return model;
}

/// What an engine answered to the requests of a session.
struct DeviceSession {
  std::vector<std::string> failures;  ///< of all requests
  std::optional<Tensor> output;       ///< of the last run
  bool is_alive = false;
  int64_t first_calls = 0;  ///< of OpenCL, for `hello`, which times a thousand copies
  int64_t calls = 0;        ///< for all requests
  int64_t last_calls = 0;   ///< for all but the last one
};

class LostDevice : public ::testing::Test {
 protected:
  LostDevice() : folder_(std::move(*TemporaryFolder::make())) {
    options_.target = parse_target("opencl").value();
    options_.folder = folder_.path();
    options_.cache = folder_.path() / "cache";
  }

  void SetUp() override {
    const EngineDef& engine = **engine_table().find("opencl");
    auto model = engine.prepare_model(two_kernels(), options_);
    ASSERT_TRUE(model) << to_text(model.error());
    prepare_ = {{"kind", model->kind}, {"path", model->path.string()}, {"name", "two"}};
    prepare_["inputs"] = *write_tensors(folder_.path() / "inputs", {{"x", drawn("x", {8, 16})}});
    units_ = model->units.size();
  }

  std::vector<std::pair<std::string, Json>> requests() const {
    const Json outputs = {{"outputs_dir", (folder_.path() / "outputs").string()}};
    std::vector<std::pair<std::string, Json>> all = {
        {"hello", {{"protocol", 1}, {"threads", 1}}}, {"prepare", prepare_}, {"run", outputs}};
    for (size_t unit = 0; unit < units_; ++unit) {
      all.push_back({"measure", {{"unit", unit}, {"number", 1}, {"repeats", 1}}});
    }
    all.push_back({"measure", {{"number", 1}, {"repeats", 1}}});
    all.push_back({"profile", {{"runs", 1}}});
    all.push_back({"run", outputs});
    for (auto& [method, params] : all) params["name"] = "two";
    return all;
  }

  DeviceSession session(const std::string& faults) {
    DeviceSession session;
    EngineCommand command = (*engine_table().find("opencl"))->command(options_);
    const std::filesystem::path count = folder_.path() / "count";
    command.environment["OPENCL_LAYERS"] = OPBENCH_BINARY_DIR "/libopencl_faults.so";
    command.environment["OPENCL_FAULTS"] = faults + " count=" + count.string();
    const auto engine = EngineProcess::start(command);
    if (!engine) {
      session.failures.push_back(to_text(engine.error()));
      return session;
    }
    for (const auto& [method, params] : requests()) {
      session.last_calls = calls_in(count);
      if (method == "prepare") session.first_calls = session.last_calls;
      const auto reply = (*engine)->call(method, params, kLostDeviceLimit);
      session.output.reset();
      if (!reply) {
        session.failures.push_back(reply.error().text);
      } else if (method == "run") {
        session.output = read_tensors(reply->at("outputs")).value().at("y");
      }
    }
    session.is_alive = (*engine)->is_alive();
    session.calls = calls_in(count);
    return session;
  }

  static int64_t calls_in(const std::filesystem::path& file) {
    const std::string bytes = read_file(file).value_or("");
    int64_t calls = 0;
    if (bytes.size() == sizeof calls) std::memcpy(&calls, bytes.data(), bytes.size());
    return calls;
  }

  TemporaryFolder folder_;
  EngineOptions options_;
  Json prepare_;
  size_t units_ = 0;
};

TEST_F(LostDevice, IsAReasonAtAnyCall) {
  const DeviceSession whole = session("");
  if (!whole.failures.empty() && whole.calls == 0) GTEST_SKIP() << whole.failures.front();
  ASSERT_TRUE(whole.failures.empty()) << whole.failures.front();
  ASSERT_TRUE(whole.output);
  ASSERT_GT(whole.first_calls, 1);
  ASSERT_GT(whole.calls, whole.first_calls + 50);
  const int runs = by_form(100, 1000);
  for (int run = 0; run < runs; ++run) {
    Random random(1, "run " + std::to_string(run));
    const bool is_early = run % 8 < 2, is_lost = run % 2 == 0;
    const int64_t begin = is_early ? 0 : whole.first_calls;
    const int64_t end = is_early ? whole.first_calls : whole.calls;
    const auto call = begin + 1 + static_cast<int64_t>(random.below(uint64_t(end - begin)));
    const std::string faults = (is_lost ? "lost=" : "once=") + std::to_string(call);
    SCOPED_TRACE("OPENCL_FAULTS='" + faults + "'");
    const DeviceSession failing = session(faults);
    EXPECT_TRUE(failing.is_alive);
    const bool is_gone = is_lost && call <= whole.last_calls;
    EXPECT_FALSE(is_gone && failing.output) << "a device that has gone computes nothing";
    EXPECT_EQ(failing.output.value_or(*whole.output), *whole.output);
    for (const std::string& text : failing.failures) {
      EXPECT_NE(text, "");
      EXPECT_EQ(text.find("killed by"), std::string::npos) << text;
      EXPECT_EQ(text.find("no answer"), std::string::npos) << text;
    }
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace opbench
