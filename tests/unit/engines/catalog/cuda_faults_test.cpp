// The engine `cuda` on the driver of tests, of which one call fails: whichever it is, the engine
// says why, and the rest goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "engines/catalog/engine.h"
#include "engines/client/engine_process.h"
#include "engines/protocol/tensor_files.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Seconds kCudaFaultsLimit{60};

Tensor cuda_tensor(const std::string& name, const Shape& shape) {
  Tensor tensor = Tensor::empty({DataType::kFloat32, shape});
  Random(11, name).fill_normal(tensor.as<float>(), 0.3F);
  return tensor;
}

/// y = softmax(relu(x w))
Model cuda_model() {
  Model model;
  model.name = "made";
  model.opset = 17;
  model.graph.inputs = {{"x", DataType::kFloat32, true, {{16, ""}, {32, ""}}}};
  model.graph.outputs = {{"y", DataType::kFloat32, false, {}}};
  model.graph.constants = {{"w", cuda_tensor("w", {32, 48})}};
  model.graph.nodes = {{"m", "MatMul", "", {"x", "w"}, {"m"}},
                       {"r", "Relu", "", {"m"}, {"r"}},
                       {"y", "Softmax", "", {"r"}, {"y"}, {{"axis", int64_t{-1}}}}};
  return model;
}

/// What came of a run whose engine had one failing call.
struct FaultyRun {
  int failures = 0;         ///< requests that failed, each with a reason
  bool is_refused = false;  ///< the engine did not start, with a reason
  bool was_lost = false;    ///< its process had to be replaced
  std::string wrong;        ///< what must not happen
};

class CudaFaults : public ::testing::Test {
 protected:
  CudaFaults() : folder_(std::move(*TemporaryFolder::make())) {
    options_.target = parse_target("cuda -arch=sm_75").value();
    options_.folder = folder_.path();
    options_.cache = folder_.path() / "cache";
  }

  void SetUp() override {
    const auto package = engine().prepare_model(cuda_model(), options_);
    ASSERT_TRUE(package) << to_text(package.error());
    prepare_ = {{"name", "m"}, {"kind", package->kind}, {"path", package->path.string()}};
    prepare_["inputs"] =
        *write_tensors(folder_.path() / "inputs", {{"x", cuda_tensor("x", {16, 32})}});
    units_ = static_cast<int>(package->units.size());
  }

  static const EngineDef& engine() { return **engine_table().find("cuda"); }

  Result<std::unique_ptr<EngineProcess>> start(const std::string& fault) {
    EngineCommand command = engine().command(options_);
    command.environment["LD_LIBRARY_PATH"] = OPBENCH_BINARY_DIR "/../fake-cuda";
    command.environment["FAKE_CUDA_LOG"] = log().string();
    if (!fault.empty()) command.environment["FAKE_CUDA_FAULT"] = fault;
    return EngineProcess::start(std::move(command));
  }

  std::filesystem::path log() const { return folder_.path() / "driver.log"; }

  /// Everything that a profile asks for, unit by unit and whole.
  std::vector<std::pair<std::string, Json>> requests() const {
    const std::string outputs = (folder_.path() / "outputs").string();
    std::vector<std::pair<std::string, Json>> requests;
    for (int unit = 0; unit < units_; ++unit) {
      requests.emplace_back("measure",
                            Json{{"name", "m"}, {"unit", unit}, {"number", 1}, {"repeats", 2}});
    }
    requests.emplace_back("run", Json{{"name", "m"}, {"outputs_dir", outputs}});
    requests.emplace_back("measure", Json{{"name", "m"}, {"number", 1}, {"repeats", 2}});
    requests.emplace_back("profile", Json{{"name", "m"}, {"runs", 2}});
    return requests;
  }

  static std::string unexplained(const Failure& failure) {
    for (const char* word : {"signal", "exit code", "descriptor"})
      if (failure.text.find(word) != std::string::npos) return failure.text;
    return failure.text.find("CUDA") == std::string::npos ? "no reason: " + failure.text : "";
  }

  /// hello and prepare; prepare may fail once. Null: refused, or wrong.
  std::unique_ptr<EngineProcess> ready(const std::string& fault, FaultyRun& run) {
    auto started = start(fault);
    if (!started) {
      run.wrong = to_text(started.error());
      return nullptr;
    }
    const auto hello = (*started)->call("hello", {{"protocol", 1}}, kCudaFaultsLimit);
    if (!hello) {
      run.is_refused = true;
      run.wrong = unexplained(hello.error());
      return nullptr;
    }
    auto prepared = (*started)->call("prepare", prepare_, kCudaFaultsLimit);
    if (!prepared) {
      ++run.failures;
      run.wrong = unexplained(prepared.error());
      if (!(*started)->is_alive()) {
        run.was_lost = true;
        return run.wrong.empty() ? ready("", run) : nullptr;
      }
      prepared = (*started)->call("prepare", prepare_, kCudaFaultsLimit);
      if (!prepared) run.wrong += "prepare failed twice: " + prepared.error().text;
    }
    return run.wrong.empty() ? std::move(*started) : nullptr;
  }

  FaultyRun run_with(const std::string& fault) {
    FaultyRun run;
    std::filesystem::remove(log());
    std::unique_ptr<EngineProcess> process = ready(fault, run);
    for (const auto& [method, params] : requests()) {
      if (process == nullptr) return run;
      const auto reply = process->call(method, params, kCudaFaultsLimit);
      if (reply) continue;
      ++run.failures;
      run.wrong = unexplained(reply.error());
      if (!run.wrong.empty()) return run;
      if (process->is_alive()) continue;
      run.was_lost = true;
      process = ready("", run);
    }
    process.reset();
    if (run.failures > 1) run.wrong = "more than one request failed";
    const std::string lines = read_file(log()).value_or("");
    if (lines.find("after the context ended") != std::string::npos) run.wrong = "launched after";
    return run;
  }

  /// The driver's calls in a run without a fault: all, and those before the first kernel's code was
  /// loaded, most of which take the time of an empty command.
  struct Calls {
    uint64_t all = 0;
    uint64_t before_kernels = 0;
  };
  Calls calls_of_run() {
    const FaultyRun run = run_with("");
    EXPECT_EQ(run.wrong, "");
    EXPECT_EQ(run.failures, 0);
    const std::string lines = read_file(log()).value_or("");
    const auto number_after = [&](size_t at, const std::string& word) -> uint64_t {
      if (at != std::string::npos) at = lines.find(word, at);
      return at == std::string::npos ? 0 : std::stoull(lines.substr(at + word.size()));
    };
    return {number_after(lines.rfind("calls "), "calls "), number_after(0, " call ")};
  }

  /// One of the first calls in every fourth run, else one from the loading of weights on.
  static uint64_t random_call(Random& random, const Calls& calls) {
    constexpr uint64_t kFirst = 30, kOfWeights = 40, kPart = 4;
    if (random.below(kPart) == 0) return 1 + random.below(kFirst);
    const uint64_t begin = calls.before_kernels - kOfWeights;
    return begin + random.below(calls.all - begin);
  }

  TemporaryFolder folder_;
  EngineOptions options_;
  Json prepare_;
  int units_ = 0;
};

/// Runs `count` times with an error that the seed chooses at a call that the seed chooses.
TEST_F(CudaFaults, FailOneRequestWithAReasonAndNoMore) {
  constexpr std::array kCodes = {1, 2, 209, 218, 400, 701, 700, 702, 716, 719, 214, 999};
  const bool is_long = std::getenv("OPBENCH_SLOW_TESTS") != nullptr;
  const int count = is_long ? 1000 : 100;
  const Calls calls = calls_of_run();
  ASSERT_GT(calls.before_kernels, 100U);
  ASSERT_GT(calls.all, calls.before_kernels);
  std::map<std::string, int> ends;
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<uint64_t>(seed), "fault");
    const uint64_t call = random_call(random, calls);
    const int code = kCodes[static_cast<size_t>(random.below(kCodes.size()))];
    const std::string fault = std::to_string(call) + ":" + std::to_string(code);
    const FaultyRun run = run_with(fault);
    EXPECT_EQ(run.wrong, "") << "seed " << seed << ", FAKE_CUDA_FAULT=" << fault;
    ++ends[run.is_refused      ? "refused"
           : run.was_lost      ? "failed, process replaced"
           : run.failures == 1 ? "failed"
                               : "nothing failed"];
  }
  for (const auto& [end, times] : ends) RecordProperty(end, times);
  for (const auto& [end, times] : ends) std::printf("%d runs: %s\n", times, end.c_str());
}

}  // namespace
}  // namespace opbench
