#include "opbench/report/profile_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <vector>

#include "opbench/base/suggestion.h"
#include "opbench/report/display_width.h"
#include "opbench/report/fact_lines.h"
#include "opbench/report/machine_text.h"
#include "opbench/report/number_text.h"
#include "opbench/report/text_table.h"
#include "opbench/report/unit_rows.h"

namespace opbench {
namespace {

std::string pairs_text(const std::map<std::string, std::string>& pairs) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : pairs) parts.push_back(printable(name + "=" + value));
  return join(parts);
}

Facts head_facts(const ProfileResult& result) {
  Facts facts;
  std::string model = printable(result.workload.empty() ? result.model : result.workload);
  if (result.scope == "model") {
    model += fmt::format(" ({}), batch {}", printable(result.source), result.batch_size);
  }
  facts.emplace_back(result.scope == "model" ? "model" : "workload", model);
  std::string how = fmt::format("{} cache, seed {}", result.cache, result.seed);
  if (!result.target.empty()) how = result.target + ", " + how;
  facts.emplace_back("target", how);
  for (const std::string& line : machine_lines(result.environment_json)) {
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

Facts engine_facts(const EngineResult& engine) {
  Facts facts;
  facts.emplace_back("engine", printable(engine_text(engine)));
  std::vector<std::string> parts;
  if (engine.peak_gflops) {
    parts.push_back(fmt::format("peak {} GFLOP/s", rate_text(*engine.peak_gflops)));
  }
  if (engine.memory_gbytes_per_s) {
    parts.push_back(fmt::format("memory {} GB/s", rate_text(*engine.memory_gbytes_per_s)));
  }
  if (engine.call_floor_ms > 0) {
    parts.push_back(fmt::format("call floor {}", floor_text(engine.call_floor_ms)));
  }
  if (!parts.empty()) facts.emplace_back("measured", join(parts));
  const auto tuned = std::ranges::count_if(
      engine.units, [](const UnitResult& unit) { return !unit.origin.empty(); });
  if (tuned > 0) {
    facts.emplace_back("tuned", fmt::format("kernels of {} of {} rows come from a tuning log",
                                            tuned, engine.units.size()));
  }
  return facts;
}

/// What an engine's result is compared by: the model's time, else the only unit's.
const std::optional<Measurement>& headline_time(const EngineResult& engine) {
  if (engine.model.end_to_end || engine.units.size() != 1) return engine.model.end_to_end;
  return engine.units[0].time;
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
  const std::optional<Measurement>& first = headline_time(result.engines.front());
  for (const EngineResult& engine : result.engines) {
    const std::optional<Measurement>& time = headline_time(engine);
    const bool has_ratio = time && first && first->median_ms > 0;
    table.rows.push_back(
        {{printable(engine.engine + " " + engine.version), std::to_string(engine.threads),
          time ? ms_text(time->median_ms) : "-", precision_text(time),
          !time                     ? "-"
          : engine.model.end_to_end ? "end to end"
                                    : "the unit alone",
          has_ratio ? fmt::format("{:.2f} ×", time->median_ms / first->median_ms) : "-",
          check_word(engine)}});
  }
  return table;
}

std::vector<std::string> csv_row(const EngineResult& engine, const UnitResult& unit) {
  const auto of_time = [&](double Measurement::*field) {
    return unit.time ? exact_text((*unit.time).*field) : std::string();
  };
  return {engine.engine,
          engine.version,
          std::to_string(engine.threads),
          unit.operator_text,
          unit.shapes,
          std::to_string(unit.count),
          of_time(&Measurement::median_ms),
          of_time(&Measurement::low_ms),
          of_time(&Measurement::high_ms),
          exact_text(unit.in_place_ms),
          exact_text(unit.total_ms),
          exact_text(unit.share),
          exact_text(unit.flops),
          exact_text(unit.bytes),
          exact_text(unit.gflops_per_s),
          exact_text(unit.percent_of_peak),
          exact_text(unit.gbytes_per_s),
          unit.bound,
          unit.schedule,
          unit.failure ? to_text(*unit.failure) : "",
          unit.workload,
          join(unit.nodes, " "),
          unit.reproducer,
          unit.is_cold ? (*unit.is_cold ? "true" : "false") : "",
          unit.origin};
}

}  // namespace

std::string profile_table(const ProfileResult& result, int width, const TextStyle& style) {
  std::string text = facts_text(head_facts(result), style);
  for (const EngineResult& engine : result.engines) {
    text += "\n" + facts_text(engine_facts(engine), style) + "\n";
    if (!engine.units.empty()) text += aligned_text(unit_table(engine), width, style) + "\n";
    text += closing_text(engine, result.scope);
  }
  if (result.engines.size() > 1) {
    text += "\n" + aligned_text(summary_table(result), width, style);
  }
  return text;
}

std::string profile_markdown(const ProfileResult& result) {
  std::string text = "## " + printable(result.model) + "\n\n" + facts_markdown(head_facts(result));
  for (const EngineResult& engine : result.engines) {
    text += "\n### " + printable(engine_text(engine)) + "\n\n";
    TextTable table = unit_table(engine);
    table.columns.push_back({.header = "reproducer"});
    for (size_t i = 0; i < table.rows.size(); ++i) {
      const std::string& command = engine.units[i].reproducer;
      table.rows[i].cells.push_back(command.empty() ? "" : "`" + printable(command) + "`");
    }
    if (!engine.units.empty()) text += markdown_text(table) + "\n";
    std::istringstream closing(closing_text(engine, result.scope));
    for (std::string line; std::getline(closing, line);) text += "- " + line + "\n";
  }
  if (result.engines.size() > 1) text += "\n" + markdown_text(summary_table(result));
  return text;
}

std::string profile_csv(const ProfileResult& result) {
  TextTable table;
  for (const char* name :
       {"engine",          "version",      "threads",    "operator", "shapes",
        "count",           "median_ms",    "low_ms",     "high_ms",  "in_place_ms",
        "total_ms",        "share",        "flops",      "bytes",    "gflops_per_s",
        "percent_of_peak", "gbytes_per_s", "bound",      "schedule", "failure",
        "workload",        "nodes",        "reproducer", "cold",     "tuned_from"}) {
    table.columns.push_back({.header = name});
  }
  for (const EngineResult& engine : result.engines) {
    for (const UnitResult& unit : engine.units) table.rows.push_back({csv_row(engine, unit)});
  }
  return csv_text(table);
}

}  // namespace opbench
