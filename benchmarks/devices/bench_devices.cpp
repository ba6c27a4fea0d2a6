// `./dev bench devices`: the goals of devices (device_goals.h); whether equal devices count as
// equal beside a neighbour that comes and goes, and whether a link of 1 kB/s is left alone.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/numbers/random.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/devices/device_goals.h"
#include "experiments/devices/busy_neighbour.h"
#include "experiments/partition/partition_session.h"
#include "experiments/place/place_session.h"

namespace opbench {
namespace {

constexpr double kDevicesSpell = 1.5;  // seconds of a neighbour's work or rest, on average

/// A neighbour that adds to memory on one CPU for a while, rests, and goes to another CPU.
class ComingAndGoing {
 public:
  ComingAndGoing(std::vector<int> cpus, uint64_t seed)
      : thread_([cpus = std::move(cpus), seed](const std::stop_token& stop) {
          Random random(seed, "neighbour");
          const auto spell = [&] {
            return std::chrono::duration<double>(-kDevicesSpell * std::log(1 - random.uniform()));
          };
          for (size_t turn = 0; !stop.stop_requested(); ++turn) {
            const auto neighbour = BusyNeighbour::start(cpus[turn % cpus.size()]);
            wait(stop, spell());
            if (neighbour) neighbour->pause();
            wait(stop, spell());
          }
        }) {}

 private:
  static void wait(const std::stop_token& stop, std::chrono::duration<double> spell) {
    const auto end = std::chrono::steady_clock::now() + spell;
    while (!stop.stop_requested() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  std::jthread thread_;
};

struct DevicesBench {
  std::string model;
  int runs = 10;
  double budget_s = 4;
};

ProfileRequest devices_profile(const DevicesBench& bench, int run) {
  ProfileRequest profile;
  profile.model.name = bench.model;
  profile.model.is_zoo = true;
  profile.measure.check_engine = "none";
  profile.measure.budget_s = bench.budget_s;
  profile.model.seed = static_cast<uint64_t>(run);
  return profile;
}

/// The candidates that call equal devices different. Placements that move every unit to where it
/// was fastest pay for their transfers: those may be slower.
std::vector<std::string> devices_told_apart(const PlaceStudy& study) {
  std::vector<std::string> found;
  for (const PlaceCandidate& one : study.candidates) {
    const bool is_alone = one.method.starts_with("all on");
    if (one.verdict == "faster" || (is_alone && one.verdict == "slower")) {
      found.push_back(
          fmt::format("{} {} ({:.3f} to {:.3f})", one.method, one.verdict, one.low, one.high));
    }
  }
  return found;
}

void note_run(int run, const PlaceResult& result, const std::vector<std::string>& apart,
              const Report& report) {
  const PlaceCandidate& alone = result.study.candidates[1];
  std::string line = fmt::format("run {}: all on cpu1 {:.3f} × ({:.3f} to {:.3f}) {}", run + 1,
                                 alone.speedup, alone.low, alone.high, alone.verdict);
  if (const auto& control = result.graph.control; control) {
    line += fmt::format(", control {:.3f} × ({:.3f} to {:.3f}), floor {:.1f} %", control->ratio,
                        control->low, control->high, 100 * result.study.floor.floor);
  }
  if (!result.graph.disturbance.empty()) line += ", " + result.graph.disturbance;
  if (!apart.empty()) line += fmt::format("; told apart: {}", fmt::join(apart, ", "));
  report.note(line);
}

Result<void> place_equal_devices(const DevicesBench& bench, Report& report) {
  int wrong = 0, inconclusive = 0;
  for (int run = 0; run < bench.runs; ++run) {
    Report::progress(fmt::format("place {} of {}", run + 1, bench.runs));
    PlaceRequest request{.run = run_of(devices_profile(bench, run))};
    OPBENCH_TRY(request.devices, parse_devices({"cpu0", "cpu1"}));
    OPBENCH_TRY(request.energy, parse_energy(built_in_energy_text(), "built-in"));
    const ComingAndGoing neighbour({0, 1}, static_cast<uint64_t>(run));
    OPBENCH_TRY(const PlaceResult result, run_place(request));
    const std::vector<std::string> apart = devices_told_apart(result.study);
    wrong += apart.empty() ? 0 : 1;
    inconclusive += result.graph.disturbance.empty() ? 0 : 1;
    note_run(run, result, apart, report);
  }
  report.note(fmt::format("{} of {} runs were disturbed", inconclusive, bench.runs));
  report.add({fmt::format("devices: place {} calls equal devices different, runs of {}",
                          bench.model, bench.runs),
              static_cast<double>(wrong), 0});
  return {};
}

Result<void> split_on_equal_devices(const DevicesBench& bench, Report& report) {
  int wrong = 0;
  for (int run = 0; run < bench.runs; ++run) {
    Report::progress(fmt::format("partition {} of {}", run + 1, bench.runs));
    PartitionRequest request{.run = run_of(devices_profile(bench, run)), .most_parts = 4};
    request.run.model.name.clear();
    request.run.model.is_zoo = false;
    request.run.model.workload = "conv2d 1x64x28x28 w:64x64x3x3 pads=1,1,1,1; relu";
    OPBENCH_TRY(request.devices, parse_devices({"cpu0", "cpu1"}));
    const ComingAndGoing neighbour({0, 1}, static_cast<uint64_t>(run));
    OPBENCH_TRY(const PartitionResult result, run_partition(request));
    const PartitionStudy& study = result.study;
    wrong += study.second_verdict == "faster" || study.second_verdict == "slower" ? 1 : 0;
    report.note(fmt::format("run {}: cpu1 over cpu0 {:.3f} × ({:.3f} to {:.3f}) {}, floor {:.1f} %",
                            run + 1, study.second.ratio, study.second.low, study.second.high,
                            study.second_verdict, 100 * study.floor));
  }
  report.add(
      {fmt::format("devices: partition calls equal devices different, runs of {}", bench.runs),
       static_cast<double>(wrong), 0});
  return {};
}

/// Results that go to another device.
int moved_results(const PlaceGraph& graph, const Placement& placement) {
  int moved = 0;
  for (size_t i = 0; i < graph.size(); ++i) {
    for (const UnitNeed& need : graph.graph.units[i].needs) {
      moved += placement[static_cast<size_t>(need.unit)] != placement[i] ? 1 : 0;
    }
  }
  return moved;
}

Result<void> leave_slow_link(const DevicesBench& bench, Report& report) {
  PlaceRequest request{.run = run_of(devices_profile(bench, 0))};
  OPBENCH_TRY(request.devices, parse_devices({"cpu0", "cpu1"}));
  OPBENCH_TRY(request.energy, parse_energy(built_in_energy_text(), "built-in"));
  OPBENCH_TRY(PlaceResult result, run_place(request));
  result.graph.transfer = {.latency_ms = 0, .ms_per_byte = 1, .source = "1 kB/s"};
  // The second device is twice as fast for every other unit.
  for (size_t i = 0; i < result.graph.size(); ++i) {
    std::vector<double>& times = result.graph.times_ms[i];
    times[1] = times[0] * (i % 2 == 0 ? 0.5 : 2);
  }
  OPBENCH_TRY(const PlaceStudy study, study_places(result.graph, request.energy, {}));
  int moved = 0;
  for (const PlaceCandidate& one : study.candidates) {
    if (one.method == "own-fastest") continue;  // knows of no transfer, by definition
    moved += moved_results(result.graph, one.point.placement);
  }
  report.add({fmt::format("devices: results that placements of {} send over a link of 1 kB/s",
                          bench.model),
              static_cast<double>(moved), 0});
  return {};
}

Result<void> devices_run(const Arguments& arguments, Report& report) {
  const std::vector<std::string> known = {"list", "host", "models", "points", "arm64", "equal"};
  std::vector<std::string> parts = arguments.positionals();
  if (parts.empty()) parts = known;
  for (const std::string& part : parts) {
    if (std::ranges::count(known, part) == 0) return unknown_name("part", part, known);
  }
  const auto is_asked = [&](const char* part) { return std::ranges::count(parts, part) > 0; };
  const std::vector<std::string> models = {"resnet-18", "mobilenet", "squeezenet_v1.1"};
  DevicesBench bench{.model = arguments.value("--model")};
  OPBENCH_TRY(const int64_t runs, arguments.integer("--runs", 1, 1000));
  bench.runs = static_cast<int>(runs);
  OPBENCH_TRY(bench.budget_s, arguments.positive("--budget"));
  OPBENCH_TRY(const double profile_s, arguments.positive("--profile-budget"));
  if (is_asked("list")) OPBENCH_CHECK(add_listing(report));
  if (is_asked("host")) OPBENCH_CHECK(add_units_on_host(report));
  if (is_asked("models")) OPBENCH_CHECK(add_models(models, profile_s, report));
  if (is_asked("points")) OPBENCH_CHECK(add_points(report));
  if (is_asked("arm64")) OPBENCH_CHECK(add_emulated(models, report));
  if (!is_asked("equal")) return {};
  OPBENCH_CHECK(leave_slow_link(bench, report));
  OPBENCH_CHECK(place_equal_devices(bench, report));
  return split_on_equal_devices(bench, report);
}

}  // namespace
}  // namespace opbench

int bench_devices_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "devices",
      .summary = "the goals of devices; equal devices beside a neighbour; a link of 1 kB/s",
      .positionals = {{.name = "PART",
                       .help = "list, host, models, points, arm64, equal; default: all of them",
                       .is_required = false,
                       .repeats = true}},
      .options = {{.name = "--model",
                   .value_name = "NAME",
                   .help = "of the zoo: a chain of units, so that devices gain nothing together",
                   .otherwise = "mobilenet"},
                  {.name = "--runs",
                   .value_name = "N",
                   .help = "of place and of partition",
                   .otherwise = "10"},
                  {.name = "--budget",
                   .value_name = "SECONDS",
                   .help = "of each device in a run of place or partition",
                   .otherwise = "4"},
                  {.name = "--profile-budget",
                   .value_name = "SECONDS",
                   .help = "of each model on an OpenCL device",
                   .otherwise = "60"}},
      .run = opbench::devices_run};
  return opbench::run_benchmark(benchmark, argc, argv);
}
