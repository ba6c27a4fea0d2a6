#include "presentation/report/replay/trial_replay_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/errors/error_line.h"
#include "base/errors/suggestion.h"
#include "base/system/seconds.h"
#include "base/text/display_width.h"
#include "kernels/space/entity_match.h"
#include "measuring/results/statistics.h"
#include "presentation/report/text/number_text.h"
#include "records/json/python_json.h"
#include "records/record/error_number.h"

namespace opbench {
namespace {

constexpr const char* kReplayTrialsSchema = "opbench.replay.trials/1";

struct TimeNow {
  double median_s = 0;
  Interval interval;
};

std::optional<TimeNow> time_now(const ReplayTrial& trial) {
  if (!trial.now || trial.now->costs_s.empty()) return {};
  const std::vector<double>& costs = trial.now->costs_s;
  return TimeNow{median(costs), median_interval(costs, 0)};
}

std::optional<double> time_then_s(const ReplayTrial& trial) {
  const TuningResult& result = trial.record.result;
  if (result.error_no != 0 || result.costs_s.empty()) return {};
  return mean_cost(result.costs_s);
}

std::optional<double> trial_replay_report_ratio_of(const ReplayTrial& trial) {
  const auto then = time_then_s(trial);
  const auto now = time_now(trial);
  if (!then || !now || *then <= 0) return {};
  return now->median_s / *then;
}

/// `0.569 [0.566, 0.573]`; of too few repeats without an interval, `-` of none.
std::string now_text(const ReplayTrial& trial) {
  constexpr size_t kFewest = 3;
  const auto now = time_now(trial);
  if (!now) return "-";
  std::string text = ms_text(s_to_ms(now->median_s));
  if (trial.now->costs_s.size() < kFewest) return text;
  return fmt::format("{} [{}, {}]", text, ms_text(s_to_ms(now->interval.low)),
                     ms_text(s_to_ms(now->interval.high)));
}

/// `tile_ic=[-1, 64] unroll_kw=True`
std::string trial_replay_report_config_text(const KnobConfig& config) {
  std::vector<std::string> words;
  for (const KnobValue& knob : config.knobs) {
    words.push_back(knob.name + "=" + python_text(knob.value));
  }
  return join(words, " ");
}

std::string outcome_of(const ReplayTrial& trial) {
  if (trial.now && trial.now->error_no == 0) return "correct";
  if (trial.now) {
    const bool is_wrong = trial.now->error_no == error_number(FailureKind::kWrongResult);
    return is_wrong ? "wrong" : "failed";
  }
  if (trial.fault) return "faulty";
  return trial.skipped.empty() ? "open" : "skipped";
}

std::string reason_of(const ReplayTrial& trial) {
  if (trial.now) return trial.now->error_message;
  return trial.fault ? one_line_text(*trial.fault) : trial.skipped;
}

Json arguments_json(const TuningRecord& record) {
  std::vector<Argument> arguments;
  for (const NamedArgument& argument : record.arguments) arguments.push_back(argument.value);
  return Json::parse(python_json(Argument::of_tuple(std::move(arguments))), nullptr, false);
}

Json trial_replay_report_config_json(const KnobConfig& config) {
  Json json = Json::object();
  for (const KnobValue& knob : config.knobs) {
    json[knob.name] = Json::parse(python_json(knob.value), nullptr, false);
  }
  return json;
}

Json trial_json(const ReplayTrial& trial) {
  constexpr double kGiga = 1e9;
  Json json = {{"line", trial.line},
               {"target", trial.record.target},
               {"task", trial.record.task},
               {"args", arguments_json(trial.record)}};
  const bool is_known = trial.task != nullptr;
  json["workload"] = is_known ? Json(text_of(trial.task->workload)) : Json();
  const auto* config = std::get_if<KnobConfig>(&trial.record.config);
  json["config"] = config != nullptr ? trial_replay_report_config_json(*config) : Json();
  json["index"] = config != nullptr ? Json(config->index) : Json();
  json["is_index_wrong"] = trial.is_index_wrong;
  const auto then = time_then_s(trial);
  json["then_ms"] = then ? Json(s_to_ms(*then)) : Json();
  const auto now = time_now(trial);
  json["now_ms"] = now ? Json{{"median", s_to_ms(now->median_s)},
                              {"low", s_to_ms(now->interval.low)},
                              {"high", s_to_ms(now->interval.high)},
                              {"repeats", trial.now->costs_s.size()}}
                       : Json();
  const auto ratio = trial_replay_report_ratio_of(trial);
  json["ratio"] = ratio ? Json(*ratio) : Json();
  json["gflops_per_s"] = now ? Json(trial.task->flops / now->median_s / kGiga) : Json();
  json["outcome"] = outcome_of(trial);
  json["error_no"] = trial.now ? Json(trial.now->error_no) : Json();
  const std::string reason = reason_of(trial);
  json["reason"] = reason.empty() ? Json() : Json(reason);
  return json;
}

std::string trial_replay_report_failures_text(const std::map<int, int64_t>& failures) {
  std::vector<std::string> words;
  for (const auto& [number, count] : failures) {
    words.push_back(fmt::format("{} with error {}", count, number));
  }
  return join(words);
}

/// The trials that are no configs of their spaces, a line each.
std::string faults_text(const ReplayedTrials& replayed) {
  constexpr int kMost = 20;
  std::string text;
  int shown = 0;
  for (const ReplayTrial& trial : replayed.trials) {
    if (!trial.fault) continue;
    if (++shown > kMost) return text + "and more; --format json lists them\n";
    text += fmt::format("line {} is no config of its space: {}\n", trial.line,
                        printable(one_line_text(*trial.fault)));
  }
  return text;
}

}  // namespace

ReplayCounts counts_of(const ReplayedTrials& replayed) {
  ReplayCounts counts;
  for (const ReplayTrial& trial : replayed.trials) {
    if (trial.now) {
      ++counts.replayed;
      if (trial.now->error_no == 0) {
        ++counts.correct;
      } else {
        ++counts.failures[trial.now->error_no];
      }
    } else if (trial.fault) {
      ++counts.faulty;
    } else if (!trial.skipped.empty()) {
      const auto known =
          std::ranges::find(counts.skipped, trial.skipped, &std::pair<std::string, int64_t>::first);
      if (known == counts.skipped.end()) {
        counts.skipped.emplace_back(trial.skipped, 1);
      } else {
        ++known->second;
      }
    }
  }
  return counts;
}

TextTable trial_replay_table(const ReplayedTrials& replayed) {
  constexpr int kNarrowest = 16;
  TextTable table{
      .columns = {{.header = "line", .is_right_aligned = true},
                  {.header = "task", .shrinks_to = kNarrowest, .drop_order = 2},
                  {.header = "workload", .shrinks_to = kNarrowest},
                  {.header = "config", .shrinks_to = kNarrowest, .drop_order = 1},
                  {.header = "then", .is_right_aligned = true, .unit = "ms"},
                  {.header = "now", .unit = "ms", .numbers = {"now", "now low", "now high"}},
                  {.header = "ratio", .is_right_aligned = true},
                  {.header = "result"}}};
  for (const ReplayTrial& trial : replayed.trials) {
    if (!trial.now) continue;
    const auto ratio = trial_replay_report_ratio_of(trial);
    const bool is_good = trial.now->error_no == 0;
    TextRow row{.cells = {std::to_string(trial.line), printable(trial.record.task),
                          short_shapes(trial.task->workload),
                          printable(trial_replay_report_config_text(trial.config)),
                          ms_text(s_to_ms(time_then_s(trial).value_or(0))), now_text(trial),
                          ratio ? fmt::format("{:.3f}", *ratio) : "-",
                          is_good ? "correct" : fmt::format("error {}", trial.now->error_no)}};
    if (!is_good) row.below.push_back(printable(trial.now->error_message));
    if (trial.is_index_wrong) {
      row.below.push_back(fmt::format("its index {} is another config: what counts is its config",
                                      std::get<KnobConfig>(trial.record.config).index));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string trial_replay_text(const ReplayedTrials& replayed, int width, const TextStyle& style) {
  const ReplayCounts counts = counts_of(replayed);
  std::string text;
  if (counts.replayed > 0) text = aligned_text(trial_replay_table(replayed), width, style) + "\n";
  text += fmt::format("{} of {} records replayed", counts.replayed, replayed.trials.size());
  if (counts.replayed > 0) text += fmt::format(": {} correct", counts.correct);
  if (!counts.failures.empty()) text += ", " + trial_replay_report_failures_text(counts.failures);
  text += "\n" + faults_text(replayed);
  for (const auto& [reason, count] : counts.skipped) {
    text += fmt::format("{} skipped: {}\n", count, printable(reason));
  }
  for (const std::string& warning : replayed.warnings) text += "warning: " + warning + "\n";
  return text;
}

Json trial_replay_json(const ReplayedTrials& replayed) {
  const ReplayCounts counts = counts_of(replayed);
  Json json = {{"schema", kReplayTrialsSchema}, {"records", Json::array()}};
  for (const ReplayTrial& trial : replayed.trials) json["records"].push_back(trial_json(trial));
  json["replayed"] = counts.replayed;
  json["correct"] = counts.correct;
  json["failures"] = Json::object();
  for (const auto& [number, count] : counts.failures) {
    json["failures"][std::to_string(number)] = count;
  }
  json["faulty"] = counts.faulty;
  json["skipped"] = Json::array();
  for (const auto& [reason, count] : counts.skipped) {
    json["skipped"].push_back({{"reason", reason}, {"count", count}});
  }
  json["interrupted"] = replayed.is_interrupted;
  json["warnings"] = replayed.warnings;
  return json;
}

}  // namespace opbench
