#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "base/json/json_text.h"
#include "presentation/web/tuning/task_trials.h"
#include "records/store/rows/trial_line.h"

namespace opbench {
namespace {

constexpr int64_t kMostJudged = 20'000;  // trials

/// Trials of one form that were timed, with their values as a list.
constexpr const char* kTimed =
    "(SELECT id, config_index, knob_values, ln(mean_s) AS log_s, mean_s FROM {} WHERE error_no = 0 "
    "AND mean_s > 0 AND knobs = {})";

constexpr const char* kValues =
    "SELECT place, value, count(*) AS n, sum(log_s) AS s, sum(log_s * log_s) AS q FROM (SELECT "
    "log_s, unnest(range(len(list))) AS place, unnest(list)::VARCHAR AS value FROM (SELECT log_s, "
    "from_json(knob_values, '[\"JSON\"]') AS list FROM {} WHERE hash(id) % {} = 0)) GROUP BY 1, 2";

constexpr const char* kConfigs =
    "SELECT config_index, knob_values, ms FROM (SELECT any_value(config_index) AS config_index, "
    "knob_values, 1000 * min(mean_s) AS ms, row_number() OVER (ORDER BY min(mean_s), knob_values) "
    "AS place, count(*) OVER () AS all_configs FROM {} GROUP BY knob_values) WHERE place <= 100 OR "
    "(place - 100) % ((all_configs + 199) // 200) = 0 ORDER BY ms, config_index";

/// Trials with one value of a knob: how many, the sum of their ln(s) and of its squares.
struct ValueSums {
  double count = 0, sum = 0, squares = 0;
};

using KnobSums = std::map<Json, ValueSums>;  // by value: numbers and lists in their order

/// Omega squared; below 0 where the values cannot be told apart.
double explained_by(const KnobSums& sums) {
  ValueSums all;
  double between = 0;
  for (const auto& [value, one] : sums) {
    if (one.count == 0) continue;
    all.count += one.count;
    all.sum += one.sum;
    all.squares += one.squares;
    between += one.sum * one.sum / one.count;
  }
  const auto groups = static_cast<double>(
      std::ranges::count_if(sums, [](const auto& one) { return one.second.count > 0; }));
  if (groups < 2 || all.count <= groups) return -1;
  const double mean_part = all.sum * all.sum / all.count;
  const double total = all.squares - mean_part;
  constexpr double kNone = 1e-12;  // of the square of ln(s): all times are equal
  if (total <= kNone * all.count) return -1;
  between -= mean_part;
  const double within = std::max(0.0, total - between) / (all.count - groups);
  return std::clamp((between - (groups - 1) * within) / (total + within), 0.0, 1.0);
}

/// `tile_f:sp rows:ot` as knobs without values.
std::vector<TaskKnob> named_knobs(std::string_view names) {
  std::vector<TaskKnob> knobs;
  while (!names.empty()) {
    NamedKnob knob = take_knob(names);
    knobs.push_back({.name = std::move(knob.name), .kind = std::move(knob.kind)});
  }
  return knobs;
}

/// The most usual form of the task's knobs; null where no trial has some.
Result<Json> usual_form(WebStore& store, const TaskOfStore& task) {
  OPBENCH_TRY(const QueryResult found,
              store.query("SELECT knobs FROM " + task.from +
                          " WHERE error_no = 0 AND knobs IS NOT NULL GROUP BY knobs ORDER BY "
                          "count(*) DESC, knobs LIMIT 1"));
  return found.rows.empty() ? Json() : found.rows[0][0];
}

Result<std::vector<KnobSums>> sums_of_knobs(WebStore& store, const std::string& timed,
                                            int64_t trials, size_t knobs) {
  const int64_t step = std::max<int64_t>(1, (trials + kMostJudged - 1) / kMostJudged);
  OPBENCH_TRY(const QueryResult found,
              store.query(fmt::format(fmt::runtime(kValues), timed, step)));
  std::vector<KnobSums> sums(knobs);
  for (const std::vector<Json>& row : found.rows) {
    const auto place = row[0].get<size_t>();
    if (place >= knobs || !row[1].is_string()) continue;
    const Json value = Json::parse(row[1].get<std::string>(), nullptr, false);
    if (value.is_discarded()) continue;
    sums[place][value] = {row[2].get<double>(), row[3].get<double>(), row[4].get<double>()};
  }
  return sums;
}

/// The values of a config, one a knob; empty where the list is of another form.
std::vector<Json> values_of_config(const Json& text, size_t knobs) {
  const Json list =
      text.is_string() ? Json::parse(text.get<std::string>(), nullptr, false) : Json();
  if (!list.is_array() || list.size() != knobs) return {};
  return {list.begin(), list.end()};
}

Json config_json(const std::vector<Json>& row, const std::vector<Json>& values,
                 const std::vector<KnobSums>& sums) {
  Json places = Json::array();
  for (size_t knob = 0; knob < values.size(); ++knob) {
    places.push_back(std::distance(sums[knob].begin(), sums[knob].find(values[knob])));
  }
  return {
      {"ms", row[2]}, {"config_index", row[0]}, {"values", std::move(places)}, {"is_best", false}};
}

}  // namespace

Result<TaskConfigs> task_configs(WebStore& store, const TaskOfStore& task) {
  TaskConfigs result;
  OPBENCH_TRY(const Json form, usual_form(store, task));
  if (!form.is_string()) {
    result.why_none = task.trials == task.failed
                          ? "Every trial of this task failed: no config has a time."
                          : "The trials of this task name no knobs: only AutoTVM's form has them.";
    return result;
  }
  result.knobs = named_knobs(form.get_ref<const std::string&>());
  const size_t count = result.knobs.size();
  const std::string timed =
      fmt::format(fmt::runtime(kTimed), task.from, sql_text(form.get<std::string>()));
  OPBENCH_TRY(std::vector<KnobSums> sums, sums_of_knobs(store, timed, task.trials, count));
  OPBENCH_TRY(const QueryResult configs, store.query(fmt::format(fmt::runtime(kConfigs), timed)));
  std::vector<std::vector<Json>> values;
  for (const std::vector<Json>& row : configs.rows) {
    values.push_back(values_of_config(row[1], count));
    // A value that was not among the trials that were judged has a place all the same.
    for (size_t knob = 0; knob < values.back().size(); ++knob) {
      sums[knob].try_emplace(values.back()[knob]);
    }
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].empty()) result.configs.push_back(config_json(configs.rows[i], values[i], sums));
  }
  for (size_t knob = 0; knob < count; ++knob) {
    for (const auto& [value, one] : sums[knob]) {
      result.knobs[knob].values.push_back(json_text(value));
    }
    result.knobs[knob].explained = explained_by(sums[knob]);
  }
  if (!result.configs.empty()) {
    result.configs.front()["is_best"] = true;
    for (size_t knob = 0; knob < count; ++knob) {
      result.knobs[knob].best = result.configs.front()["values"][knob].get<int64_t>();
    }
  }
  return result;
}

Json knobs_json(const TaskConfigs& configs) {
  constexpr double kPercent = 100;
  Json list = Json::array();
  for (const TaskKnob& knob : configs.knobs) {
    const auto best = static_cast<size_t>(knob.best);
    list.push_back(
        {{"name", knob.name},
         {"kind", knob.kind},
         {"values", knob.values},
         {"explained_pct", knob.explained < 0 ? Json() : Json(kPercent * knob.explained)},
         {"best_value", best < knob.values.size() ? Json(knob.values[best]) : Json("")}});
  }
  return list;
}

}  // namespace opbench
