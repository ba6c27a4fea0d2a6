#include <fmt/format.h>

#include "base/text/shell_word.h"
#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/report/text/markup_text.h"

namespace opbench {
namespace {

std::string gain_text(const Finding& finding) {
  return fmt::format("{:.1f} to {:.1f} %", finding.gain_low_pct, finding.gain_high_pct);
}

std::string finding_html(const Finding& finding) {
  std::string html = "<li><div class=\"finding\"><b>" + escaped(finding.finding) + "</b>";
  if (!finding.where.empty()) html += " <span class=\"dim\">" + escaped(finding.where) + "</span>";
  html += fmt::format("<span class=\"gain\">expected gain {}", escaped(gain_text(finding)));
  if (finding.measured_gain_pct) {
    html += fmt::format(", measured {:.1f} %", *finding.measured_gain_pct);
  } else if (finding.not_measured) {
    html += ", no measured gain: " + escaped(*finding.not_measured);
  }
  html += "</span></div>";
  if (!finding.evidence.empty()) html += "<p>" + escaped(finding.evidence) + "</p>";
  if (!finding.command.empty()) html += "<pre>" + command_html(finding.command) + "</pre>";
  return html + "</li>\n";
}

}  // namespace

std::string findings_section(const Page& page) {
  const auto& findings = page.result->findings;
  if (!findings) {
    const std::string model = page.result->source == "zoo" || page.result->source.empty()
                                  ? page.result->model
                                  : page.result->source;
    const std::string command =
        fmt::format("opbench profile {} --findings --format json -o {}", shell_word(model),
                    page.options.file.empty() ? "FILE" : shell_word(page.options.file));
    return section_html("findings", "Findings", "not looked for",
                        paragraph_html("This report was made without findings. This command looks "
                                       "for what to do first, with the gain to expect:") +
                            "<pre>" + command_html(command) + "</pre>\n");
  }
  if (findings->empty()) {
    return section_html("findings", "Findings", "none",
                        paragraph_html("Nothing was found that would make the model faster."));
  }
  std::string body = "<ol class=\"findings\">\n";
  for (const Finding& finding : *findings) body += finding_html(finding);
  return section_html("findings", "Findings",
                      "what to do first; the gain is of the model's time, expected",
                      body + "</ol>\n");
}

}  // namespace opbench
