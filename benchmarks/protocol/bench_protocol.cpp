// `./dev bench protocol`: one kernel of about 20 µs, timed through the engine protocol and in this
// process, in turn. Their ratio is what the protocol adds to a time.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/file.h"
#include "benchmarks/common/benchmark.h"
#include "engines/catalog/engine.h"
#include "engines/protocol/sampling.h"
#include "engines/runtime/unit_bench.h"
#include "experiments/sessions/model/model_source.h"
#include "machine/resources/pinning.h"
#include "measuring/results/statistics.h"
#include "measuring/sampling/engine_runner.h"

namespace opbench {
namespace {

constexpr const char* kProtocolWorkload = "conv2d 1x128x14x14 w:48x128x1x1; relu";
constexpr double kProtocolLimitPercent = 1.0;
constexpr int kProtocolRounds = 200;

struct ProtocolTimes {
  std::vector<double> through_protocol, in_process;
};

Result<ProtocolTimes> measure_protocol() {
  OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
  OPBENCH_TRY(const Workload workload, parse_workload(kProtocolWorkload));
  OPBENCH_TRY(const EngineDef* engine, engine_table().find("halide"));
  EngineOptions options;
  options.cpus = {current_affinity().front()};
  options.target = host_target();
  options.folder = folder.path();
  OPBENCH_TRY(const PreparedModel model,
              engine->prepare_model(model_of_workload(workload, 0), options));
  const auto unit = std::ranges::find_if(
      model.units, [](const PreparedUnit& candidate) { return !candidate.identity.nodes.empty(); });

  OPBENCH_CHECK(pin_this_thread(options.cpus));
  OPBENCH_TRY(const auto package, LoadedPackage::load(model.path, {}));
  UnitBench bench(*package);
  OPBENCH_TRY(BoundStep* const step, bench.isolated(static_cast<size_t>(unit->id)));

  const Json prepare = {
      {"kind", model.kind}, {"path", model.path.string()}, {"inputs", Json::array()}};
  EngineSetup setup{process_starter(engine->command(options), 0),
                    1,
                    options.cpus,
                    {{"model", prepare.dump(), Seconds(60)}}};
  EngineRunner runner({setup}, {{0, "model", unit->id, 20e-6}});
  ProtocolTimes times;
  for (int round = 0; round < kProtocolRounds; ++round) {
    const auto through = runner.measure(0, 0, 250, 1, Seconds(0), 20);
    if (!through) return Error{ErrorCode::kSystem, to_text(through.error())};
    const Json here = take_samples({[step] { step->run(); }, {}},
                                   {{"number", 250}, {"repeats", 1}, {"warm_up_calls", 20}});
    times.through_protocol.push_back(through->front().wall_s);
    times.in_process.push_back(here.at("samples").at(0).at("wall_s"));
  }
  return times;
}

Result<void> run_protocol(const Arguments&, Report& report) {
  OPBENCH_TRY(const ProtocolTimes times, measure_protocol());
  const double through = median(times.through_protocol);
  const double here = median(times.in_process);
  report.note(fmt::format("{}: through the protocol {:.3f} us, in process {:.3f} us",
                          kProtocolWorkload, through * 1e6, here * 1e6));
  report.add({"protocol: a kernel through it and in one process, percent apart",
              std::abs(through / here - 1) * 100, kProtocolLimitPercent});
  return {};
}

}  // namespace
}  // namespace opbench

int bench_protocol_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{.name = "protocol",
                                        .summary = "what the engine protocol adds to a time",
                                        .run = opbench::run_protocol};
  return opbench::run_benchmark(benchmark, argc, argv);
}
