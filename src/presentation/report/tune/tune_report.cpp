#include "presentation/report/tune/tune_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

#include "base/errors/suggestion.h"
#include "base/json/json.h"
#include "base/json/json_text.h"
#include "base/system/seconds.h"
#include "presentation/report/text/number_text.h"
#include "records/json/python_json.h"

namespace opbench {
namespace {

constexpr const char* kTuneSchema = "opbench.tune/1";
constexpr const char* kTuneSummarySchema = "opbench.tune.summary/1";

std::string tune_report_failures_text(const std::map<int, int64_t>& failures) {
  std::vector<std::string> words;
  for (const auto& [number, count] : failures)
    words.push_back(fmt::format("{}: {}", number, count));
  return words.empty() ? "0" : join(words);
}

Json failures_json(const std::map<int, int64_t>& failures) {
  Json json = Json::object();
  for (const auto& [number, count] : failures) json[std::to_string(number)] = count;
  return json;
}

double gflops_per_s(const TunedTask& task) {
  constexpr double kGiga = 1e9;
  return task.flops / *best_s_of(task) / kGiga;
}

/// How many times as fast as its default config; nothing: not measured.
std::optional<double> times_as_fast(const TunedTask& task) {
  if (!task.state.best || !task.state.best->default_s) return std::nullopt;
  return *task.state.best->default_s / *best_s_of(task);
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json gain_json(const ModelGain& gain) {
  if (gain.units == 0) return nullptr;
  return {{"default_s", gain.default_s},
          {"tuned_s", gain.tuned_s},
          {"times_as_fast", gain.default_s / gain.tuned_s}};
}

std::string factor_text(double factor) { return fmt::format("{:.2f}", factor); }

}  // namespace

ModelGain model_gain(const TuneResult& result) {
  // Tasks of one unit have equal arguments; its fastest config counts.
  std::map<std::string, const TunedTask*> units;
  for (const TunedTask& task : result.tasks) {
    if (!times_as_fast(task)) continue;
    const std::string key = python_json(Argument::of_tuple(task.task.arguments));
    const auto [place, is_new] = units.try_emplace(key, &task);
    if (!is_new && *best_s_of(task) < *best_s_of(*place->second)) place->second = &task;
  }
  ModelGain gain;
  for (const auto& [key, task] : units) {
    const auto uses = static_cast<double>(task->uses);
    const double default_s = *task->state.best->default_s;
    const double best_s = *best_s_of(*task);
    gain.default_s += uses * default_s;
    gain.tuned_s += uses * std::min(best_s, default_s);
    ++gain.units;
    gain.slower += best_s > default_s ? 1 : 0;
  }
  return gain;
}

std::vector<std::string> gain_lines(const TuneResult& result) {
  const ModelGain gain = model_gain(result);
  if (gain.units == 0) return {};
  std::vector<std::string> lines = {
      fmt::format("{} tuned unit{}, counted as often as the model has them, take {} ms with "
                  "default configs and "
                  "{} ms tuned: {} times as fast",
                  gain.units, gain.units == 1 ? "" : "s", ms_text(s_to_ms(gain.default_s)),
                  ms_text(s_to_ms(gain.tuned_s)), factor_text(gain.default_s / gain.tuned_s))};
  if (gain.slower > 0) {
    lines.push_back(fmt::format(
        "--tuning-log will keep the default config of {} of them, where no trial is faster",
        gain.slower));
  }
  return lines;
}

std::optional<double> best_s_of(const TunedTask& task) {
  if (!task.state.best) return std::nullopt;
  return task.state.best->fresh_s.value_or(task.state.best->logged_s);
}

TextTable tune_table(const TuneResult& result) {
  TextTable table{.columns = {{.header = "number", .is_right_aligned = true},
                              {.header = "task"},
                              {.header = "shapes"}}};
  for (const char* header : {"points", "trials"}) {
    table.columns.push_back({.header = header, .is_right_aligned = true});
  }
  table.columns.push_back({.header = "failures"});
  for (const char* header :
       {"index", "best_ms", "default_ms", "times_as_fast", "gflops_per_s", "seconds"}) {
    table.columns.push_back({.header = header, .is_right_aligned = true});
  }
  for (const TunedTask& task : result.tasks) {
    const SearchState& state = task.state;
    const std::optional<double> best_s = best_s_of(task);
    const std::optional<double> factor = times_as_fast(task);
    table.rows.push_back(
        {{std::to_string(task.number), task.task.name, task.shapes, std::to_string(task.size),
          std::to_string(state.trials), tune_report_failures_text(state.failures),
          best_s ? std::to_string(state.best->config.index) : "-",
          best_s ? ms_text(s_to_ms(*best_s)) : "-",
          factor ? ms_text(s_to_ms(*state.best->default_s)) : "-",
          factor ? factor_text(*factor) : "-", best_s ? rate_text(gflops_per_s(task)) : "-",
          fmt::format("{:.1f}", state.seconds)}});
  }
  return table;
}

std::string tuned_task_json(const TunedTask& task) {
  const SearchState& state = task.state;
  const std::optional<double> best_s = best_s_of(task);
  Json json;
  json["schema"] = kTuneSchema;
  json["task"] = task.number;
  json["name"] = task.task.name;
  json["args"] = Json::parse(python_json(Argument::of_tuple(task.task.arguments)));
  json["size"] = task.size;
  json["wanted"] = task.wanted;
  json["trials"] = state.trials;
  json["resumed"] = state.resumed;
  json["refused"] = state.refused;
  json["failures"] = failures_json(state.failures);
  json["best_index"] = best_s ? Json(state.best->config.index) : Json();
  json["best_s"] = best_s ? Json(*best_s) : Json();
  json["logged_best_s"] = best_s ? Json(state.best->logged_s) : Json();
  json["default_s"] = best_s ? or_null(state.best->default_s) : Json();
  json["times_as_fast"] = or_null(times_as_fast(task));
  json["gflops_per_s"] = best_s ? Json(gflops_per_s(task)) : Json();
  json["seconds"] = state.seconds;
  return json_text(json) + "\n";
}

std::string tune_summary_json(const TuneResult& result, const std::string& log,
                              const std::string& target) {
  int64_t trials = 0, finished = 0;
  std::map<int, int64_t> failures;
  for (const TunedTask& task : result.tasks) {
    trials += task.state.trials;
    finished += task.is_finished ? 1 : 0;
    for (const auto& [number, count] : task.state.failures) failures[number] += count;
  }
  Json json;
  json["schema"] = kTuneSummarySchema;
  json["log"] = log;
  json["target"] = target;
  json["tasks"] = result.tasks.size();
  json["finished"] = finished;
  json["trials"] = trials;
  json["failures"] = failures_json(failures);
  json["seconds"] = result.seconds;
  json["interrupted"] = result.is_interrupted;
  json["out_of_time"] = result.is_out_of_time;
  json["model"] = gain_json(model_gain(result));
  json["untuned"] = Json::array();
  for (const UntunedTask& task : result.untuned) {
    json["untuned"].push_back(
        {{"task", task.number}, {"name", task.task.name}, {"reason", task.reason}});
  }
  json["warnings"] = result.warnings;
  return json_text(json) + "\n";
}

}  // namespace opbench
