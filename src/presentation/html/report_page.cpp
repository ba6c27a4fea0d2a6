#include "presentation/html/report_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/report/tables/unit_rows.h"
#include "presentation/report/text/markup_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

/// The answer in one line.
std::string lead_html(const Page& page) {
  if (page.pairs.empty()) return "";
  const PagePair& first = page.pairs.front();
  std::string text = run_name(*first.run) + ": ";
  text += first.model.time ? fmt::format("{} ms a call {}", ms_text(first.model.time->ms),
                                         spread_text(first.model.time))
                           : std::string("no end-to-end time");
  std::string html = "<p class=\"lead\">" + escaped(text);
  if (page.base != nullptr && first.model.base_time && first.model.ratio) {
    html += escaped(fmt::format(", base {} ms: {} ", ms_text(first.model.base_time->ms),
                                ratio_text(*first.model.ratio)));
    html += verdict_html(first.model.verdict);
  }
  return html + "</p>\n";
}

std::string header_of(const Page& page) {
  const ProfileResult& result = *page.result;
  std::string html = "<header>\n<h1>" + escaped(result.model) + "</h1>\n" + lead_html(page);
  std::string facts = fmt::format("{} · {} · batch {} · {} cache · run {}", result.timestamp,
                                  result.target, result.batch_size, result.cache, result.run_id);
  if (page.base != nullptr) {
    facts += fmt::format(" · base: run {} of {}", page.base->run_id, page.base->timestamp);
  }
  return html + paragraph_html(facts, "dim") + "<div id=\"tools\"></div>\n</header>\n";
}

std::string run_links(const PagePair& pair, bool is_only) {
  const std::string name = is_only ? "" : " " + run_name(*pair.run);
  std::string html;
  const auto link = [&](const char* id, const char* title) {
    html += fmt::format("<a href=\"#{}-{}\">{}{}</a>\n", id, pair.model.id, title, escaped(name));
  };
  link("units", "Units");
  if (!is_only) return html;
  link("roofline", "Roofline");
  link("timeline", "Timeline");
  link("graph", "Graph");
  link("samples", "Samples");
  if (pair.base != nullptr) link("speedups", "Performance profile");
  return html;
}

std::string links_html(const Page& page) {
  std::string html =
      "<nav aria-label=\"sections\">\n<a href=\"#findings\">Findings</a>\n<a "
      "href=\"#summary\">Summary</a>\n";
  for (const PagePair& pair : page.pairs) html += run_links(pair, page.pairs.size() == 1);
  return html +
         "<a href=\"#environment\">Environment</a>\n<a href=\"#repeat\">Repeat</a>\n</nav>\n";
}

std::string run_html(const Page& page, const PagePair& pair) {
  std::string title = run_name(*pair.run);
  if (pair.base != nullptr) {
    title += page.base != nullptr ? " against the base's " : " against ";
    title += run_name(*pair.base);
  }
  return "<h2>" + escaped(title) + "</h2>\n" + units_section(pair) + roofline_section(pair) +
         timeline_section(page, pair) + graph_section(page, pair) + samples_section(pair) +
         ratio_section(pair);
}

bool has_any_time(const ProfileResult& result) {
  return std::ranges::any_of(result.engines, [](const EngineResult& run) {
    return run.model.end_to_end || std::ranges::any_of(run.units, [](const UnitResult& unit) {
             return unit.time || unit.in_place_ms;
           });
  });
}

}  // namespace

std::string report_page(const ProfileResult& result, const ProfileResult* base,
                        const PageOptions& options) {
  const Page page{.result = &result,
                  .base = base,
                  .options = options,
                  .pairs = page_pairs(result, base, options.margin_percent)};
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n<meta name=\"generator\" "
      "content=\"OpBench\">"
      "\n";
  html += "<title>" + escaped(result.model) + ", OpBench report</title>\n";
  html += "<link rel=\"icon\" href=\"data:,\">\n<style>" + page_style() + "</style>\n</head>\n";
  html += "<body>\n" + header_of(page) + links_html(page) + "<main>\n";
  html += findings_section(page) + summary_section(page);
  for (const PagePair& pair : page.pairs) html += run_html(page, pair);
  html += environment_section(page) + repeat_section(page);
  return html + "</main>\n<script>" + page_script() + "</script>\n</body>\n</html>\n";
}

Result<void> check_base(const ProfileResult& result, const ProfileResult& base,
                        const PageOptions& options) {
  if (!result.run_id.empty() && result.run_id == base.run_id) {
    return invalid_input("both reports are of one run, \"" + result.run_id + "\"")
        .with("FILE", options.file)
        .with("BASE", options.base_file)
        .with("to compare", "profile the model again, or give an older report");
  }
  const bool has_hashes = !result.sha256.empty() && !base.sha256.empty();
  const bool is_same = has_hashes ? result.sha256 == base.sha256 : result.model == base.model;
  if (is_same && result.scope == base.scope) return {};
  const auto name = [](const std::string& file, const ProfileResult& one) {
    std::string text = fmt::format("\"{}\" in {}", one.model, file);
    if (!one.sha256.empty()) text += ", SHA-256 " + one.sha256.substr(0, 12) + "…";
    return text;
  };
  return invalid_input("the base is of another model")
      .with("report", name(options.file, result))
      .with("base", name(options.base_file, base));
}

Result<void> check_measured(const ProfileResult& result, const std::string& file) {
  if (has_any_time(result)) return {};
  Error error = invalid_input("\"" + file + "\" has no time to report: no row was measured");
  if (result.engines.empty()) {
    return std::move(error).with("reason", "it names no engine run");
  }
  for (const EngineResult& run : result.engines) {
    std::string reason = run.model.end_to_end_reason;
    if (run.model.failure) reason = to_text(*run.model.failure);
    for (const UnitResult& unit : run.units) {
      if (reason.empty() && unit.failure) reason = to_text(*unit.failure);
    }
    error = std::move(error).with(run_name(run), reason.empty() ? "no reason given" : reason);
  }
  return error;
}

}  // namespace opbench
