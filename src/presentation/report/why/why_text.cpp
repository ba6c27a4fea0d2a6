#include "presentation/report/why/why_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "base/text/printable.h"
#include "measuring/results/measurement_json.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr size_t kShownInstructions = 6;

std::string head_of(const UnitWhy& unit) {
  std::string text = unit.identity.operator_text + "  " + short_shapes(unit.identity);
  if (unit.count > 1) text += fmt::format("  ×{}", unit.count);
  return printable(text);
}

// What one part takes more on the second side than on the first, the largest first.
std::string parts_difference(const Explanation& first, const Explanation& second) {
  std::vector<std::pair<std::string, double>> parts;
  const auto add = [&](const TimePart& part, double sign) {
    const auto known = std::ranges::find(parts, part.name, &std::pair<std::string, double>::first);
    if (known == parts.end()) {
      parts.emplace_back(part.name, sign * part.ms);
    } else {
      known->second += sign * part.ms;
    }
  };
  for (const TimePart& part : first.split.parts) add(part, -1);
  for (const TimePart& part : second.split.parts) add(part, 1);
  std::ranges::stable_sort(
      parts, [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  std::vector<std::string> words;
  constexpr size_t kShown = 3;
  for (const auto& [name, ms] : parts) {
    if (words.size() < kShown) {
      words.push_back(fmt::format("{} {}{} ms", name, ms < 0 ? "-" : "+", ms_text(std::abs(ms))));
    }
  }
  return join(words);
}

std::string loop_text(const HotLoop& hot) {
  const char* what = hot.is_loop ? "hot loop" : "code without a loop";
  std::string text = fmt::format(
      "    {}: {} instructions, {} for computing ({} fused, {} on one element), vectors of {} "
      "bits, {} loads and {} stores on the stack\n",
      what, hot.instructions, hot.arithmetic, hot.multiply_adds, hot.scalar, hot.vector_bits,
      hot.stack_loads, hot.stack_stores);
  for (size_t i = 0; i < std::min(kShownInstructions, hot.text.size()); ++i) {
    text += "      " + printable(hot.text[i]) + "\n";
  }
  if (hot.text.size() > kShownInstructions) {
    text += fmt::format("      … {} more\n", hot.text.size() - kShownInstructions);
  }
  return text;
}

std::string side_lines(const Explanation& side) {
  std::string text = fmt::format("  {}: {} ms = {}\n", printable(side.side),
                                 ms_text(side.split.time_ms), time_parts_text(side.split));
  if (side.split.scale < 1) {
    text += fmt::format("    (the modelled parts were {:.2f} times the time, and are scaled)\n",
                        1 / side.split.scale);
  }
  if (side.split.is_fewer_products) {
    text += "    (faster than the FLOPs of the definition allow: it computes fewer products)\n";
  }
  for (const Cause& cause : side.causes) text += "    cause: " + cause_text(cause) + "\n";
  if (side.causes.empty()) text += "    cause: unknown\n";
  if (!side.implementation.empty()) {
    text += "    computed by: " + printable(side.implementation) + "\n";
  }
  for (const auto& [name, count] : side.counts) {
    text += fmt::format("    counted (measured): {} {} a call\n", scaled_text(count), name);
  }
  if (side.hot) {
    text += loop_text(*side.hot);
  } else if (!side.no_code.empty()) {
    text += "    no instructions: " + side.no_code + "\n";
  }
  return text;
}

Json hot_json(const HotLoop& hot) {
  return {{"function", hot.function},
          {"is_loop", hot.is_loop},
          {"instructions", hot.instructions},
          {"arithmetic", hot.arithmetic},
          {"multiply_adds", hot.multiply_adds},
          {"on_one_element", hot.scalar},
          {"vector_bits", hot.vector_bits},
          {"memory", hot.memory},
          {"stack_loads", hot.stack_loads},
          {"stack_stores", hot.stack_stores},
          {"text", hot.text}};
}

Json explanation_json(const Explanation& side) {
  Json json;
  json["side"] = side.side;
  json["time_ms"] = side.split.time_ms;
  json["scale"] = side.split.scale;
  json["fewer_products"] = side.split.is_fewer_products;
  json["parts"] = Json::array();
  for (const TimePart& part : side.split.parts) {
    json["parts"].push_back({{"name", part.name}, {"ms", part.ms}, {"basis", name_of(part.basis)}});
  }
  json["causes"] = Json::array();
  for (const Cause& cause : side.causes) {
    json["causes"].push_back({{"name", cause.name},
                              {"share", cause.share},
                              {"basis", name_of(cause.basis)},
                              {"evidence", cause.evidence}});
  }
  set_text(json, "implementation", side.implementation, "the engine does not name it");
  json["counts"] = side.counts;
  json["hot_loop"] = side.hot ? hot_json(*side.hot) : Json();
  if (!side.hot) json["hot_loop_reason"] = side.no_code;
  return json;
}

}  // namespace

std::string time_parts_text(const TimeSplit& split) {
  std::vector<std::string> parts;
  for (const TimePart& part : split.parts) {
    const double share = split.time_ms > 0 ? part.ms / split.time_ms : 0;
    if (share < 0.005) continue;
    const char* basis = part.basis == Basis::kMeasured ? " (measured)" : "";
    parts.push_back(fmt::format("{} {:.0f} %{}", part.name, 100 * share, basis));
  }
  return join(parts);
}

std::string cause_text(const Cause& cause) {
  return fmt::format("{}: {:.0f} % ({}): {}", cause.name, 100 * cause.share, name_of(cause.basis),
                     cause.evidence);
}

std::string why_text(const WhyReport& report, size_t most, const TextStyle& style) {
  std::string text = "\n" + style.bold("why") +
                     ": times are measured; their parts are modelled from measured ceilings where "
                     "they do not say `measured`\n";
  if (!report.no_counters.empty()) text += "  no counters: " + report.no_counters + "\n";
  for (const std::string& remark : report.remarks) text += "  " + remark + "\n";
  if (report.units.empty()) text += "  no unit has a time that can be split\n";
  const size_t shown = most == 0 ? report.units.size() : std::min(most, report.units.size());
  for (size_t i = 0; i < shown; ++i) {
    const UnitWhy& unit = report.units[i];
    text += "\n" + style.bold(head_of(unit)) + "\n";
    for (const Explanation& side : unit.sides) text += side_lines(side);
    if (unit.sides.size() == 2) {
      text += fmt::format("  {} against {}: {}\n", printable(unit.sides[1].side),
                          printable(unit.sides[0].side),
                          parts_difference(unit.sides[0], unit.sides[1]));
    }
  }
  if (shown < report.units.size()) {
    text += fmt::format("\n{} more units, which differ less: --format json has all\n",
                        report.units.size() - shown);
  }
  return text;
}

std::string why_markdown(const WhyReport& report, size_t most) {
  return "\n```" + why_text(report, most, {}) + "```\n";
}

Json why_json(const WhyReport& report) {
  Json json;
  if (!report.no_counters.empty()) json["counters_reason"] = report.no_counters;
  json["remarks"] = report.remarks;
  json["units"] = Json::array();
  for (const UnitWhy& unit : report.units) {
    Json one;
    one["operator"] = unit.identity.operator_text;
    one["shapes"] = short_shapes(unit.identity);
    set_text(one, "workload", workload_text(unit.identity), "not one operator of ours");
    one["nodes"] = unit.identity.nodes;
    one["count"] = unit.count;
    one["sides"] = Json::array();
    for (const Explanation& side : unit.sides) one["sides"].push_back(explanation_json(side));
    json["units"].push_back(std::move(one));
  }
  return json;
}

}  // namespace opbench
