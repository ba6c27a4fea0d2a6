#include "presentation/report/serve/serve_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "machine/facts/cpu_list.h"
#include "planning/serve/sign_check.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr const char* kServeSchema = "opbench.serve/1";

/// Of shares, in percent.
std::string serve_report_interval_text(const SeedMean& mean) {
  if (!mean.has_interval) return "-";
  return fmt::format("{:.1f} to {:.1f}", mean.interval.low * 100, mean.interval.high * 100);
}

TextRow serve_report_row_of(const LoadResult& load, size_t at, const char* kind) {
  const PolicyResult& one = load.results[at];
  const auto mean = [&](double ServingFigures::*figure) { return one.mean(figure).value; };
  const auto ms = [&](double ServingFigures::*figure) { return ms_text(mean(figure)); };
  const SeedMean violations = one.mean(&ServingFigures::violations);
  TextRow row{
      .cells = {fmt::format("{}", load.load), one.policy, one.variant,
                percent_text(violations.value), serve_report_interval_text(violations),
                percent_text(mean(&ServingFigures::worst_violations)),
                percent_text(mean(&ServingFigures::dropped)),
                rate_text(mean(&ServingFigures::goodput_per_s)),
                percent_text(mean(&ServingFigures::work_in_time)), ms(&ServingFigures::median_ms),
                ms(&ServingFigures::p95_ms), ms(&ServingFigures::p99_ms),
                percent_text(mean(&ServingFigures::utilisation)),
                at == load.winner ? "winner" : ""},
      .is_emphasised = at == load.winner};
  if (kind != nullptr) row.cells.insert(row.cells.begin(), kind);
  return row;
}

std::string comparison_line(const LoadResult& load, const std::string& kind) {
  const PolicyResult& winner = load.results[load.winner];
  std::string line =
      fmt::format("{}load {}: fewest violations by {}", kind, load.load, winner.name());
  if (!load.comparison) return line + "\n";
  const PairedComparison& pair = *load.comparison;
  const PolicyResult& first = load.results[pair.first];
  const PolicyResult& second = load.results[pair.second];
  line += fmt::format("; {} less {}{}: {:+.1f} points of violations", first.name(),
                      second.is_baseline ? "the best baseline, " : "", second.name(),
                      pair.violations.value * 100);
  if (!pair.violations.has_interval) return line + ", no interval: there is one seed\n";
  line += fmt::format(", {:+.1f} to {:+.1f}, {}", pair.violations.interval.low * 100,
                      pair.violations.interval.high * 100,
                      pair.violations.excludes(0) ? "excludes 0" : "holds 0: no difference shown");
  return line + fmt::format("; goodput {:.3f} ×, {:.3f} to {:.3f}\n", pair.goodput.value,
                            pair.goodput.interval.low, pair.goodput.interval.high);
}

/// Whether the difference from the best simulated baseline has the same sign where it is measured.
std::string sign_line(const SignCheck& check) {
  const std::string interval =
      check.measured.has_interval
          ? fmt::format(", {:+.1f} to {:+.1f}", check.measured.interval.low * 100,
                        check.measured.interval.high * 100)
          : "";
  return fmt::format(
      "sign at load {}: {} less {}: simulated {:+.1f} points of violations, measured {:+.1f}{}: "
      "{}\n",
      check.load, check.first, check.second, check.simulated.value * 100,
      check.measured.value * 100, interval, name_of(check.verdict));
}

/// How far equal policies differ.
std::string serving_control_line(const LoadResult& load) {
  if (!load.control) return "";
  const SeedMean& mean = load.control->violations;
  std::string line =
      fmt::format("control at load {}: {} beside itself: {:+.1f} points of violations", load.load,
                  load.control->name, mean.value * 100);
  if (mean.has_interval) {
    line += fmt::format(", {:+.1f} to {:+.1f}", mean.interval.low * 100, mean.interval.high * 100);
  }
  return line + "\n";
}

std::string measured_lines(const ServeResult& result) {
  if (!result.measured) return "";
  std::string text;
  for (const LoadResult& load : result.measured->loads) {
    text += comparison_line(load, "measured, ") + serving_control_line(load);
  }
  for (const SignCheck& check : check_signs(result.study, *result.measured)) {
    text += sign_line(check);
  }
  return text;
}

std::string model_lines(const ServeResult& result) {
  std::string text;
  for (size_t i = 0; i < result.facts.size(); ++i) {
    const ServedFacts& facts = result.facts[i];
    text += fmt::format("model     {} ({}), {} units in {} segments, alone {} ms, {}\n", facts.name,
                        facts.source, facts.units, result.system.models[i].segments.size(),
                        ms_text(result.study.solo_ms[i]), facts.times);
  }
  return text;
}

/// How far predictors of co-runs are off on pairs that they have not seen.
std::string judgement_line(const GroupJudgement& judgement) {
  std::string text;
  for (const GroupErrors& one : judgement.errors) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", one.method, percent_text(one.mean_error));
  }
  return fmt::format("predictor mean error of the time of unseen pairs: {}; noise floor {}\n", text,
                     percent_text(judgement.noise_floor));
}

Json judgement_json(const GroupJudgement& judgement) {
  Json json = {{"noise_floor", judgement.noise_floor}, {"methods", Json::array()}};
  for (const GroupErrors& one : judgement.errors) {
    json["methods"].push_back({{"method", one.method},
                               {"pairs", one.groups},
                               {"mean_error", one.mean_error},
                               {"median_error", one.median_error},
                               {"worst_error", one.worst_error},
                               {"slowed_pairs", one.slowed_groups},
                               {"slowed_error", one.slowed_error}});
  }
  return json;
}

Json mean_json(const SeedMean& mean) {
  if (mean.has_interval) {
    return {{"mean", mean.value}, {"low", mean.interval.low}, {"high", mean.interval.high}};
  }
  return {{"mean", mean.value},
          {"low", nullptr},
          {"high", nullptr},
          {"interval_reason", "there are fewer than two seeds"}};
}

Json policy_json(const PolicyResult& one) {
  Json json = {{"policy", one.policy}, {"variant", one.variant}, {"is_baseline", one.is_baseline}};
  const std::vector<std::pair<const char*, double ServingFigures::*>> figures = {
      {"violations", &ServingFigures::violations},
      {"worst_model_violations", &ServingFigures::worst_violations},
      {"dropped", &ServingFigures::dropped},
      {"goodput_per_s", &ServingFigures::goodput_per_s},
      {"work_in_time", &ServingFigures::work_in_time},
      {"median_ms", &ServingFigures::median_ms},
      {"p95_ms", &ServingFigures::p95_ms},
      {"p99_ms", &ServingFigures::p99_ms},
      {"utilisation", &ServingFigures::utilisation}};
  for (const auto& [name, figure] : figures) {
    json[name] = mean_json(one.mean(figure));
    for (const ServingFigures& seed : one.by_seed) json[name]["by_seed"].push_back(seed.*figure);
  }
  return json;
}

Json load_json(const LoadResult& load) {
  Json json = {{"load", load.load}, {"policies", Json::array()}};
  for (const PolicyResult& one : load.results) json["policies"].push_back(policy_json(one));
  json["winner"] = load.results[load.winner].name();
  if (load.control) {
    json["control"] = {{"name", load.control->name},
                       {"violations_difference", mean_json(load.control->violations)}};
  }
  if (!load.comparison) {
    json["comparison"] = nullptr;
    json["comparison_reason"] = "only one policy was simulated";
    return json;
  }
  const PairedComparison& pair = *load.comparison;
  json["comparison"] = {{"first", load.results[pair.first].name()},
                        {"second", load.results[pair.second].name()},
                        {"violations_difference", mean_json(pair.violations)},
                        {"excludes_0", pair.violations.excludes(0)},
                        {"goodput_ratio", mean_json(pair.goodput)}};
  return json;
}

Json measured_json(const ServeResult& result) {
  Json json = {{"in_flight", result.options.serving.most_in_flight},
               {"has_raised_priority", result.has_raised_priority},
               {"loads", Json::array()},
               {"signs", Json::array()}};
  for (const LoadResult& load : result.measured->loads) json["loads"].push_back(load_json(load));
  for (const SignCheck& check : check_signs(result.study, *result.measured)) {
    json["signs"].push_back({{"load", check.load},
                             {"first", check.first},
                             {"second", check.second},
                             {"simulated", mean_json(check.simulated)},
                             {"measured", mean_json(check.measured)},
                             {"verdict", name_of(check.verdict)}});
  }
  return json;
}

Json serve_report_model_json(const ServeResult& result, size_t at) {
  const ServedFacts& facts = result.facts[at];
  Json json = {{"model", facts.name},      {"source", facts.source},
               {"sha256", facts.sha256},   {"times", facts.times},
               {"units", facts.units},     {"solo_ms", result.study.solo_ms[at]},
               {"segments", Json::array()}};
  for (const Segment& segment : result.system.models[at].segments) {
    json["segments"].push_back({{"first_unit", segment.first_unit},
                                {"units", segment.units},
                                {"times_ms", segment.times_ms}});
  }
  return json;
}

void add_rows(const ServingStudy& study, const char* kind, TextTable& table) {
  for (const LoadResult& load : study.loads) {
    for (size_t i = 0; i < load.results.size(); ++i)
      table.rows.push_back(serve_report_row_of(load, i, kind));
  }
}

}  // namespace

TextTable serve_table(const ServeResult& result) {
  TextTable table;
  if (result.measured) table.columns.push_back({.header = "figures"});
  const std::vector<TextColumn> columns = {
      {.header = "load"},
      {.header = "policy"},
      {.header = "variant"},
      {.header = "violations", .is_right_aligned = true},
      {.header = "interval",
       .drop_order = 5,
       .unit = "%",
       .numbers = {"interval low", "interval high"}},
      {.header = "worst model", .is_right_aligned = true, .drop_order = 4},
      {.header = "dropped", .is_right_aligned = true, .drop_order = 7},
      {.header = "goodput", .is_right_aligned = true, .unit = "1/s"},
      {.header = "work in time", .is_right_aligned = true, .drop_order = 3},
      {.header = "median", .is_right_aligned = true, .drop_order = 2, .unit = "ms"},
      {.header = "p95", .is_right_aligned = true, .drop_order = 6, .unit = "ms"},
      {.header = "p99", .is_right_aligned = true, .unit = "ms"},
      {.header = "busy", .is_right_aligned = true, .drop_order = 1},
      {.header = "choice"}};
  table.columns.insert(table.columns.end(), columns.begin(), columns.end());
  add_rows(result.study, result.measured ? "simulated" : nullptr, table);
  if (result.measured) add_rows(*result.measured, "measured", table);
  return table;
}

std::string serve_text(const ServeResult& result, int width, const TextStyle& style) {
  const StudyOptions& options = result.options;
  std::string text = model_lines(result);
  text += fmt::format("workers   {} on CPUs {}, {}; at most {:.1f} queries/s without slow-downs\n",
                      result.system.workers, cpu_list_text(result.cpus), result.target,
                      result.study.capacity_per_s);
  if (!result.noise.empty()) text += fmt::format("machine   {}\n", result.noise);
  text += fmt::format(
      "simulated {} seeds × {} queries, deadline {}, noise {:.0f} %, slow-down beside others {}\n",
      options.seeds, options.queries.count, deadline_text(options.queries.deadline),
      options.queries.noise * 100, result.slow_down);
  if (result.measured) {
    text += fmt::format(
        "measured  the same queries on an engine, at most {} of a model in flight, launch {:.3f} "
        "ms{}\n",
        options.serving.most_in_flight, options.serving.launch_ms,
        result.has_raised_priority ? "" : "; this user may raise no priority");
  }
  if (result.judgement) text += judgement_line(*result.judgement);
  text += "\n" + aligned_text(serve_table(result), width, style) + "\n";
  for (const LoadResult& load : result.study.loads) text += comparison_line(load, "");
  text += measured_lines(result);
  for (const std::string& warning : result.warnings) text += "warning: " + warning + "\n";
  return text;
}

Json serve_json(const ServeResult& result) {
  const StudyOptions& options = result.options;
  Json json = {{"schema", kServeSchema},
               {"is_simulated", true},
               {"models", Json::array()},
               {"target", result.target},
               {"cpus", result.cpus},
               {"workers", result.system.workers},
               {"teams", result.system.teams},
               {"queries", options.queries.count},
               {"seeds", options.seeds},
               {"first_seed", options.queries.seed},
               {"deadline", deadline_text(options.queries.deadline)},
               {"noise", options.queries.noise},
               {"slow_down", result.slow_down},
               {"launch_ms", options.serving.launch_ms},
               {"capacity_per_s", result.study.capacity_per_s},
               {"loads", Json::array()}};
  for (size_t i = 0; i < result.facts.size(); ++i)
    json["models"].push_back(serve_report_model_json(result, i));
  for (const LoadResult& load : result.study.loads) json["loads"].push_back(load_json(load));
  json["predictor"] = result.judgement ? judgement_json(*result.judgement) : Json();
  if (!result.judgement) json["predictor_reason"] = "slow-downs are declared";
  json["measured"] = result.measured ? measured_json(result) : Json();
  if (!result.measured) json["measured_reason"] = "not asked for: --real";
  if (!result.noise.empty()) json["machine_noise"] = result.noise;
  json["warnings"] = result.warnings;
  return json;
}

}  // namespace opbench
