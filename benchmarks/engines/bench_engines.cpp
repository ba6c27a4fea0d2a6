// `./dev bench engines`: what the engines onnxruntime and onednn add to a call of their libraries.
// An operator whose tensors have image size is timed through the engine and by a plain loop over
// the library's call in this process, in turn; then the engine's start and the time of an empty
// call.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "base/system/seconds.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/dnnl_peers.h"
#include "benchmarks/engines/plain_loops.h"
#include "engines/catalog/engine.h"
#include "engines/protocol/sampling.h"
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/model/model_source.h"
#include "machine/resources/pinning.h"
#include "measuring/results/statistics.h"
#include "measuring/sampling/engine_runner.h"
#include "model/graph/onnx_file.h"

namespace opbench {
namespace {

constexpr double kApartLimitPercent = 5, kFloorLimitUs = 3, kStartLimitMs = 100;
constexpr int kStarts = 11;
constexpr double kSampleS = 1e-3;

struct EnginesTimes {
  std::vector<double> engine_s, loop_s;
  int faulted = 0;  ///< samples of the engine with a page fault
};

EngineOptions options_in(const std::filesystem::path& folder) {
  EngineOptions options;
  options.cpus = {current_affinity().front()};
  options.target = host_target();
  options.folder = folder;
  return options;
}

/// The params of `prepare` for the workload, its model in the folder.
Result<Json> preparation(const EngineDef& engine, const Workload& workload,
                         const std::filesystem::path& folder) {
  OPBENCH_CHECK(write_onnx(model_of_workload(workload, 0), folder / "workload.onnx"));
  Json params = {{"kind", engine.runs_models ? "onnx" : "workload"},
                 {"path", (folder / "workload.onnx").string()},
                 {"workload", text_of(workload)},
                 {"weights", workload.weights}};
  std::vector<std::pair<std::string, Tensor>> inputs;
  for (const Value& input : workload.graph.inputs) {
    inputs.emplace_back(input.name,
                        seeded_tensor(workload.graph.types.at(input.name), 0, input.name));
  }
  OPBENCH_TRY(params["inputs"], write_tensors(folder, inputs));
  return params;
}

/// What runs in a plain loop: a function, and seconds of one call.
struct PlainCall {
  std::function<void()> call;
  double call_s = 0;
};

double seconds_of(const std::function<void()>& call) {
  const Json times = take_samples({call, {}, {}}, {{"repeats", 5}, {"warm_up_calls", 20}});
  return times.at("samples").at(4).at("wall_s");
}

/// The fastest of oneDNN's primitives for the workload, as the engine takes it.
Result<PlainCall> onednn_call(const Workload& workload) {
  use_one_thread();
  OPBENCH_TRY(const std::vector<Peer> peers, peers_of(workload));
  PlainCall fastest;
  for (const Peer& peer : peers) {
    const double call_s = seconds_of(peer.call);
    if (!fastest.call || call_s < fastest.call_s) fastest = {peer.call, call_s};
  }
  return fastest;
}

/// Rounds of both in turn, after which each has made the same number of calls.
Result<EnginesTimes> measure_engines(const EngineDef& engine, const std::string& text, int rounds) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  OPBENCH_TRY(const Workload workload, parse_workload(text));
  const EngineOptions options = options_in(folder.path());
  const EngineCommand command = engine.command(options);
  OPBENCH_TRY(const Json params, preparation(engine, workload, folder.path()));
  OPBENCH_CHECK(pin_this_thread(options.cpus));
  PlainCall plain;
  if (engine.runs_models) {
    const Shape& shape = workload.graph.types.at(workload.graph.outputs.at(0).name).shape;
    plain.call = onnxruntime_call(command.argv.at(1), folder.path() / "workload.onnx", shape);
    plain.call_s = seconds_of(plain.call);
  } else {
    OPBENCH_TRY(plain, onednn_call(workload));
  }
  const auto number = std::max<int64_t>(1, std::llround(kSampleS / plain.call_s));
  EngineRunner runner(
      {{process_starter(command, 0), 1, options.cpus, {{"model", params.dump(), Seconds(60)}}}},
      {{0, "model", {}, plain.call_s}});
  EnginesTimes times;
  for (int round = 0; round < rounds; ++round) {
    const auto samples = runner.measure(0, 0, number, 1, Seconds(0), 20);
    if (!samples) return Error{ErrorCode::kSystem, to_text(samples.error())};
    times.engine_s.push_back(samples->front().wall_s);
    times.faulted += samples->front().minor_faults > 0 ? 1 : 0;
    const Json here =
        take_samples({plain.call, {}, {}}, {{"number", number}, {"warm_up_calls", 20}});
    times.loop_s.push_back(here.at("samples").at(0).at("wall_s"));
  }
  return times;
}

Result<void> add_start(const EngineDef& engine, Report& report) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const EngineOptions options = options_in(folder.path());
  std::vector<double> start_ms, floor_us;
  for (int i = 0; i < kStarts; ++i) {
    const auto start = std::chrono::steady_clock::now();
    OPBENCH_TRY(const auto process, EngineProcess::start(engine.command(options)));
    const auto hello = process->call(
        "hello", {{"protocol", 1}, {"threads", 1}, {"cpus", options.cpus}}, Seconds(30));
    if (!hello) return Error{ErrorCode::kSystem, to_text(hello.error())};
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    start_ms.push_back(time.count());
    floor_us.push_back(hello->value("call_floor_ms", 0.0) * 1e3);
  }
  report.add({fmt::format("engines: {}, an empty call, us", engine.name), median(floor_us),
              kFloorLimitUs});
  report.add({fmt::format("engines: {}, from its start to its answer to hello, ms", engine.name),
              median(start_ms), kStartLimitMs});
  return {};
}

/// An operator that the engine has, with outputs of image size.
std::string workload_for(const EngineDef& engine, int channels) {
  if (engine.runs_models) return fmt::format("add 1x{0}x56x56 1x{0}x56x56", channels);
  return fmt::format("max_pool 1x{}x56x56 kernel_shape=3,3 pads=1,1,1,1", channels);
}

Result<void> add_engine(const EngineDef& engine, int rounds, Report& report) {
  for (const int channels : {16, 64, 256}) {
    const std::string workload = workload_for(engine, channels);
    OPBENCH_TRY(const EnginesTimes times, measure_engines(engine, workload, rounds));
    const double through = median(times.engine_s), loop = median(times.loop_s);
    report.note(
        fmt::format("{:<52} {:<12} engine {:>8.4f} ms, plain loop {:>8.4f} ms, {} of {} "
                    "samples with page faults",
                    workload, engine.name, s_to_ms(through), s_to_ms(loop), times.faulted,
                    times.engine_s.size()));
    report.add({fmt::format("engines: {}, {}, engine and plain loop, percent apart", engine.name,
                            workload),
                std::abs(through / loop - 1) * 100, kApartLimitPercent});
    report.add({fmt::format("engines: {}, {}, samples with page faults", engine.name, workload),
                static_cast<double>(times.faulted), 0});
  }
  return add_start(engine, report);
}

Result<void> run_engines(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const std::vector<int> rounds, arguments.integers("--rounds", 1));
  for (const char* name : {"onnxruntime", "onednn"}) {
    OPBENCH_TRY(const EngineDef* engine, engine_table().find(name));
    if (const auto reason = engine->unavailable()) {
      return Error{ErrorCode::kEnvironment, fmt::format("engine \"{}\" cannot be used here", name)}
          .with("reason", *reason);
    }
    try {
      OPBENCH_CHECK(add_engine(*engine, rounds.front(), report));
    } catch (const std::exception& exception) {  // of the libraries called here
      return Error{ErrorCode::kSystem, exception.what()};
    }
  }
  report.note("again: ./dev bench engines");
  return {};
}

}  // namespace
}  // namespace opbench

int bench_engines_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "engines",
      .summary = "what the engines of other libraries add to a call of the library",
      .options = {{.name = "--rounds",
                   .value_name = "N",
                   .help = "of engine and loop in turn",
                   .otherwise = "200"}},
      .run = opbench::run_engines};
  return opbench::run_benchmark(benchmark, argc, argv);
}
