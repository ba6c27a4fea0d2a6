// `./dev bench turning`: turning points of sweeps in files, and the caches that a triad finds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "benchmarks/common/benchmark.h"
#include "experiments/analysis/read_sweep.h"
#include "experiments/analysis/triad_sweep.h"
#include "experiments/analysis/turning_report.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"
#include "measuring/results/statistics.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

Result<TurningReport> report_of(const std::string& path, size_t probes) {
  OPBENCH_TRY(const SweptTimes times, read_swept_times(path, ""));
  return turning_report(times, {.probes = probes});
}

/// `29 [23, 35] saturates`
std::string knee_of(const Knee& knee) {
  if (!knee.exists()) return fmt::format("none (gain {:.1f})", knee.gain);
  return fmt::format("{:g} [{:g}, {:g}] {}{}, gain {:.0f}", knee.last, knee.low, knee.high,
                     name_of(knee.kind), knee.is_gradual ? " gradually" : "", knee.gain);
}

/// One line a file; regrets of sweeps over one axis are added.
Result<void> show_file(const std::string& path, size_t probes, const Report& report,
                       std::vector<double>& regrets) {
  OPBENCH_TRY(const TurningReport whole, report_of(path, 0));
  const std::string name = fs::path(path).filename().string();
  for (const AxisEffect& effect : whole.effects) {
    report.note(fmt::format("{}: {} explains {:.0f} % of the variance, effect {}", name,
                            effect.axis, 100 * effect.share, effect.has_effect ? "yes" : "none"));
  }
  for (const TurningSeries& series : whole.series) {
    if (!series.point) continue;
    report.note(fmt::format("{}: {}, n_best {:g}, n95 {:g} [{:g}, {:g}], knee {}", name,
                            series.axis, series.point->best.x, series.point->enough.x,
                            series.point->enough.low, series.point->enough.high,
                            knee_of(series.point->knee)));
  }
  if (!whole.effects.empty()) return {};
  OPBENCH_TRY(const TurningReport few, report_of(path, probes));
  for (const TurningSeries& series : few.series) {
    if (!series.regret_enough) continue;
    regrets.push_back(*series.regret_enough);
    report.note(fmt::format("  {} probes: {:g} of n95, regret {:.1f} % (of n_best {:.1f} %)",
                            series.probe_order.size(), series.point->enough.x,
                            100 * *series.regret_enough, 100 * *series.regret));
  }
  return {};
}

Result<void> bench_files(const std::string& folder, size_t probes, Report& report) {
  std::set<std::string> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_regular_file()) paths.insert(entry.path().string());
  }
  if (error || paths.empty()) {
    return Error{ErrorCode::kInvalidInput, "no file of a sweep in \"" + folder + "\""};
  }
  std::vector<double> regrets;
  for (const std::string& path : paths) {
    const Result<void> shown = show_file(path, probes, report, regrets);
    if (!shown) report.note(path + ": " + shown.error().message);
  }
  constexpr double kMostRegret = 0.1;
  Bar bar{.bar = fmt::format("median regret of n95 with {} probes", probes), .limit = kMostRegret};
  if (regrets.empty()) {
    bar.reason = "no sweep over one axis";
  } else {
    bar.value = median(regrets);
  }
  report.add(bar);
  return {};
}

Result<void> bench_triad(Report& report) {
  constexpr double kMostFactor = 1.5;
  OPBENCH_TRY(const Topology topology, this_topology());
  OPBENCH_TRY(const std::vector<int> cpus, choose_cpus(topology, 1, current_affinity()));
  const std::vector<CacheSize> caches = caches_of(topology, cpus.front());
  OPBENCH_TRY(const SweptTimes times, measure_triad_sweep(
                                          cpus.front(), triad_working_sets(caches),
                                          [](size_t, size_t) {}, [] { return false; }));
  OPBENCH_TRY(const TurningReport found, turning_report(times, {.axis = "bytes"}));
  const std::vector<Rise>& rises = found.series.front().rises;
  for (const CacheSize& cache : caches) {
    const auto off = [&](const Rise& rise) {
      return std::exp(std::fabs(std::log(rise.at / static_cast<double>(cache.bytes))));
    };
    const auto nearest = std::ranges::min_element(rises, {}, off);
    Bar bar{.bar = fmt::format("triad: L{} of {} KiB, factor", cache.level, cache.bytes / 1024),
            .limit = kMostFactor};
    if (nearest == rises.end()) {
      bar.reason = "no level ends";
    } else {
      bar.value = off(*nearest);
    }
    // A virtual machine shares its last cache with strangers.
    constexpr int kShared = 3;
    if (cache.level < kShared) {
      report.add(bar);
    } else {
      const bool is_found = bar.reason.empty() && bar.value <= 2 * kMostFactor;
      report.note(is_found ? fmt::format("{} {:.2f}", bar.bar, bar.value)
                           : bar.bar + ": not found");
    }
  }
  return {};
}

Result<void> run_turning(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const int64_t probes, arguments.integer("--probes", 3));
  const std::string folder = arguments.value("--from");
  if (!folder.empty()) OPBENCH_CHECK(bench_files(folder, static_cast<size_t>(probes), report));
  return bench_triad(report);
}

}  // namespace
}  // namespace opbench

int bench_turning_main(int argc, char** argv) {
  return opbench::run_benchmark(
      {.name = "turning",
       .summary = "turning points of sweeps, and the caches that a triad finds",
       .options = {{.name = "--from", .value_name = "FOLDER", .help = "with files of sweeps"},
                   {.name = "--probes",
                    .value_name = "N",
                    .help = "of a search with few",
                    .otherwise = "8"}},
       .run = opbench::run_turning},
      argc, argv);
}
