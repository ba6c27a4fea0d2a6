// Checks that a program speaks docs/reference/engine-protocol.md:
//     engine-conformance [--workload] COMMAND…
//     engine-conformance --engine NAME
// A command is given a model, or with --workload a single workload; a shipped engine, named, all
// that it takes. Prints a line for each rule, `ok` or `FAILED`, and ends with 0 when all hold, 77
// when the engine cannot be started here.

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

#include "base/files/file.h"
#include "engines/catalog/engine.h"
#include "engines/catalog/engine_choice.h"
#include "engines/client/engine_process.h"
#include "engines/client/process_use.h"
#include "engines/protocol/tensor_files.h"
#include "machine/devices/device.h"
#include "machine/target/parse_target.h"
#include "model/graph/onnx_file.h"
#include "model/passes/passes.h"
#include "timed_calls.h"

namespace opbench {
namespace {

constexpr Seconds kLimit{60};
constexpr int kSkipped = 77;
constexpr int kProfileRuns = 4;
constexpr float kOtherScale = 5;
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

/// What an engine is given: y = Relu(x0) as a file, a workload, or a package.
struct Subject {
  std::string kind;
  std::filesystem::path path;
  size_t units = 0;  ///< of a package
  size_t unit = 0;   ///< of them, the one that computes: on a device others copy
};

class Conformance {
 public:
  Conformance(EngineProcess& engine, std::filesystem::path folder, Subject subject)
      : engine_(engine), folder_(std::move(folder)), subject_(std::move(subject)) {}

  bool check_all() {
    check_hello();
    check_prepare();
    check_run();
    const auto before = process_use(engine_.pid());
    check_measure(nullptr);
    if (subject_.units > 0) check_unit();
    check_timed_calls(
        {[&](const std::string& method, const Json& params) { return call(method, params); },
         [&](const std::string& text, bool holds, const std::string& found) {
           rule(text, holds, found);
         },
         engine_.pid(), folder_, tensor("x5.bin", kOtherScale), relu_of(kOtherScale)});
    check_left_behind(before, process_use(engine_.pid()));
    check_profile();
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
    rule("hello gives a call overhead", floor >= 0 && floor < 10, hello.dump());
  }

  Json tensor(const std::string& file, float scale) {
    Tensor values = Tensor::of<float>(DataType::kFloat32, kShape, kValues);
    for (float& value : values.as<float>()) value *= scale;
    return write_tensor(folder_ / file, "x0", values).value();
  }

  void check_prepare() {
    Json params = {{"name", "m"},
                   {"kind", subject_.kind},
                   {"path", subject_.path.string()},
                   {"inputs", Json::array({tensor("x.bin", 1)})},
                   {"profile", true},
                   {"an unknown field", 1}};
    if (subject_.kind == "workload") {
      params["workload"] = kWorkload;
      params["weights"] = Json::array();
    }
    const Json prepared = call("prepare", params);
    rule("prepare is answered", prepared.is_object(), to_text(last_failure_));
    if (prepared.is_object()) units_ = prepared.value("units", Json::array()).size();
  }

  void check_run() {
    compare("run writes the right output", nullptr, 1);
    compare("run takes other inputs", Json::array({tensor("x2.bin", 2)}), 2);
    compare("the prepared inputs stay", nullptr, 1);
  }

  void compare(const std::string& text, const Json& inputs, float scale,
               const Json& unit = nullptr) {
    const Json params = {{"name", "m"},
                         {"unit", unit},
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
    // Values, not bytes: a zero may be negative, as oneDNN's from relu is on some machines.
    const bool is_equal = output->type == expected.type &&
                          std::ranges::equal(output->as<float>(), expected.as<float>());
    rule(text, is_equal,
         output->type == expected.type
             ? fmt::format("{} in place of {}", fmt::join(output->as<float>(), " "),
                           fmt::join(expected.as<float>(), " "))
             : result.dump());
  }

  void check_measure(const Json& unit) {
    for (const char* cache : {"hot", "cold-weights", "cold-all"}) {
      const Json result = call("measure", {{"name", "m"},
                                           {"unit", unit},
                                           {"number", 3},
                                           {"repeats", 4},
                                           {"cache", cache},
                                           {"warm_up_ms", 1},
                                           {"warm_up_calls", 2}});
      const std::string what = unit.is_null() ? "measure" : "measure of a unit";
      rule(fmt::format("{} with {} caches gives as many samples as repeats", what, cache),
           result.is_object() && result.value("samples", Json::array()).size() == 4,
           to_text(last_failure_) + result.dump());
      if (result.is_object()) check_sample(result["samples"][0]);
    }
  }

  void check_unit() {
    compare("run of a unit writes the right output", Json::array({tensor("x3.bin", 3)}), 3,
            subject_.unit);
    check_measure(subject_.unit);
    const Json beyond = {{"name", "m"}, {"unit", subject_.units}, {"number", 1}, {"repeats", 1}};
    rule("a unit that is not there is refused", call("measure", beyond).is_null());
  }

  static Tensor relu_of(float scale) {
    Tensor tensor = Tensor::of<float>(DataType::kFloat32, kShape, kValues);
    for (float& value : tensor.as<float>()) value = std::max(0.0F, value * scale);
    return tensor;
  }

  void check_left_behind(const std::optional<ProcessUse>& before,
                         const std::optional<ProcessUse>& after) {
    if (!before || !after) return;
    rule("measuring leaves no thread", after->threads <= before->threads,
         fmt::format("{} more", after->threads - before->threads));
    const double kept = after->resident_bytes - before->resident_bytes;
    rule("measuring keeps less than 64 MB", kept < 64e6, fmt::format("{:.0f} MB", kept / 1e6));
  }

  void check_profile() {
    last_failure_ = {};
    const Json result = call("profile", {{"name", "m"}, {"runs", kProfileRuns}});
    if (result.is_null()) {
      return rule("profile is answered, or unsupported",
                  last_failure_.kind == FailureKind::kUnsupported, to_text(last_failure_));
    }
    const Json runs = result.value("runs", Json::array());
    rule("profile makes the runs that are wanted, or fewer",
         !runs.empty() && runs.size() <= kProfileRuns, result.dump());
    const size_t units =
        std::max({subject_.units, units_, result.value("units", Json::array()).size()});
    for (const Json& run : runs) check_profile_run(run, units);
  }

  void check_profile_run(const Json& run, size_t units) {
    rule("a profile run has a time for each unit",
         units > 0 && run.value("units_s", Json::array()).size() == units, run.dump());
    rule("a profile run has its order", run.contains("order") && run["order"].is_number_integer(),
         run.dump());
    for (const char* name : {"plain", "instrumented"}) {
      const Json sample = run.value(name, Json::object());
      const double wall = sample.is_object() ? sample.value("wall_s", -1.0) : -1;
      rule(fmt::format("a profile run has a {} run with its time", name), wall > 0, run.dump());
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
  Subject subject_;
  size_t units_ = 0;  ///< as the reply to `prepare` lists them
  Failure last_failure_;
  bool passed_ = true;
};

/// True when the engine ends by itself within the grace that EngineProcess gives it.
bool ends_with_its_requests(std::unique_ptr<EngineProcess> engine) {
  const auto start = std::chrono::steady_clock::now();
  engine.reset();
  return std::chrono::steady_clock::now() - start < std::chrono::milliseconds(195);
}

int check(EngineCommand command, const std::filesystem::path& folder, const Subject& subject) {
  fmt::print("given a {}:\n", subject.kind == "onnx" ? "model" : subject.kind);
  command.log = folder / "log";
  auto engine = EngineProcess::start(command);
  if (!engine) {
    fmt::print("{}", to_text(engine.error()));
    return kSkipped;
  }
  Conformance conformance(**engine, folder, subject);
  bool passed = conformance.check_all();
  const bool ended = ends_with_its_requests(std::move(*engine));
  conformance.rule("the end of the requests ends it", ended, "it had to be killed");
  passed = passed && ended;
  if (!passed) fmt::print("its log:\n{}\n", read_file(command.log).value_or(""));
  return passed ? 0 : 1;
}

/// What the engine takes: its own form of the model, or the file and a workload.
Result<std::vector<Subject>> subjects_of(const EngineDef& engine, const EngineOptions& options,
                                         const std::filesystem::path& file) {
  if (engine.prepare_model != nullptr) {
    OPBENCH_TRY(Model model, read_onnx(file));
    drop_unread_results(model);
    OPBENCH_TRY(const PreparedModel prepared, engine.prepare_model(model, options));
    const auto unit = std::ranges::find_if_not(
        prepared.units, [](const PreparedUnit& one) { return one.identity.is_copy(); });
    return std::vector<Subject>{{prepared.kind, prepared.path, prepared.units.size(),
                                 static_cast<size_t>(unit - prepared.units.begin())}};
  }
  std::vector<Subject> subjects;
  if (engine.runs_models) subjects.push_back({"onnx", file});
  subjects.push_back({"workload", file});
  return subjects;
}

Result<int> check_shipped(const std::string& name, const std::filesystem::path& folder,
                          const std::filesystem::path& file) {
  OPBENCH_TRY(const EngineDef* engine, engine_table().find(name));
  if (const auto reason = engine->unavailable()) {
    fmt::print("{}\n", *reason);
    return kSkipped;
  }
  EngineOptions options;
  options.target = host_target();
  options.folder = folder;
  if (!runs_on_cpu(*engine)) {
    OPBENCH_TRY(options.target, parse_target(engine->device_kinds.front()));
    if (const auto device = check_device_of(options.target); !device) {
      fmt::print("{}", to_text(device.error()));
      return kSkipped;
    }
  }
  OPBENCH_TRY(const std::vector<Subject> subjects, subjects_of(*engine, options, file));
  int worst = 0;
  for (const Subject& subject : subjects) {
    worst = std::max(worst, check(engine->command(options), folder, subject));
  }
  return worst;
}

Result<int> check_words(std::vector<std::string> words) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const auto file = folder.path() / "relu.onnx";
  OPBENCH_CHECK(write_file(file, relu_model()));
  if (words[0] == "--engine") return check_shipped(words[1], folder.path(), file);
  const bool is_single = words[0] == "--workload";
  if (is_single) words.erase(words.begin());
  return check({.argv = words}, folder.path(), {is_single ? "workload" : "onnx", file});
}

}  // namespace
}  // namespace opbench

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool has_flag = !words.empty() && words[0].starts_with("--");
  const bool is_named = has_flag && words[0] == "--engine";
  if (words.size() < (has_flag ? 2 : 1) || (is_named && words.size() > 2)) {
    fmt::print(stderr,
               "usage: engine-conformance [--workload] COMMAND…\n"
               "       engine-conformance --engine NAME\n");
    return 2;
  }
  const auto code = opbench::check_words(words);
  if (code) return *code;
  fmt::print(stderr, "{}", opbench::to_text(code.error()));
  return static_cast<int>(code.error().code);
}
