// `./dev bench tuners`: how many trials each tuner takes to come near the best config of a task, on
// tables of all configs measured before.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "base/files/file.h"
#include "base/numbers/hash.h"
#include "base/system/seconds.h"
#include "benchmarks/common/benchmark.h"
#include "benchmarks/common/program_run.h"
#include "benchmarks/tuners/recorded_tasks.h"
#include "kernels/tasks/extract_tasks.h"
#include "measuring/results/statistics.h"
#include "presentation/cli/tune/task_model.h"

namespace opbench {
namespace {

struct TunersRequest {
  std::string model;
  Target target;
  std::vector<Task> tasks;
  std::optional<size_t> only;
  std::filesystem::path log;
  uint64_t seeds = 10;
  size_t earlier = 0;  ///< trials of every task before
  std::vector<const TunerDef*> tuners;
};

/// A table for each model and target, in the user's cache.
std::filesystem::path table_of(const std::string& model, const Target& target) {
  const std::string name = std::filesystem::path(model).stem().string() + "-" +
                           sha256(display_text(target)).substr(0, 8);
  return cache_folder() / "tuners" / (name + ".log");
}

Result<TunersRequest> tuners_request_of(const Arguments& arguments) {
  TunersRequest request{.model = arguments.value("--model")};
  OPBENCH_TRY(const Arguments model,
              Arguments::parse({request.model}, {{.name = "MODEL"}}, task_model_options()));
  OPBENCH_TRY(request.target, task_target(model));
  Terminal terminal = standard_terminal();
  OPBENCH_TRY(const Model graph, task_model(model, terminal));
  request.tasks = extract_tasks(graph, request.target);
  if (request.tasks.empty()) return no_task(request.model, request.target);
  if (arguments.has("--task")) {
    OPBENCH_TRY(request.only, task_number(arguments, request.tasks.size()));
  }
  request.log = table_of(request.model, request.target);
  if (arguments.has("--table")) request.log = arguments.value("--table");
  OPBENCH_TRY(const int64_t seeds, arguments.integer("--seeds", 1));
  request.seeds = static_cast<uint64_t>(seeds);
  OPBENCH_TRY(const int64_t earlier, arguments.integer("--earlier", 0));
  request.earlier = static_cast<size_t>(earlier);
  for (const std::string& name : arguments.values("--tuner")) {
    OPBENCH_TRY(const TunerDef* tuner, tuner_table().find(name));
    request.tuners.push_back(tuner);
  }
  if (request.log.has_parent_path()) {
    OPBENCH_CHECK(make_writable_folder(request.log.parent_path()));
  }
  return request;
}

Result<std::vector<RecordedTask>> load(const TunersRequest& request) {
  OPBENCH_TRY(std::vector<RecordedTask> tasks, recorded_tasks(request.tasks, request.log));
  std::erase_if(tasks, [&](const RecordedTask& task) {
    return request.only && task.task.number != *request.only;
  });
  return tasks;
}

/// Measures what the table lacks. Each config is in it as soon as it was measured, so that a run
/// that was interrupted goes on where it ended.
Result<void> record_missing(const TunersRequest& request) {
  OPBENCH_TRY(const std::vector<RecordedTask> tasks, load(request));
  for (const RecordedTask& task : tasks) {
    if (task.is_complete()) continue;
    const uint64_t missing = task.task.size - task.cost_s.size() - task.refused;
    Report::progress(fmt::format("task {}: {} of {} points to measure", task.task.number, missing,
                                 task.task.size));
    const ProgramCommand command{
        .argv = {opbench_path(), "tune", request.model, "--target", "host", "--tuner", "gridsearch",
                 "--trials", std::to_string(task.task.size), "--task",
                 std::to_string(task.task.number), "--log", request.log.string(), "--continue",
                 "--quiet", "--format", "json"},
        .environment = {{"OPBENCH_STORE", "none"}},
        .limit_s = 86400};
    OPBENCH_TRY(const ProgramRun run, run_to_end(command));
    if (run.exit_code != 0) {
      return Error{ErrorCode::kSystem, "tune did not end well"}.with("stderr", run.err);
    }
    Report::progress(
        fmt::format("  {:.1f} points a second", static_cast<double>(missing) / run.wall_s));
  }
  return {};
}

/// Median of the trials over the seeds.
double median_trials(const RecordedTask& task, const TunerDef& tuner, uint64_t seeds,
                     std::span<const EarlierSearch> earlier, ReplayedSearch& total) {
  std::vector<double> trials;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const ReplayedSearch search = replay_search(task, tuner, seed, earlier);
    trials.push_back(static_cast<double>(search.trials));
    total.trials += search.trials;
    total.tuner_s += search.tuner_s;
  }
  return median(trials);
}

/// For each tuner ln of its trials over those of `random`, one a task.
using Ratios = std::map<std::string, std::vector<double>>;

void replay_task(const RecordedTask& task, std::span<const EarlierSearch> earlier,
                 const TunersRequest& request, Report& report, Ratios& ratios,
                 std::map<std::string, ReplayedSearch>& totals) {
  const TunerDef* const random = *tuner_table().find("random");
  const double base = median_trials(task, *random, request.seeds, {}, totals["random"]);
  std::string line = fmt::format("{:>4} {:<26} {:>6} {:>9.4f} {:>7g}", task.task.number,
                                 task.task.task.name, task.task.size, s_to_ms(task.best_s), base);
  for (const TunerDef* tuner : request.tuners) {
    if (tuner->check != nullptr && !tuner->check(task.task.task)) {
      line += fmt::format(" {:>14}", "-");
      continue;
    }
    const double trials = median_trials(task, *tuner, request.seeds, earlier, totals[tuner->name]);
    ratios[tuner->name].push_back(std::log(trials / base));
    line += fmt::format(" {:>14}", fmt::format("{:g} ({:.2f})", trials, trials / base));
  }
  report.note(line);
}

/// How many times the trials of random that a tuner may take.
double most_of_random(const std::string& tuner) { return tuner == "opbench" ? 1.0 / 3 : 1; }

double tuners_mean_ratio(const std::vector<double>& logs) {
  double sum = 0;
  for (const double log : logs) sum += log;
  return std::exp(sum / static_cast<double>(logs.size()));
}

void add_tuners_bars(const Ratios& ratios, const std::map<std::string, ReplayedSearch>& totals,
                     Report& report) {
  for (const auto& [name, logs] : ratios) {
    const ReplayedSearch& total = totals.at(name);
    report.note(fmt::format("{}: {:.2f} ms of its own a trial", name,
                            s_to_ms(total.tuner_s) / static_cast<double>(total.trials)));
    report.add({fmt::format("tuners: trials of {} / random, mean of {} tasks", name, logs.size()),
                tuners_mean_ratio(logs), most_of_random(name)});
  }
  const auto own = ratios.find("opbench"), xgb = ratios.find("xgb");
  if (own == ratios.end() || xgb == ratios.end()) return;
  report.add({"tuners: trials of opbench / xgb",
              tuners_mean_ratio(own->second) / tuners_mean_ratio(xgb->second), 2.0 / 3});
}

Result<void> run_tuners(const Arguments& arguments, Report& report) {
  OPBENCH_TRY(const TunersRequest request, tuners_request_of(arguments));
  OPBENCH_TRY(const bool records, arguments.is_on("--record"));
  if (records) OPBENCH_CHECK(record_missing(request));
  OPBENCH_TRY(std::vector<RecordedTask> tasks, load(request));
  const size_t all = tasks.size();
  std::erase_if(tasks,
                [](const RecordedTask& task) { return !task.is_complete() || task.best_s == 0; });
  report.note(fmt::format("table {}: {} of {} tasks are complete", request.log.string(),
                          tasks.size(), all));
  if (tasks.empty()) {
    return Error{ErrorCode::kNoMatch, "no task with all of its points in the table"}.with(
        "give", "--record, and --task N for one alone");
  }
  std::string head =
      fmt::format("{:>4} {:<26} {:>6} {:>9} {:>7}", "task", "", "points", "best_ms", "random");
  for (const TunerDef* tuner : request.tuners) head += fmt::format(" {:>14}", tuner->name);
  report.note(fmt::format("trials to within 5 % of the best, medians of {} seeds (of random's)",
                          request.seeds));
  report.note(head);
  Ratios ratios;
  std::map<std::string, ReplayedSearch> totals;
  std::vector<EarlierSearch> earlier;
  for (const RecordedTask& task : tasks) {
    replay_task(task, earlier, request, report, ratios, totals);
    if (request.earlier > 0) earlier.push_back(earlier_search(task, request.earlier));
  }
  add_tuners_bars(ratios, totals, report);
  return {};
}

/// All but those that do not search.
std::string searching_tuners() {
  std::vector<std::string> names = tuner_table().names();
  std::erase(names, "gridsearch");
  std::erase(names, "random");
  return join(names, ",");
}

}  // namespace
}  // namespace opbench

int bench_tuners_main(int argc, char** argv) {
  using opbench::OptionKind;
  return opbench::run_benchmark(
      {.name = "tuners",
       .summary = "trials that tuners take to come near the best, on points measured before",
       .options = {{.name = "--record",
                    .value_name = {},
                    .help = "measure what the table lacks first; goes on where it was interrupted",
                    .kind = OptionKind::kSwitch},
                   {.name = "--model",
                    .value_name = "MODEL",
                    .help = "whose tasks",
                    .otherwise = "resnet-18"},
                   {.name = "--task", .value_name = "N", .help = "this one alone"},
                   {.name = "--tuner",
                    .value_name = "T,…",
                    .help = "which",
                    .otherwise = opbench::searching_tuners(),
                    .kind = OptionKind::kList},
                   {.name = "--seeds", .value_name = "N", .help = "how many", .otherwise = "10"},
                   {.name = "--earlier",
                    .value_name = "N",
                    .help = "trials of every task before that are known, as in `tune` of a model",
                    .otherwise = "300"},
                   {.name = "--table",
                    .value_name = "FILE",
                    .help = "an AutoTVM log; default: in the cache, by model and target"}},
       .run = opbench::run_tuners},
      argc, argv);
}
