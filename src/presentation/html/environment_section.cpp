#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/json_text.h"
#include "machine/facts/environment.h"
#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/report/tables/unit_rows.h"
#include "presentation/report/text/markup_text.h"

namespace opbench {
namespace {

/// Words as they are, everything else as JSON.
std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "-";
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& one : value) text += (text.empty() ? "" : ", ") + value_text(one);
  return text.empty() ? "none" : text;
}

std::string fact_row(const std::string& name, const std::string& value) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(name),
                     escaped(value));
}

/// The fields of a part, each in a row; objects inside by dotted names.
std::string part_rows(const std::string& prefix, const Json& part) {
  std::string html;
  for (const auto& [name, value] : part.items()) {
    if (name.ends_with("_reason")) continue;
    const auto reason = part.find(name + "_reason");
    if (value.is_object()) {
      html += part_rows(prefix + name + ".", value);
    } else if (value.is_null() && reason != part.end()) {
      html += fact_row(prefix + name, "- (" + value_text(*reason) + ")");
    } else {
      html += fact_row(prefix + name, value_text(value));
    }
  }
  return html;
}

std::string differences_html(const Environment& base, const Environment& now) {
  const Json differences = environment_diff(base, now);
  if (differences.empty()) {
    return paragraph_html("The base's environment has the same facts.");
  }
  std::string html =
      "<h4>Differences to the base</h4>\n<table class=\"facts\"><thead><tr><th scope=\"col\">field"
      "</th><th scope=\"col\">base</th><th scope=\"col\">this run</th></tr></thead><tbody>\n";
  for (const Json& one : differences) {
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n",
                        escaped(value_text(one.at("field"))), escaped(value_text(one.at("a"))),
                        escaped(value_text(one.at("b"))));
  }
  return html + "</tbody></table>\n";
}

std::string parts_html(const Environment& environment, const std::string& side) {
  if (environment == Environment()) {
    return paragraph_html(side + "The environment was not captured.");
  }
  std::string html;
  const Json json = to_json(environment);
  for (const auto& [name, part] : json.items()) {
    if (!part.is_object()) continue;
    html += fmt::format(
        "<details class=\"part\"><summary>{}</summary>\n<table class=\"facts\"><tbody>\n{}</tbody>"
        "</table></details>\n",
        escaped(side + name), part_rows("", part));
  }
  return html;
}

std::string run_rows(const ProfileResult& result) {
  std::string html = fact_row("model", result.model) + fact_row("source", result.source) +
                     fact_row("sha256", result.sha256) + fact_row("run", result.run_id) +
                     fact_row("time", result.timestamp) + fact_row("target", result.target) +
                     fact_row("batch size", std::to_string(result.batch_size)) +
                     fact_row("seed", std::to_string(result.seed)) +
                     fact_row("cache", result.cache);
  for (const auto& [name, value] : result.labels) html += fact_row("label " + name, value);
  for (const auto& [name, value] : result.metrics) {
    html += fact_row("metric " + name, fmt::format("{}", value));
  }
  for (const EngineResult& run : result.engines) {
    std::string text = run.version;
    for (const auto& [library, version] : run.versions) text += ", " + library + " " + version;
    html += fact_row(run_name(run), text);
  }
  return "<table class=\"facts\"><tbody>\n" + html + "</tbody></table>\n";
}

}  // namespace

std::string environment_section(const Page& page) {
  std::string body;
  if (page.base != nullptr) {
    body += differences_html(page.base->environment, page.result->environment);
    body += "<h4>This run</h4>\n";
  }
  body += run_rows(*page.result) + parts_html(page.result->environment, "");
  if (page.base != nullptr) {
    body +=
        "<h4>The base</h4>\n" + run_rows(*page.base) + parts_html(page.base->environment, "base: ");
  }
  return section_html("environment", "Environment", "", body);
}

}  // namespace opbench
