// `./dev bench compare`: what one comparison of engines costs and how precise it is, whether fewer
// threads are found to be slower, and whether an engine's times are those of a plain loop.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/system/seconds.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/dnnl_peers.h"
#include "experiments/compare/compare_request.h"
#include "experiments/profile/profile_session.h"
#include "machine/resources/pinning.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

constexpr double kCompareMostSeconds = 180;
constexpr double kMostHalfWidth = 1;  // percent, the median over all units and pairs
constexpr double kMostApart = 3;      // percent, the engine's time and the loop's
constexpr double kLongUnit = 0.2;     // ms
constexpr double kScales = 1.3;       // one thread's time over two threads'
constexpr std::chrono::duration<double> kLoop{0.2};
constexpr int kTurns = 7;  // of the engine between two loops

using CompareClock = std::chrono::steady_clock;

double compare_seconds_since(CompareClock::time_point begin) {
  return std::chrono::duration<double>(CompareClock::now() - begin).count();
}

VariantRequest side(const std::string& model, const std::string& engine, int threads) {
  VariantRequest side;
  side.model.name = model;
  side.model.is_zoo = true;
  side.variant.engine = engine;
  side.variant.threads = threads;
  return side;
}

/// Point 3: its time, and the median half-width over every ratio.
Result<void> compare_engines(const std::string& model, Report& report) {
  CompareRequest request;
  for (const char* engine : {"halide", "onednn", "onnxruntime"}) {
    request.sides.push_back(side(model, engine, 1));
  }
  request.units = UnitKind::kFused;
  const auto begin = CompareClock::now();
  OPBENCH_TRY(const CompareResult result, run_compare(request));
  report.add({.bar = fmt::format("compare {}: three engines, s", model),
              .value = compare_seconds_since(begin),
              .limit = kCompareMostSeconds});
  std::vector<double> half_widths;
  for (const Comparison& pair : result.comparisons) {
    for (const CompareUnit& unit : pair.units) {
      if (!unit.ratio) continue;
      half_widths.push_back(50 * (unit.ratio->high - unit.ratio->low) / unit.ratio->median);
    }
  }
  report.note(result.noise.advice);
  report.add({.bar = fmt::format("compare {}: median half-width of a ratio, percent", model),
              .value = median(half_widths),
              .limit = kMostHalfWidth,
              .reason = half_widths.empty() ? "nothing was measured" : ""});
  return {};
}

/// Point 2: units that scale, and the model, are slower on one thread than on two.
Result<void> compare_threads(const std::string& model, Report& report) {
  CompareRequest request;
  request.sides = {side(model, "halide", 2), side(model, "halide", 1)};
  OPBENCH_TRY(const CompareResult result, run_compare(request));
  const Comparison& pair = result.comparisons.front();
  double missed = 0;
  int64_t scaling = 0;
  for (const CompareUnit& unit : pair.units) {
    const bool counts =
        unit.ratio && unit.base->median_ms > kLongUnit && unit.ratio->median > kScales;
    if (!counts) continue;
    ++scaling;
    if (unit.verdict == Verdict::kSlower) continue;
    ++missed;
    report.note(fmt::format("{} {}: {}", unit.identity.operator_text, short_shapes(unit.identity),
                            unit.reason));
  }
  report.note(
      fmt::format("{} units above {} ms scale by more than {}", scaling, kLongUnit, kScales));
  report.add({.bar = fmt::format("compare {}: scaling units not called slower on 1 thread", model),
              .value = missed,
              .limit = 0,
              .reason = scaling == 0 ? "no unit scales" : ""});
  report.add({.bar = fmt::format("compare {}: the model not called slower on 1 thread", model),
              .value = pair.model.verdict == Verdict::kSlower ? 0.0 : 1.0,
              .limit = 0,
              .reason = pair.model.verdict ? "" : pair.model.reason});
  return {};
}

/// Milliseconds a call, as a median over short repeats in this process.
double loop_ms(const Peer& peer) {
  for (int i = 0; i < 3; ++i) peer.call();
  std::vector<double> times;
  for (const auto begin = CompareClock::now(); compare_seconds_since(begin) < kLoop.count();) {
    const auto start = CompareClock::now();
    constexpr int kCalls = 4;
    for (int i = 0; i < kCalls; ++i) peer.call();
    times.push_back(s_to_ms(compare_seconds_since(start)) / kCalls);
  }
  return median(times);
}

/// Milliseconds a call as a user of the engine sees it.
Result<double> engine_ms(const Workload& workload) {
  ProfileRequest request;
  request.model.workload = text_of(workload);
  request.engines = {"onednn-default"};
  request.measure.check_engine = "none";
  request.measure.budget_s = 1;
  OPBENCH_TRY(const ProfileResult result, run_profile(request));
  const std::vector<UnitResult>& units = result.engines.front().units;
  if (units.empty() || !units.front().time) {
    return Error{ErrorCode::kSystem, "onednn-default has no time for " + text_of(workload)};
  }
  return units.front().time->median_ms;
}

/// Point 3: the engine's time of a convolution beside a loop over the primitive that oneDNN takes
/// by itself, in turns: a drift of the machine is in both, and the median turn is not one that a
/// neighbour disturbed.
Result<void> compare_with_loop(const std::string& text, Report& report) {
  OPBENCH_TRY(const Workload workload, parse_workload(text));
  OPBENCH_TRY(const std::vector<Peer> peers, peers_of(workload));
  OPBENCH_CHECK(pin_this_thread({current_affinity().front()}));
  std::vector<double> ratios;
  double before = loop_ms(peers.front());
  for (int turn = 0; turn < kTurns; ++turn) {
    OPBENCH_TRY(const double engine, engine_ms(workload));
    const double after = loop_ms(peers.front());
    ratios.push_back(2 * engine / (before + after));
    before = after;
  }
  const auto [least, most] = std::ranges::minmax(ratios);
  report.note(fmt::format("engine over loop in {} turns: {:.4f}, from {:.4f} to {:.4f}", kTurns,
                          median(ratios), least, most));
  report.add({.bar = fmt::format("oneDNN against a loop, percent apart: {}", text),
              .value = 100 * std::abs(median(ratios) - 1),
              .limit = kMostApart});
  return {};
}

Result<void> compare_run(const Arguments& arguments, Report& report) {
  const std::vector<int> cpus = current_affinity();
  use_one_thread();
  for (const char* text : {"conv2d 1x64x56x56 w:64x64x3x3 w:64 pads=1,1,1,1",
                           "conv2d 1x256x14x14 w:256x256x3x3 w:256 pads=1,1,1,1",
                           "conv2d 1x256x56x56 w:64x256x1x1 w:64"}) {
    OPBENCH_CHECK(compare_with_loop(text, report));
  }
  OPBENCH_CHECK(pin_this_thread(cpus));
  OPBENCH_CHECK(compare_engines(arguments.value("--model"), report));
  return compare_threads(arguments.value("--model"), report);
}

}  // namespace
}  // namespace opbench

int bench_compare_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "compare",
      .summary =
          "cost and precision of a comparison, threads told apart, times like a plain loop's",
      .options = {{.name = "--model",
                   .value_name = "NAME",
                   .help = "of the zoo",
                   .otherwise = "resnet-18"}},
      .run = opbench::compare_run};
  return opbench::run_benchmark(benchmark, argc, argv);
}
