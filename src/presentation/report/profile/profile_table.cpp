#include "presentation/report/profile/profile_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "measuring/results/rival_rows.h"
#include "presentation/report/profile/rival_table.h"
#include "presentation/report/tables/error_table.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/tables/unit_rows.h"
#include "presentation/report/text/fact_lines.h"
#include "presentation/report/text/machine_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

std::string pairs_text(const std::map<std::string, std::string>& pairs) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : pairs) parts.push_back(printable(name + "=" + value));
  return join(parts);
}

Facts profile_table_head_facts(const ProfileResult& result) {
  Facts facts;
  if (!result.unchecked.empty()) {
    facts.emplace_back("check", "not made: " + printable(result.unchecked));
  }
  std::string model = printable(result.workload.empty() ? result.model : result.workload);
  if (result.scope == "model") {
    model += fmt::format(" ({}), batch {}", printable(result.source), result.batch_size);
  }
  facts.emplace_back(result.scope == "model" ? "model" : "workload", model);
  std::string how = fmt::format("{} cache, seed {}", result.cache, result.seed);
  if (!result.target.empty()) how = result.target + ", " + how;
  facts.emplace_back("target", how);
  for (const std::string& line : machine_lines(result.environment)) {
    facts.emplace_back("machine", line);
  }
  if (!result.noise.empty()) facts.emplace_back("noise", printable(result.noise));
  if (!result.labels.empty()) facts.emplace_back("labels", pairs_text(result.labels));
  std::vector<std::string> metrics;
  for (const auto& [name, value] : result.metrics) {
    metrics.push_back(printable(name) + "=" + exact_text(value));
  }
  if (!metrics.empty()) facts.emplace_back("metrics", join(metrics));
  for (const std::string& warning : result.warnings) {
    facts.emplace_back("warning", printable(warning));
  }
  return facts;
}

/// `pthread-skylake, Portable Computing Language, driver 3.1`
std::string device_text(const EngineResult& engine) {
  std::vector<std::string> parts;
  for (const char* name : {"description", "platform"}) {
    if (const auto fact = engine.device.find(name); fact != engine.device.end()) {
      parts.push_back(fact->second);
    }
  }
  if (const auto driver = engine.device.find("driver"); driver != engine.device.end()) {
    parts.push_back("driver " + driver->second);
  }
  return join(parts);
}

Facts engine_facts(const EngineResult& engine) {
  Facts facts;
  facts.emplace_back("engine", printable(engine_text(engine)));
  if (const std::string device = device_text(engine); !device.empty()) {
    facts.emplace_back("device", printable(device));
  }
  std::vector<std::string> parts;
  if (engine.peak_gflops) {
    parts.push_back(fmt::format("peak {} GFLOP/s", rate_text(*engine.peak_gflops)));
  }
  if (engine.memory_gbytes_per_s) {
    parts.push_back(fmt::format("memory {} GB/s", rate_text(*engine.memory_gbytes_per_s)));
  }
  if (engine.call_floor_ms > 0) {
    parts.push_back(fmt::format("call overhead {}", floor_text(engine.call_floor_ms)));
  }
  if (!parts.empty()) facts.emplace_back("measured", join(parts));
  const auto tuned = std::ranges::count_if(
      engine.units, [](const UnitResult& unit) { return !unit.identity.origin.empty(); });
  if (tuned > 0) {
    facts.emplace_back("tuned", fmt::format("kernels of {} of {} rows come from a tuning log",
                                            tuned, engine.units.size()));
  }
  return facts;
}

/// What an engine's result is ranked by, and in which cache mode that was taken.
struct Headline {
  const Measurement* time = nullptr;
  std::string of = "-";
  std::string cache;
};

Headline headline_of(const EngineResult& engine, const ProfileResult& result) {
  const bool is_model = result.scope == "model";
  const bool is_one = engine.units.size() == 1 && engine.units[0].time;
  const ModelResult& model = engine.model;
  if (is_model && model.end_to_end) return {&*model.end_to_end, "end to end", "hot"};
  if (is_one && (is_model || engine.units[0].count == 1)) {
    return {&*engine.units[0].time, "the isolated unit", result.cache};
  }
  if (model.alone) return {&*model.alone, "all units", result.cache};
  if (model.end_to_end) return {&*model.end_to_end, "end to end", "hot"};
  return {};
}

std::string check_word(const EngineResult& engine) {
  const CheckResult& check = engine.check;
  if (check.passed && check.engine == engine.engine) return "the reference";
  if (!check.max_relative_error) return "-";
  return check.passed ? "passed" : "FAILED";
}

TextTable summary_table(const ProfileResult& result) {
  TextTable table;
  table.columns = {{.header = "engine"},
                   {.header = "threads", .is_right_aligned = true},
                   {.header = "time", .is_right_aligned = true, .unit = "ms"},
                   {.header = "±", .is_right_aligned = true},
                   {.header = "of"},
                   {.header = "to the first", .is_right_aligned = true},
                   {.header = "check"}};
  const Headline first = headline_of(result.engines.front(), result);
  for (const EngineResult& engine : result.engines) {
    const Headline one = headline_of(engine, result);
    const bool has_ratio = one.time != nullptr && first.time != nullptr &&
                           first.time->median_ms > 0 && one.cache == first.cache;
    const bool says_cache = one.time != nullptr && result.cache != "hot";
    table.rows.push_back(
        {{printable(engine.engine + " " + engine.version), std::to_string(engine.threads),
          one.time != nullptr ? ms_text(one.time->median_ms) : "-",
          one.time != nullptr ? precision_text(*one.time) : "",
          says_cache ? one.of + ", " + one.cache : one.of,
          has_ratio ? fmt::format("{:.2f} ×", one.time->median_ms / first.time->median_ms) : "-",
          check_word(engine)}});
  }
  return table;
}

constexpr const char* kRivalNote =
    "(a row is the smallest part of the model that consists of whole units in every engine; "
    "--format csv, json and md list each engine's own units)\n";

/// The engines at one thread count, side by side where their units match.
struct RivalGroup {
  std::vector<const EngineResult*> engines;
  std::optional<Rivals> rivals;
};

std::vector<RivalGroup> rival_groups(const ProfileResult& result) {
  std::vector<RivalGroup> groups;
  for (const EngineResult& engine : result.engines) {
    const bool is_next = groups.empty() || groups.back().engines[0]->threads != engine.threads;
    if (is_next) groups.emplace_back();
    groups.back().engines.push_back(&engine);
  }
  for (RivalGroup& group : groups) {
    const bool has_rivals = result.scope == "model" && group.engines.size() > 1;
    if (has_rivals) group.rivals = rivals_of(group.engines);
  }
  return groups;
}

}  // namespace

namespace {

std::string errors_text(const EngineResult& engine, int width, const TextStyle& style) {
  if (!engine.no_errors_reason.empty()) {
    return "errors: not computed: " + engine.no_errors_reason + "\n";
  }
  if (engine.errors.empty()) return "";
  return "\n" + aligned_text(error_table(engine.errors), width, style) + "\n" +
         first_beyond_line(engine.errors);
}

std::string errors_markdown(const EngineResult& engine) {
  if (engine.errors.empty()) return "";
  return "\n" + markdown_text(error_table(engine.errors)) + "\n- " +
         first_beyond_line(engine.errors);
}

}  // namespace

std::string profile_table(const ProfileResult& result, int width, const TextStyle& style) {
  std::string text = facts_text(profile_table_head_facts(result), style);
  const UnitTableOptions options{result.cache, result.percentiles};
  for (const RivalGroup& group : rival_groups(result)) {
    for (const EngineResult* engine : group.engines) {
      text += "\n" + facts_text(engine_facts(*engine), style);
      if (group.rivals) continue;
      text += "\n";
      if (!engine->units.empty()) {
        text += aligned_text(unit_table(*engine, options), width, style) + "\n";
      }
      text += closing_text(*engine, result.scope, result.percentiles);
      text += errors_text(*engine, width, style);
    }
    if (!group.rivals) continue;
    const TextTable table = rival_table(group.engines, *group.rivals, result.cache);
    text += "\n" + aligned_text(table, width, style) + kRivalNote;
    for (const EngineResult* engine : group.engines) {
      text += "\n" + printable(engine->engine) + "\n" +
              closing_text(*engine, result.scope, result.percentiles) +
              errors_text(*engine, width, style);
    }
  }
  if (result.engines.size() > 1) {
    text += "\n" + aligned_text(summary_table(result), width, style);
  }
  return text;
}

std::string profile_markdown(const ProfileResult& result) {
  std::string text =
      "## " + printable(result.model) + "\n\n" + facts_markdown(profile_table_head_facts(result));
  for (const RivalGroup& group : rival_groups(result)) {
    if (!group.rivals) continue;
    text += fmt::format("\n### Side by side, {} thread{}\n\n", group.engines[0]->threads,
                        group.engines[0]->threads == 1 ? "" : "s");
    text += markdown_text(rival_table(group.engines, *group.rivals, result.cache));
  }
  for (const EngineResult& engine : result.engines) {
    text += "\n### " + printable(engine_text(engine)) + "\n\n";
    TextTable table = unit_table(engine, {result.cache, result.percentiles});
    table.columns.push_back({.header = "reproducer"});
    for (size_t i = 0; i < table.rows.size(); ++i) {
      const std::string& command = engine.units[i].reproducer;
      table.rows[i].cells.push_back(command.empty() ? "" : "`" + printable(command) + "`");
    }
    if (!engine.units.empty()) text += markdown_text(table) + "\n";
    std::istringstream closing(closing_text(engine, result.scope, result.percentiles));
    for (std::string line; std::getline(closing, line);) text += "- " + line + "\n";
    text += errors_markdown(engine);
  }
  if (result.engines.size() > 1) text += "\n" + markdown_text(summary_table(result));
  return text;
}

}  // namespace opbench
