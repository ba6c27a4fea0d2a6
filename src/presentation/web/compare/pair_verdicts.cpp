#include "presentation/web/compare/pair_verdicts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "experiments/compare/verdict.h"

namespace opbench {
namespace {

/// A verdict that `compare` recorded.
struct RecordedVerdict {
  Verdict verdict = Verdict::kInconclusive;
  double ratio = 1, low = 1, high = 1;
  double margin_pct = 0;
};

using RowName = std::tuple<std::string, std::string, std::string, std::string>;

std::string text_in(const Json& cell) { return cell.is_string() ? cell.get<std::string>() : ""; }

std::optional<double> number_in(const Json& cell) {
  return cell.is_number() ? std::optional(cell.get<double>()) : std::nullopt;
}

std::optional<Verdict> verdict_named(const std::string& word) {
  for (const Verdict verdict :
       {Verdict::kFaster, Verdict::kSlower, Verdict::kSame, Verdict::kInconclusive}) {
    if (name_of(verdict) == word) return verdict;
  }
  return std::nullopt;
}

Verdict exchanged(Verdict verdict) {
  if (verdict == Verdict::kFaster) return Verdict::kSlower;
  return verdict == Verdict::kSlower ? Verdict::kFaster : verdict;
}

/// `is_exchanged`: the records are of the side that a page shows as the base.
Result<void> read_recorded(WebStore& store, int64_t entry, bool is_exchanged,
                           std::map<RowName, RecordedVerdict>& verdicts) {
  OPBENCH_TRY(const std::string records, store.records_of_entry(entry));
  OPBENCH_TRY(
      const QueryResult found,
      store.query("SELECT model, CASE WHEN scope = 'model' THEN 'model' ELSE substr(workload, "
                  "strpos(workload, '.') + 1) END, scope, nodes[1], map_extract(labels, "
                  "'verdict')[1], map_extract(metrics, 'ratio')[1], map_extract(metrics, "
                  "'ratio_low')[1], map_extract(metrics, 'ratio_high')[1], map_extract(metrics, "
                  "'margin_percent')[1] FROM " +
                  records));
  for (const std::vector<Json>& row : found.rows) {
    const auto verdict = verdict_named(text_in(row[4]));
    const auto ratio = number_in(row[5]), low = number_in(row[6]), high = number_in(row[7]);
    const auto margin = number_in(row[8]);
    if (!verdict || !ratio || !low || !high || !margin) continue;
    RecordedVerdict recorded{*verdict, *ratio, *low, *high, *margin};
    if (is_exchanged) {
      recorded = {exchanged(*verdict), 1 / *ratio, 1 / *high, 1 / *low, *margin};
    }
    verdicts[{text_in(row[0]), text_in(row[1]), text_in(row[2]), text_in(row[3])}] = recorded;
  }
  return {};
}

/// The standard error of ln(time), from its 95 % interval; nothing without one.
std::optional<double> log_error(const Json& low, const Json& high) {
  constexpr double kHalfWidths = 1.96;
  if (!low.is_number() || !high.is_number() || low.get<double>() <= 0) return std::nullopt;
  return (std::log(high.get<double>()) - std::log(low.get<double>())) / 2 / kHalfWidths;
}

Evidence evidence_of(const Json& row) {
  constexpr double kManyDegrees = 30;  // medians of some tens of samples
  Evidence evidence;
  Estimate& estimate = evidence.log_ratio;
  estimate.value = std::log(row["b_ms"].get<double>() / row["a_ms"].get<double>());
  estimate.interval = {estimate.value, estimate.value};
  const auto a = log_error(row["a_low_ms"], row["a_high_ms"]);
  const auto b = log_error(row["b_low_ms"], row["b_high_ms"]);
  if (a && b) {
    estimate.error = std::hypot(*a, *b);
    estimate.degrees = kManyDegrees;
    const double half = student_quantile(estimate.degrees) * estimate.error;
    estimate.interval = {estimate.value - half, estimate.value + half};
  }
  evidence.floor = number_in(row["noise"]);
  return evidence;
}

TimeClock clock_at(const Json& cell) {
  return time_clock_named(text_in(cell)).value_or(TimeClock::kWall);
}

double percent(double ratio) { return 100 * (ratio - 1); }

/// `no_verdict`: why there is none; empty: there is one.
ComparedRow finished_row(Json row, const RecordedVerdict& judged, bool has_interval,
                         const std::string& no_verdict = "") {
  ComparedRow result{.change_pct = percent(judged.ratio)};
  if (no_verdict.empty()) {
    result.verdict = judged.verdict;
    result.factor = std::abs(std::log(judged.ratio)) / std::log1p(judged.margin_pct / 100);
  }
  row.erase("noise");
  row.erase("node");
  row["change_pct"] = result.change_pct;
  row["change_low_pct"] = has_interval ? Json(percent(judged.low)) : Json();
  row["change_high_pct"] = has_interval ? Json(percent(judged.high)) : Json();
  row["margin_pct"] = judged.margin_pct;
  row["factor"] = result.factor;
  row["verdict"] = result.verdict ? Json(name_of(*result.verdict)) : Json();
  row["no_verdict"] = no_verdict.empty() ? Json() : Json(no_verdict);
  result.cells.push_back(std::move(row));
  return result;
}

}  // namespace

Result<std::vector<ComparedRow>> judged_rows(WebStore& store, std::vector<Json> rows,
                                             const std::vector<int64_t>& entries) {
  std::map<RowName, RecordedVerdict> recorded;
  for (size_t side = 0; side < entries.size(); ++side) {
    OPBENCH_CHECK(read_recorded(store, entries[side], side == 0, recorded));
  }
  std::vector<Evidence> evidence;
  std::vector<std::string> refused;
  for (const Json& row : rows) {
    refused.push_back(why_no_verdict(clock_at(row["clock_a"]), clock_at(row["clock_b"])));
    if (refused.back().empty()) evidence.push_back(evidence_of(row));
  }
  const std::vector<JudgedRatio> judged = judge(evidence, {});
  size_t next = 0;
  std::vector<ComparedRow> result;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!refused[i].empty()) {
      const double ratio = std::exp(evidence_of(rows[i]).log_ratio.value);
      result.push_back(finished_row(std::move(rows[i]), {.ratio = ratio}, false, refused[i]));
      continue;
    }
    const size_t at = next++;
    const auto known = recorded.find({text_in(rows[i]["model"]), text_in(rows[i]["unit"]),
                                      text_in(rows[i]["scope"]), text_in(rows[i]["node"])});
    if (known != recorded.end()) {
      result.push_back(finished_row(std::move(rows[i]), known->second, true));
      continue;
    }
    const JudgedRatio& own = judged[at];
    result.push_back(finished_row(
        std::move(rows[i]),
        {own.verdict, own.ratio.median, own.ratio.low, own.ratio.high, 100 * own.margin},
        evidence[at].log_ratio.degrees > 0));
  }
  return result;
}

}  // namespace opbench
