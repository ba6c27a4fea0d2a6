// Checks that a program speaks docs/engine-protocol.md:
//     engine-conformance [--workload] COMMAND…
// With --workload the engine is given a single workload instead of a model. Prints a line for each
// rule and ends with 0 when all hold, 77 when the engine cannot be started here.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "opbench/base/file.h"
#include "opbench/protocol/engine_process.h"
#include "opbench/protocol/tensor_files.h"

namespace opbench {
namespace {

constexpr Seconds kLimit{60};
constexpr int kSkipped = 77;
const Shape kShape{1, 1, 2, 4};
constexpr std::array kValues{-2.0F, -1.0F, -0.5F, 0.0F, 0.5F, 1.0F, 2.0F, 3.0F};
constexpr const char* kWorkload = "max_pool 1x1x2x4 kernel_shape=1,1; relu";

/// A protobuf field holding bytes or a small number.
std::string field(int number, const std::string& content) {
  return std::string{static_cast<char>(number * 8 + 2), static_cast<char>(content.size())} +
         content;
}
std::string field(int number, int value) {
  return {static_cast<char>(number * 8), static_cast<char>(value)};
}

std::string value_info(const std::string& name) {
  std::string dims;
  for (const int64_t extent : kShape) dims += field(1, field(1, static_cast<int>(extent)));
  return field(1, name) + field(2, field(1, field(1, 1) + field(2, dims)));
}

/// y = Relu(x0)
std::string relu_model() {
  const std::string node = field(1, "x0") + field(2, "y") + field(3, "relu") + field(4, "Relu");
  const std::string graph =
      field(1, node) + field(2, "g") + field(11, value_info("x0")) + field(12, value_info("y"));
  return field(1, 8) + field(8, field(1, "") + field(2, 13)) + field(7, graph);
}

/// CPU time of all threads of a process in milliseconds.
double cpu_ms(int pid) {
  const std::string folder = fmt::format("/proc/{}/task", pid);
  double sum = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path() / "schedstat");
    double nanoseconds = 0;
    if (file >> nanoseconds) sum += nanoseconds * 1e-6;
  }
  return sum;
}

class Conformance {
 public:
  Conformance(EngineProcess& engine, std::filesystem::path folder, bool single_workload)
      : engine_(engine), folder_(std::move(folder)), single_workload_(single_workload) {}

  bool check_all() {
    check_hello();
    check_prepare();
    check_run();
    check_measure();
    check_errors();
    check_idle();
    check_release();
    return passed_;
  }

  void rule(const std::string& text, bool holds, const std::string& found = "") {
    passed_ = passed_ && holds;
    fmt::print("{} {}{}\n", holds ? "ok    " : "FAILED", text, holds ? "" : ": " + found);
  }

 private:
  Json call(const std::string& method, const Json& params) {
    const auto result = engine_.call(method, params, kLimit);
    if (result) return *result;
    last_failure_ = result.error();
    return nullptr;
  }

  void check_hello() {
    call("measure", {{"name", "m"}});
    rule("a request before hello is refused", last_failure_.kind == FailureKind::kRunError,
         to_text(last_failure_));
    const Json hello = call("hello", {{"protocol", 1}, {"threads", 1}, {"cpus", Json::array()}});
    rule("hello is answered", hello.is_object(), to_text(last_failure_));
    if (!hello.is_object()) return;
    rule("hello names engine and version",
         hello.value("engine", "") != "" && hello.value("version", "") != "", hello.dump());
    rule("hello says protocol 1", hello.value("protocol", 0) == 1, hello.dump());
    const double floor = hello.value("call_floor_ms", -1.0);
    rule("hello gives a call floor", floor >= 0 && floor < 10, hello.dump());
  }

  Json tensor(const std::string& file, float scale) {
    Tensor values = Tensor::of<float>(DataType::kFloat32, kShape, kValues);
    for (float& value : values.as<float>()) value *= scale;
    return write_tensor(folder_ / file, "x0", values).value();
  }

  void check_prepare() {
    const auto model = folder_ / "relu.onnx";
    std::ofstream(model, std::ios::binary) << relu_model();
    Json params = {{"name", "m"},
                   {"kind", "onnx"},
                   {"path", model.string()},
                   {"inputs", Json::array({tensor("x.bin", 1)})},
                   {"an unknown field", 1}};
    if (single_workload_) {
      params["kind"] = "workload";
      params["workload"] = kWorkload;
      params["weights"] = Json::array();
    }
    const Json prepared = call("prepare", params);
    rule("prepare is answered", prepared.is_object(), to_text(last_failure_));
  }

  void check_run() {
    compare("run writes the right output", nullptr, 1);
    compare("run takes other inputs", Json::array({tensor("x2.bin", 2)}), 2);
    compare("the prepared inputs stay", nullptr, 1);
  }

  void compare(const std::string& text, const Json& inputs, float scale) {
    const Json params = {{"name", "m"},
                         {"unit", nullptr},
                         {"inputs", inputs},
                         {"outputs_dir", (folder_ / "outputs").string()}};
    const Json result = call("run", params);
    if (!result.is_object() || !result.contains("outputs") || result["outputs"].size() != 1) {
      return rule(text, false, to_text(last_failure_) + result.dump());
    }
    const auto output = read_tensor(result["outputs"][0]);
    if (!output) return rule(text, false, output.error().message);
    Tensor expected = Tensor::of<float>(DataType::kFloat32, kShape, kValues);
    for (float& value : expected.as<float>()) value = std::max(0.0F, value * scale);
    rule(text, *output == expected, result.dump());
  }

  void check_measure() {
    for (const char* cache : {"hot", "cold-weights", "cold-all"}) {
      const Json result = call("measure", {{"name", "m"},
                                           {"unit", nullptr},
                                           {"number", 3},
                                           {"repeats", 4},
                                           {"cache", cache},
                                           {"warm_up_ms", 1},
                                           {"warm_up_calls", 2}});
      rule(fmt::format("measure with {} caches gives as many samples as repeats", cache),
           result.is_object() && result.value("samples", Json::array()).size() == 4,
           to_text(last_failure_) + result.dump());
      if (result.is_object()) check_sample(result["samples"][0]);
    }
  }

  void check_sample(const Json& sample) {
    const double wall = sample.value("wall_s", -1.0);
    rule("a sample has a time per call", wall > 0 && wall < 1, sample.dump());
    for (const char* name : {"cpu_s", "involuntary_switches", "minor_faults", "cpu"}) {
      rule(fmt::format("a sample has {}, a number or null", name),
           sample.contains(name) && (sample[name].is_null() || sample[name].is_number()),
           sample.dump());
    }
  }

  void check_errors() {
    last_failure_ = {};
    rule("an unknown method is unsupported",
         call("fly", Json::object()).is_null() && last_failure_.kind == FailureKind::kUnsupported,
         to_text(last_failure_));
    rule("an unknown name is refused", call("run", {{"name", "no such"}}).is_null());
    const Json missing = {{"name", "z"}, {"kind", "onnx"}, {"path", "/no/such/file"}};
    rule("a missing file is refused", call("prepare", missing).is_null());
    rule("the engine lives on after errors", engine_.is_alive());
    compare("and still computes", nullptr, 1);
  }

  void check_idle() {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const double before = cpu_ms(engine_.pid());
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const double used = cpu_ms(engine_.pid()) - before;
    rule("300 ms after a reply it uses under 1 % of a CPU", used < 5,
         fmt::format("{} ms in 500 ms", used));
  }

  void check_release() {
    rule("release is answered", call("release", {{"name", "m"}}).is_object(),
         to_text(last_failure_));
    rule("what is released is gone", call("run", {{"name", "m"}}).is_null());
  }

  EngineProcess& engine_;
  std::filesystem::path folder_;
  bool single_workload_;
  Failure last_failure_;
  bool passed_ = true;
};

/// True when the engine ends by itself within the grace that EngineProcess gives it.
bool ends_with_its_requests(std::unique_ptr<EngineProcess> engine) {
  const auto start = std::chrono::steady_clock::now();
  engine.reset();
  return std::chrono::steady_clock::now() - start < std::chrono::milliseconds(195);
}

int check(std::vector<std::string> words) {
  const bool single_workload = words[0] == "--workload";
  if (single_workload) words.erase(words.begin());
  const auto folder = TemporaryFolder::make();
  if (!folder) return 1;
  const auto log = folder->path() / "log";
  auto engine = EngineProcess::start({.argv = words, .log = log});
  if (!engine) {
    fmt::print("{}", to_text(engine.error()));
    return kSkipped;
  }
  Conformance conformance(**engine, folder->path(), single_workload);
  bool passed = conformance.check_all();
  const bool ended = ends_with_its_requests(std::move(*engine));
  conformance.rule("the end of the requests ends it", ended, "it had to be killed");
  passed = passed && ended;
  if (!passed) fmt::print("its log:\n{}\n", read_file(log).value_or(""));
  return passed ? 0 : 1;
}

}  // namespace
}  // namespace opbench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || (words.size() == 1 && words[0] == "--workload")) {
    fmt::print(stderr, "usage: engine-conformance [--workload] COMMAND...\n");
    return 2;
  }
  return opbench::check(words);
}
