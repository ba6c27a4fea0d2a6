#include "presentation/report/analysis/fusion_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/json/json_text.h"
#include "base/system/seconds.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr const char* kFusionRulesSchema = "opbench.fusion-rules/1";

/// `0.123 ±0.004`; the half width is the larger side's.
std::string estimate_text(const Estimate& estimate) {
  const double half =
      std::max(estimate.interval.high - estimate.value, estimate.value - estimate.interval.low);
  return fmt::format("{:.3f} ±{:.3f}", s_to_ms(estimate.value), s_to_ms(half));
}

std::string truth_text(const FusionRule& rule) {
  if (!rule.is_fused) return "-";
  return *rule.is_fused ? "fused" : "not fused";
}

Json fusion_report_json_of(const Estimate& estimate) {
  return {{"ms", s_to_ms(estimate.value)},
          {"low_ms", s_to_ms(estimate.interval.low)},
          {"high_ms", s_to_ms(estimate.interval.high)}};
}

Json fusion_report_json_of(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

Json fusion_report_json_of(const FusionRule& rule) {
  Json json = {{"pair", rule.pair}, {"first", rule.first}, {"second", rule.second}};
  json["says_fused"] = rule.is_fused ? Json(*rule.is_fused) : Json();
  if (!rule.failure.empty()) {
    json["reason"] = rule.failure;
    return json;
  }
  const FusionEvidence& evidence = rule.evidence;
  json["verdict"] = name_of(evidence.verdict);
  json["rounds"] = rule.rounds;
  json["alone"] = {{"first", fusion_report_json_of(evidence.first)},
                   {"second", fusion_report_json_of(evidence.second)}};
  json["together"] = fusion_report_json_of(evidence.both);
  json["saved"] = fusion_report_json_of(evidence.saved);
  json["saved_share_of_lighter"] = evidence.share;
  json["margin"] = {{"low_ms", s_to_ms(evidence.margin.low)},
                    {"high_ms", s_to_ms(evidence.margin.high)}};
  return json;
}

std::string score_text(const EngineFusion& engine) {
  const FusionScore score = score_of(engine.rules);
  if (score.judged == 0) return "the engine does not say what it fuses";
  const auto text = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.2f}", *value) : std::string("-");
  };
  return fmt::format("against {}: precision {}, recall {} over {} pairs, {} undecided",
                     engine.truth, text(score.precision()), text(score.recall()), score.judged,
                     score.undecided);
}

}  // namespace

TextTable fusion_table(const std::vector<EngineFusion>& engines) {
  TextTable table;
  table.columns = {{.header = "engine", .shrinks_to = 6},
                   {.header = "pair"},
                   {.header = "first",
                    .is_right_aligned = true,
                    .unit = "ms alone",
                    .numbers = {"first", "first half interval"}},
                   {.header = "second",
                    .is_right_aligned = true,
                    .unit = "ms alone",
                    .numbers = {"second", "second half interval"}},
                   {.header = "both",
                    .is_right_aligned = true,
                    .unit = "ms",
                    .numbers = {"both", "both half interval"}},
                   {.header = "saved",
                    .is_right_aligned = true,
                    .drop_order = 1,
                    .unit = "ms",
                    .numbers = {"saved", "saved half interval"}},
                   {.header = "share", .is_right_aligned = true, .unit = "of lighter"},
                   {.header = "by time"},
                   {.header = "engine says", .drop_order = 2}};
  for (const EngineFusion& engine : engines) {
    for (const FusionRule& rule : engine.rules) {
      TextRow row{{engine.engine, rule.pair}};
      if (!rule.failure.empty()) {
        row.cells.insert(row.cells.end(), {"-", "-", "-", "-", "-", "-", truth_text(rule)});
        row.below.push_back(rule.failure);
      } else {
        const FusionEvidence& evidence = rule.evidence;
        row.cells.insert(row.cells.end(),
                         {estimate_text(evidence.first), estimate_text(evidence.second),
                          estimate_text(evidence.both), estimate_text(evidence.saved),
                          percent_text(evidence.share), std::string(name_of(evidence.verdict)),
                          truth_text(rule)});
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

std::string fusion_summary(const std::vector<EngineFusion>& engines) {
  std::string text;
  for (const EngineFusion& engine : engines) {
    const auto fused = std::ranges::count_if(engine.rules, [](const FusionRule& rule) {
      return rule.failure.empty() && rule.evidence.verdict == FusionVerdict::kFused;
    });
    text += fmt::format("{}: {} of {} pairs are fused by their times; {}\n", engine.engine, fused,
                        engine.rules.size(), score_text(engine));
  }
  return text;
}

std::string fusion_json(const std::vector<EngineFusion>& engines) {
  Json json = {{"schema", kFusionRulesSchema}, {"engines", Json::array()}};
  for (const EngineFusion& engine : engines) {
    const FusionScore score = score_of(engine.rules);
    Json rules = Json::array();
    for (const FusionRule& rule : engine.rules) rules.push_back(fusion_report_json_of(rule));
    json["engines"].push_back({{"engine", engine.engine},
                               {"threads", engine.threads},
                               {"truth", engine.truth.empty() ? Json() : Json(engine.truth)},
                               {"judged", score.judged},
                               {"undecided", score.undecided},
                               {"precision", fusion_report_json_of(score.precision())},
                               {"recall", fusion_report_json_of(score.recall())},
                               {"rules", std::move(rules)}});
  }
  constexpr int kIndent = 2;
  return json_text(json, kIndent) + "\n";
}

}  // namespace opbench
