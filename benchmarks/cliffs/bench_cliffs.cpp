// `./dev bench cliffs`: our time over ONNX Runtime's for workloads drawn at random.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "benchmarks/cliffs/drawn_workloads.h"
#include "benchmarks/common/benchmark.h"
#include "experiments/profile/profile_session.h"

namespace opbench {
namespace {

constexpr double kCliff = 2.0;
constexpr double kSlow = 1.3;
constexpr double kMostSlowPercent = 3.0;
constexpr size_t kListed = 30;
constexpr size_t kCliffsRepeats = 2;  ///< of what looks slow: other programs disturb single runs

struct CliffsRow {
  std::string workload;
  double ours_ms = 0, theirs_ms = 0;
  std::string failure;   ///< of ours
  bool has_peer = true;  ///< false: ONNX Runtime ends, or its result is wrong
  bool is_judged() const { return failure.empty() && has_peer; }
  double ratio() const { return ours_ms / theirs_ms; }
};

ProfileRequest cliffs_request_for(const std::string& workload, double budget_s) {
  ProfileRequest request;
  request.model.workload = workload;
  request.engines = {"halide", "onnxruntime"};
  request.threads = {1};
  request.measure.budget_s = budget_s;
  return request;
}

/// Layout changes count: they are units of their own.
double cliffs_time_of(const EngineResult& engine) {
  double sum = 0;
  for (const UnitResult& unit : engine.units) sum += unit.total_ms;
  return sum;
}

/// Why ours is wrong or has no time, judged by the operators' references.
std::string failure_alone(const std::string& workload, double budget_s) {
  ProfileRequest request = cliffs_request_for(workload, budget_s);
  request.engines = {"halide"};
  request.measure.check_engine = "reference";
  const auto result = run_profile(request);
  if (!result || result->engines.empty()) return result ? "nothing ran" : result.error().message;
  const EngineResult& ours = result->engines[0];
  if (!ours.check.passed) return ours.check.reason;
  return cliffs_time_of(ours) > 0 ? "" : "halide has no time";
}

CliffsRow measure_cliffs(const std::string& workload, double budget_s) {
  CliffsRow row{.workload = workload};
  const auto result = run_profile(cliffs_request_for(workload, budget_s));
  if (!result || result->engines.size() < 2) {
    row.failure = result ? "one engine ran nothing" : result.error().message;
    return row;
  }
  const auto refused = std::ranges::find_if(result->warnings, [](const std::string& warning) {
    return warning.find("was not built") != std::string::npos;
  });
  if (refused != result->warnings.end()) {
    row.failure = refused->substr(0, refused->find('\n'));
    return row;
  }
  row.ours_ms = cliffs_time_of(result->engines[0]);
  row.theirs_ms = cliffs_time_of(result->engines[1]);
  if (row.theirs_ms <= 0) {
    row.failure = failure_alone(workload, budget_s);
    row.has_peer = false;
  } else if (!result->engines[0].check.passed) {
    row.failure = result->engines[0].check.reason;
  } else if (row.ours_ms <= 0) {
    row.failure = "halide has no time";
  }
  return row;
}

void judge(std::vector<CliffsRow> rows, Report& report) {
  const auto failed =
      std::erase_if(rows, [](const CliffsRow& row) { return !row.failure.empty(); });
  const auto alone = std::erase_if(rows, [](const CliffsRow& row) { return !row.has_peer; });
  std::ranges::sort(rows, std::greater<>(), &CliffsRow::ratio);
  report.note("\nthe worst:  ratio  halide ms     ort ms");
  for (size_t i = 0; i < std::min(kListed, rows.size()); ++i) {
    report.note(fmt::format("          {:>7.2f} {:>10.4f} {:>10.4f}  {}", rows[i].ratio(),
                            rows[i].ours_ms, rows[i].theirs_ms, rows[i].workload));
  }
  double log_sum = 0;
  for (const CliffsRow& row : rows) log_sum += std::log(row.ratio());
  const auto count = static_cast<double>(std::max<size_t>(rows.size(), 1));
  const auto slow =
      static_cast<double>(std::ranges::count_if(rows, [](auto& r) { return r.ratio() > kSlow; }));
  const auto cliffs =
      static_cast<double>(std::ranges::count_if(rows, [](auto& r) { return r.ratio() > kCliff; }));
  report.note(
      fmt::format("{} workloads, geometric mean {:.3f}; {} more for which ONNX Runtime has no time",
                  rows.size(), std::exp(log_sum / count), alone));
  report.add({"cliffs: workloads above twice ONNX Runtime's time", cliffs, 0});
  report.add({"cliffs: percent of workloads above 1.3 times its time", slow / count * 100,
              kMostSlowPercent});
  report.add({"cliffs: workloads that failed", static_cast<double>(failed), 0});
}

/// The run of the middle ratio.
CliffsRow middle_of(std::vector<CliffsRow> runs) {
  std::ranges::sort(runs, {}, &CliffsRow::ratio);
  return runs[runs.size() / 2];
}

/// What looks slow is measured again at the end, longer.
void repeat_slow(std::vector<CliffsRow>& rows, double budget_s) {
  constexpr double kLonger = 3;
  for (CliffsRow& row : rows) {
    if (!row.is_judged() || row.ratio() <= kSlow) continue;
    std::vector<CliffsRow> runs = {row};
    for (size_t i = 0; i < kCliffsRepeats; ++i)
      runs.push_back(measure_cliffs(row.workload, kLonger * budget_s));
    std::erase_if(runs, [](const CliffsRow& run) { return !run.is_judged(); });
    const double before = row.ratio();
    row = middle_of(std::move(runs));
    Report::progress(fmt::format("{:>6.2f}  {} (was {:.2f})", row.ratio(), row.workload, before));
  }
}

std::string cliffs_text_of(const CliffsRow& row) {
  if (!row.failure.empty()) return fmt::format("failed  {}: {}", row.workload, row.failure);
  if (!row.has_peer) return fmt::format("alone   {}", row.workload);
  return fmt::format("{:>6.2f}  {}", row.ratio(), row.workload);
}

Result<void> run_cliffs(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const double budget_s, arguments.positive("--budget"));
  OPBENCH_TRY(const int64_t count, arguments.integer("--count", 1, 100'000));
  OPBENCH_TRY(const int64_t seed, arguments.integer("--seed", 0, 1'000'000));
  const std::vector<std::string> workloads = drawn_workloads(
      static_cast<uint64_t>(seed), static_cast<size_t>(count), arguments.value("--only"));
  if (arguments.has("--list")) {
    for (const std::string& workload : workloads) report.note(workload);
    return {};
  }
  std::vector<CliffsRow> rows;
  for (const std::string& workload : workloads) {
    rows.push_back(measure_cliffs(workload, budget_s));
    const CliffsRow& row = rows.back();
    Report::progress(cliffs_text_of(row));
  }
  repeat_slow(rows, budget_s);
  judge(std::move(rows), report);
  return {};
}

}  // namespace
}  // namespace opbench

int bench_cliffs_main(int argc, char** argv) {
  const opbench::BenchmarkDef benchmark{
      .name = "cliffs",
      .summary = "our time over ONNX Runtime's for workloads drawn at random, one thread",
      .options = {{.name = "--budget",
                   .value_name = "SECONDS",
                   .help = "for each engine and workload",
                   .otherwise = "0.3"},
                  {.name = "--count", .value_name = "N", .help = "workloads", .otherwise = "500"},
                  {.name = "--seed", .value_name = "N", .help = "of the draw", .otherwise = "1"},
                  {.name = "--only",
                   .value_name = "WORD",
                   .help = "draw workloads that begin with WORD, such as top_k; default: all"},
                  {.name = "--list",
                   .help = "print the workloads and measure nothing",
                   .kind = opbench::OptionKind::kSwitch}},
      .run = opbench::run_cliffs};
  return opbench::run_benchmark(benchmark, argc, argv);
}
