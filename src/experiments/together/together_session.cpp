#include "experiments/together/together_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/files/file.h"
#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/sessions/run_identity.h"
#include "experiments/together/config_list.h"
#include "experiments/together/config_pressures.h"
#include "experiments/together/config_trials.h"
#include "experiments/together/set_comparison.h"
#include "experiments/together/set_unit.h"
#include "machine/facts/environment.h"
#include "machine/target/parse_target.h"
#include "planning/together/kept_set.h"
#include "prediction/workloads/kernel_work.h"

namespace opbench {
namespace {

// Shares of the budget.
constexpr double kTrialShare = 0.3, kPressureShare = 0.2, kCompareShare = 0.3;
constexpr size_t kMeasured = 3;  // by prediction the best, beside the baselines
constexpr const char* kBaselines[] = {"sequential", "isolated best side by side"};

/// Without anything in caches a call moves all operands and the result.
UnitConfig config_of(const TaskConfig& candidate, double seconds) {
  const KernelWork work = kernel_work(candidate.spec);
  return {.kernel = {.workload = text_of(candidate.spec.workload),
                     .blocks = blocks_of(candidate.spec),
                     .schedule = candidate.spec.schedule,
                     .config = candidate.spec.config,
                     .origin = candidate.origin},
          .one_ms = s_to_ms(seconds),
          .two_ms = {},
          .resident_bytes = work.footprint(),
          .dram_bytes = work.input_bytes + work.weight_bytes + work.output_bytes};
}

class TogetherSession {
 public:
  explicit TogetherSession(const TogetherRequest& request) : request_(request) {
    result_.timestamp = utc_now();
    result_.seed = request.run.model.seed;
  }

  Result<TogetherResult> run() {
    OPBENCH_CHECK(open());
    begin_s_ = monotonic_s();
    OPBENCH_CHECK(try_configs());
    OPBENCH_CHECK(forecast());
    OPBENCH_CHECK(compare());
    OPBENCH_CHECK(judge());
    keep();
    result_.spent_s = monotonic_s() - begin_s_;
    return std::move(result_);
  }

 private:
  Result<void> open() {
    if (request_.workloads.size() != 2) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("--together takes two workloads, not {}", request_.workloads.size())}
          .with("usage", "opbench tune --together 'SPEC A' 'SPEC B'");
    }
    OPBENCH_TRY(const Target target, parse_target(request_.run.settings.target));
    result_.target = display_text(target);
    for (size_t i = 0; i < 2; ++i) {
      OPBENCH_TRY(units_[i], set_unit(request_.workloads[i], target));
      UnitIdentity& identity = result_.units[i].identity;
      identity.operator_text = operator_text(units_[i].workload);
      identity.workload = units_[i].workload;
      identity.blocks = blocks_of(units_[i]);
    }
    result_.environment = capture_environment();
    OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
    folder_.emplace(std::move(folder));
    OPBENCH_TRY(SetComparison set, SetComparison::make(units_, request_.run, folder_->path()));
    set_.emplace(std::move(set));
    result_.cpus = set_->cpus();
    return {};
  }

  double budget() const { return request_.run.measure.budget_s; }
  bool are_equal() const {
    return workload_text(result_.units[0].identity) == workload_text(result_.units[1].identity);
  }

  /// Both units on one thread, then what is worth combining on two.
  Result<void> try_configs() {
    std::array<std::vector<TaskConfig>, 2> candidates;
    for (size_t i = 0; i < 2; ++i) {
      OPBENCH_TRY(candidates[i], task_configs(units_[i], request_.configs, request_.run.model.seed,
                                              request_.known));
    }
    OPBENCH_CHECK(try_on_one(candidates));
    return try_on_two(candidates);
  }

  Result<void> try_on_one(const std::array<std::vector<TaskConfig>, 2>& candidates) {
    OPBENCH_TRY(const auto machine, request_.machine(1));
    OPBENCH_TRY(TrialLog log, TrialLog::open(request_.log));
    ConfigTrials trials(*machine, std::move(log));
    OPBENCH_CHECK(trials.resume(request_.continues));
    for (size_t i = 0; i < 2; ++i) {
      const size_t resumed = trials.resumed(), failed = trials.failed();
      // Half of the time for each, so that the second has trials, too.
      const double end = begin_s_ + budget() * kTrialShare * 0.4 * static_cast<double>(i + 1);
      OPBENCH_TRY(const auto seconds,
                  trials.measure(candidates[i], end, told(i, 1, candidates[i].size())));
      std::vector<UnitConfig> configs;
      for (size_t at = 0; at < seconds.size(); ++at) {
        if (seconds[at]) configs.push_back(config_of(candidates[i][at], *seconds[at]));
      }
      TogetherUnit& unit = result_.units[i];
      unit.resumed = trials.resumed() - resumed;
      unit.failed = trials.failed() - failed;
      unit.tried = configs.size() + unit.failed;
      if (configs.empty()) return no_config(unit, trials.last_failure());
      unit.list = pareto_list(configs, request_.list);
      add_default(configs, unit);
    }
    return {};
  }

  /// The default for two threads may be no good on one, and is what sequential runs.
  static void add_default(const std::vector<UnitConfig>& configs, TogetherUnit& unit) {
    const auto by_default = std::ranges::find_if(configs, [](const UnitConfig& config) {
      return config.kernel.origin == "default, 2 threads";
    });
    if (by_default == configs.end()) return;
    const bool is_there = std::ranges::any_of(
        unit.list, [&](const UnitConfig& config) { return config.kernel == by_default->kernel; });
    if (!is_there) unit.list.push_back(*by_default);
  }

  static Error no_config(const TogetherUnit& unit, const std::string& failure) {
    return Error{ErrorCode::kPartial, "no config of a unit works"}
        .with("unit", workload_text(unit.identity))
        .with("tried", fmt::format("{}, all failed", unit.tried))
        .with("last failure", failure.empty() ? "in the log" : failure);
  }

  /// The configs that the lists were made from.
  static std::vector<TaskConfig> listed(const std::vector<TaskConfig>& candidates,
                                        const std::vector<UnitConfig>& list) {
    std::vector<TaskConfig> result;
    for (const TaskConfig& candidate : candidates) {
      const bool is_listed = std::ranges::any_of(list, [&](const UnitConfig& config) {
        return config.kernel.schedule == candidate.spec.schedule &&
               config.kernel.config == candidate.spec.config;
      });
      if (is_listed) result.push_back(candidate);
    }
    return result;
  }

  Result<void> try_on_two(const std::array<std::vector<TaskConfig>, 2>& candidates) {
    OPBENCH_TRY(const auto machine, request_.machine(2));
    OPBENCH_TRY(TrialLog log, TrialLog::open(two_thread_log(request_.log)));
    ConfigTrials trials(*machine, std::move(log));
    OPBENCH_CHECK(trials.resume(request_.continues));
    for (size_t i = 0; i < 2; ++i) {
      std::vector<UnitConfig>& list = result_.units[i].list;
      const std::vector<TaskConfig> again = listed(candidates[i], list);
      const double end = begin_s_ + budget() * kTrialShare;
      OPBENCH_TRY(const auto seconds, trials.measure(again, end, told(i, 2, again.size())));
      for (size_t at = 0; at < again.size(); ++at) {
        for (UnitConfig& config : list) {
          const bool is_same = config.kernel.schedule == again[at].spec.schedule &&
                               config.kernel.config == again[at].spec.config;
          if (is_same && seconds[at]) config.two_ms = s_to_ms(*seconds[at]);
        }
      }
      const bool has_time = std::ranges::any_of(
          list, [](const UnitConfig& config) { return config.two_ms.has_value(); });
      if (!has_time) return no_config(result_.units[i], trials.last_failure());
    }
    return {};
  }

  std::function<void(size_t)> told(size_t unit, int threads, size_t total) const {
    return [this, unit, threads, total](size_t done) {
      if (!request_.run.hooks.progress) return;
      request_.run.hooks.progress(
          {.stage = "trials",
           .item = fmt::format("{} on {} thread{}", result_.units[unit].identity.operator_text,
                               threads, threads == 1 ? "" : "s"),
           .done = static_cast<int64_t>(done),
           .total = static_cast<int64_t>(total)});
    };
  }

  /// Both baselines, then the best combinations that are none.
  Result<void> forecast() {
    const std::array<std::vector<UnitConfig>, 2> lists = {result_.units[0].list,
                                                          result_.units[1].list};
    OPBENCH_TRY(ConfigPressures pressures,
                measure_pressures(units_, lists, with_cpus(), budget() * kPressureShare));
    for (std::string& warning : pressures.warnings) result_.warnings.push_back(std::move(warning));
    result_.has_pressures = !pressures.is_empty();
    for (size_t i = 0; i < 2; ++i) {
      for (const auto& known : pressures.known[i]) {
        result_.units[i].pressures.push_back(known ? std::optional(known->pressure) : std::nullopt);
      }
    }
    const auto slowdowns = [&](size_t first, size_t second) {
      return pressures.slowdowns(first, second);
    };
    add_baselines(lists, slowdowns);
    const std::vector<GroupForecast> all = group_forecasts(lists, are_equal(), slowdowns);
    result_.forecasts = all.size();
    for (const GroupForecast& one : all) {
      if (result_.candidates.size() == std::size(kBaselines) + kMeasured) break;
      if (one.arrangement == Arrangement::kSequential) continue;
      const bool is_known =
          std::ranges::any_of(result_.candidates, [&](const TogetherCandidate& candidate) {
            return candidate.forecast.arrangement == one.arrangement &&
                   candidate.forecast.configs == one.configs;
          });
      if (!is_known) result_.candidates.push_back({.forecast = one});
    }
    return {};
  }

  void add_baselines(const std::array<std::vector<UnitConfig>, 2>& lists,
                     const SlowdownsOf& slowdowns) {
    for (const int threads : {2, 1}) {
      GroupForecast one{threads == 2 ? Arrangement::kSequential : Arrangement::kSideBySide,
                        {fastest_config(lists[0], threads), fastest_config(lists[1], threads)},
                        0};
      one.predicted_ms =
          makespan_ms(one.arrangement, {&lists[0][one.configs[0]], &lists[1][one.configs[1]]},
                      slowdowns(one.configs[0], one.configs[1]))
              .value_or(0);
      result_.candidates.push_back(
          {.forecast = one, .baseline = kBaselines[result_.candidates.size()]});
    }
  }

  RunRequest with_cpus() const {
    RunRequest run = request_.run;
    run.settings.cpus = set_->cpus();
    return run;
  }

  SetSide side_of(const TogetherCandidate& candidate) const {
    SetSide side{.arrangement = candidate.forecast.arrangement};
    for (size_t i = 0; i < 2; ++i) {
      const UnitConfig& config = result_.units[i].list[candidate.forecast.configs[i]];
      side.kernels[i] = config.kernel;
      side.one_ms[i] = config.one_ms;
      side.two_ms[i] = config.two_ms.value_or(config.one_ms);
    }
    return side;
  }

  Result<void> compare() {
    std::vector<SetSide> sides;
    for (const TogetherCandidate& candidate : result_.candidates) {
      sides.push_back(side_of(candidate));
    }
    OPBENCH_TRY(const CompareResult compared, set_->run(sides, budget() * kCompareShare, true));
    take_warnings(compared);
    std::vector<TogetherCandidate>& candidates = result_.candidates;
    candidates[0].time = compared.comparisons.front().model.base;
    for (size_t i = 1; i < candidates.size(); ++i) {
      const CompareUnit& model = compared.comparisons[i - 1].model;
      candidates[i].time = model.candidate;
      candidates[i].ratio = model.ratio;
      candidates[i].verdict = model.verdict;
      candidates[i].reason = model.reason;
    }
    if (candidates[1].ratio) return {};
    return Error{ErrorCode::kPartial, "the baselines could not be compared"}.with(
        "reason", candidates[1].reason);
  }

  void take_warnings(const CompareResult& compared) {
    for (const std::string& warning : compared.warnings) {
      if (std::ranges::find(result_.warnings, warning) == result_.warnings.end()) {
        result_.warnings.push_back(warning);
      }
    }
  }

  /// Time over that of the first candidate; infinity where it has none.
  double ratio_of(size_t candidate) const {
    if (candidate == 0) return 1;
    const auto& ratio = result_.candidates[candidate].ratio;
    return ratio ? ratio->median : std::numeric_limits<double>::infinity();
  }

  /// The choice is judged by times that it was not made from, and its results are checked; each
  /// kernel was in its trial.
  Result<void> judge() {
    result_.baseline = ratio_of(1) < 1 ? 1 : 0;
    result_.chosen = result_.baseline;
    size_t best = result_.baseline;
    for (size_t i = std::size(kBaselines); i < result_.candidates.size(); ++i) {
      if (ratio_of(i) < ratio_of(best)) best = i;
    }
    const std::string baseline = result_.candidates[result_.baseline].baseline;
    if (best == result_.baseline) {
      result_.reason = baseline + " is the choice: no other way was faster";
      return {};
    }
    OPBENCH_TRY(const CompareResult compared,
                set_->run({side_of(result_.candidates[result_.baseline]),
                           side_of(result_.candidates[best])},
                          budget() * (1 - kTrialShare - kPressureShare - kCompareShare), false));
    take_warnings(compared);
    const CompareUnit& model = compared.comparisons.front().model;
    result_.judgement = TogetherJudgement{best, model.ratio, model.verdict, model.reason};
    const bool is_faster = model.verdict && *model.verdict == Verdict::kFaster;
    if (is_faster) result_.chosen = best;
    const std::string found =
        model.verdict ? std::string(opbench::name_of(*model.verdict)) : "no verdict";
    result_.reason = is_faster
                         ? fmt::format("measured again, it is faster than {}", baseline)
                         : fmt::format(
                               "{} is the choice: the best of the others, measured again beside "
                               "it, got: {}",
                               baseline, found);
    return {};
  }

  /// A store that cannot be written is a warning: nobody named it on the command line.
  void keep() {
    result_.key = set_key(units_);
    if (request_.store.empty()) return;
    const KeptSet choice{.arrangement = result_.candidates[result_.chosen].forecast.arrangement,
                         .kernels = side_of(result_.candidates[result_.chosen]).kernels,
                         .baseline = result_.candidates[result_.baseline].baseline,
                         .speedup = result_.speedup(),
                         .timestamp = result_.timestamp,
                         .target = result_.target};
    if (const auto kept = keep_set(request_.store, units_, choice); !kept) {
      result_.warnings.push_back("the choice is not kept: " + kept.error().message);
      return;
    }
    result_.kept = kept_set_file(request_.store, result_.key).string();
  }

  const TogetherRequest& request_;
  std::array<KernelSpec, 2> units_;
  std::optional<TemporaryFolder> folder_;
  std::optional<SetComparison> set_;
  TogetherResult result_;
  double begin_s_ = 0;
};

}  // namespace

std::filesystem::path two_thread_log(const std::filesystem::path& log) {
  std::filesystem::path other = log;
  other.replace_extension();
  other += ".2-threads";
  other += log.extension();
  return other;
}

double TogetherResult::speedup() const {
  if (chosen == baseline || !judgement || !judgement->ratio) return 1;
  return 1 / judgement->ratio->median;
}

Result<TogetherResult> tune_together(const TogetherRequest& request) {
  return TogetherSession(request).run();
}

}  // namespace opbench
