#include "presentation/web/plans/plan_pages.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>

#include "base/files/file.h"
#include "planning/simulator/simulation.h"
#include "records/record/benchmark_times.h"
#include "records/store/kept_reports.h"

namespace opbench {
namespace {

constexpr size_t kMostReports = 100;

Json measured_json(const PlanFile& plan) {
  if (!plan.measured) return nullptr;
  return {{"speedup", plan.measured->speedup},
          {"low", plan.measured->low},
          {"high", plan.measured->high},
          {"verdict", plan.measured->verdict},
          {"reason", plan.measured->reason}};
}

Json facts_of_plan(const PlanFile& plan) {
  return {{"model", plan.model},
          {"planner", plan.plan.planner},
          {"workers", plan.plan.workers},
          {"units", plan.timed.size()},
          {"predicted_ms", plan.predicted_ms},
          {"sequential_ms", plan.sequential_ms},
          {"ceiling", plan.ceiling},
          {"measured", measured_json(plan)}};
}

Json facts_of_interference(const InterferenceFile& report) {
  double worst = 0;
  std::string where;
  for (const auto& pair : report.pairs) {
    for (size_t side = 0; side < pair.size(); ++side) {
      const double ratio = pair[side].measured.ratio.value_or(0);
      if (ratio <= worst) continue;
      worst = ratio;
      where = fmt::format("{} beside {}", pair[side].unit, pair[1 - side].unit);
    }
  }
  return {{"target", report.target},
          {"units", report.units.size()},
          {"pairs", report.pairs.size()},
          {"worst", worst > 0 ? Json(worst) : Json()},
          {"worst_pair", where}};
}

/// What rows say of a report, by its id: a report never changes, and reading one takes longer than
/// a row may.
class KeptRows {
 public:
  using Facts = std::function<Result<Json>(const std::string& text, const std::string& name)>;

  explicit KeptRows(std::string kind, Facts facts)
      : kind_(std::move(kind)), facts_(std::move(facts)) {}

  Json rows(const WebStore& store) {
    const std::lock_guard lock(mutex_);
    Json rows = Json::array();
    for (const KeptReport& report : kept_reports(store.folder(), kind_)) {
      if (rows.size() == kMostReports) break;
      constexpr int64_t kUsOfMs = 1000;
      Json row = facts_of(report);
      row["id"] = report.id;
      row["at"] = rfc3339_of_us(report.written_ms * kUsOfMs);
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  Json facts_of(const KeptReport& report) {
    const auto known = known_.find(report.id);
    if (known != known_.end()) return known->second;
    const auto text = read_file(report.path);
    const auto facts = text ? facts_(*text, kind_ + " " + report.id) : Result<Json>(text.error());
    Json row = facts ? *facts : Json{{"fault", facts.error().message}};
    row.emplace("fault", nullptr);
    if (known_.size() > kMostReports) known_.clear();
    known_[report.id] = row;
    return row;
  }

  std::string kind_;
  Facts facts_;
  std::mutex mutex_;
  std::map<std::string, Json> known_;
};

Result<Json> facts_of_plan_text(const std::string& text, const std::string& name) {
  OPBENCH_TRY(const PlanFile plan, parse_plan_file(text, name));
  return facts_of_plan(plan);
}

Result<Json> facts_of_interference_text(const std::string& text, const std::string& name) {
  OPBENCH_TRY(const InterferenceFile report,
              parse_interference(text, name, "opbench interference MODEL"));
  return facts_of_interference(report);
}

Json ratio_json(const FileRatio& ratio) {
  if (!ratio.ratio) return nullptr;
  return {{"ratio", *ratio.ratio},
          {"low", ratio.low ? Json(*ratio.low) : Json()},
          {"high", ratio.high ? Json(*ratio.high) : Json()}};
}

}  // namespace

Json plan_rows(const WebStore& store) {
  static KeptRows rows(kPlanReports, facts_of_plan_text);
  return rows.rows(store);
}

Json interference_rows(const WebStore& store) {
  static KeptRows rows(kInterferenceReports, facts_of_interference_text);
  return rows.rows(store);
}

Result<Json> timeline_answer(const PlanFile& plan) {
  OPBENCH_TRY(const Timeline timeline, simulate(plan.timed, plan.plan));
  constexpr double kPercent = 100;
  Json answer = facts_of_plan(plan);
  answer["target"] = plan.target;
  answer["times"] = plan.times;
  answer["reason"] = plan.reason;
  answer["cpus"] = plan.cpus;
  answer["makespan_ms"] = timeline.makespan_ms;
  answer["busy_pct"] = kPercent * utilisation(plan.plan, timeline);
  Json spans = Json::array();
  std::vector<TimelineSpan> ordered = timeline.spans;
  std::ranges::sort(ordered, [](const TimelineSpan& a, const TimelineSpan& b) {
    return a.start_ms != b.start_ms ? a.start_ms < b.start_ms : a.step < b.step;
  });
  for (const TimelineSpan& span : ordered) {
    const PlanStep& step = plan.plan.steps[span.step];
    std::vector<std::string> names, kinds;
    for (const int unit : step.units) {
      names.push_back(plan.timed.unit(unit).name);
      kinds.push_back(plan.timed.unit(unit).kind);
    }
    const auto first = static_cast<size_t>(step.units.front());
    const std::string workload =
        first < plan.facts.size() ? workload_text(plan.facts[first]) : std::string();
    spans.push_back({{"name", fmt::format("{}", fmt::join(names, " + "))},
                     {"operator", fmt::format("{}", fmt::join(kinds, " + "))},
                     {"workload", workload.empty() ? Json() : Json(workload)},
                     {"workers", step.workers},
                     {"start_ms", span.start_ms},
                     {"end_ms", span.end_ms}});
  }
  answer["spans"] = std::move(spans);
  return answer;
}

Json matrix_answer(const InterferenceFile& report) {
  std::map<std::string, size_t> place;
  Json units = Json::array();
  for (const FileUnit& unit : report.units) {
    place.emplace(unit.key, units.size());
    units.push_back({{"key", unit.key},
                     {"workload", unit.workload},
                     {"alone_ms", unit.alone_ms > 0 ? Json(unit.alone_ms) : Json()},
                     {"pressure", unit.pressure ? Json(*unit.pressure) : Json()}});
  }
  Json cells = Json::array();
  for (size_t i = 0; i < units.size(); ++i) cells.push_back(Json(units.size(), Json()));
  for (const auto& pair : report.pairs) {
    for (size_t side = 0; side < pair.size(); ++side) {
      const auto row = place.find(pair[side].unit), column = place.find(pair[1 - side].unit);
      if (row == place.end() || column == place.end()) continue;
      Json cell = ratio_json(pair[side].measured);
      if (cell.is_object()) {
        cell["forecast"] = pair[side].forecast > 0 ? Json(pair[side].forecast) : Json();
      }
      cells[row->second][column->second] = std::move(cell);
    }
  }
  Json answer = facts_of_interference(report);
  answer["unit_list"] = std::move(units);
  answer["cells"] = std::move(cells);
  return answer;
}

}  // namespace opbench
