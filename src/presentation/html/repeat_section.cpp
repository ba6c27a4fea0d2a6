#include <fmt/format.h>

#include "base/text/shell_word.h"
#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/report/tables/unit_rows.h"
#include "presentation/report/text/markup_text.h"

namespace opbench {
namespace {

std::string command_line(const std::vector<std::string>& argv) {
  std::string line;
  for (size_t i = 0; i < argv.size(); ++i) {
    // Where the program lay does not matter to who repeats it.
    const bool is_program = i == 0 && argv[i].ends_with("opbench");
    line += (i == 0 ? "" : " ") + (is_program ? std::string("opbench") : shell_word(argv[i]));
  }
  return line;
}

std::string repeat_row(const std::string& name, const std::string& shapes,
                       const std::string& command) {
  const std::string how =
      command.empty() ? "<span class=\"dim\">the engine runs it inside its model only</span>"
                      : command_html(command);
  return fmt::format("<tr><th scope=\"row\">{}<small>{}</small></th><td>{}</td></tr>\n",
                     escaped(name), escaped(shapes), how);
}

std::string commands_of(const PagePair& pair) {
  std::string html;
  size_t number = 0;
  for (const auto* rows : {&pair.rows, &pair.only_here}) {
    for (const PageRow& row : *rows) {
      ++number;
      for (const UnitResult* unit : row.units) {
        html += repeat_row(fmt::format("{} {}", number, unit->identity.operator_text),
                           short_shapes(unit->identity), unit->reproducer);
      }
    }
  }
  return html;
}

}  // namespace

std::string repeat_section(const Page& page) {
  std::string body = "<table class=\"facts repeat\"><tbody>\n";
  if (!page.result->argv.empty()) {
    body += repeat_row("the whole run", "", command_line(page.result->argv));
  }
  if (page.base != nullptr && !page.base->argv.empty()) {
    body += repeat_row("the base", "", command_line(page.base->argv));
  }
  body += "</tbody></table>\n";
  for (const PagePair& pair : page.pairs) {
    const std::string rows = commands_of(pair);
    if (rows.empty()) continue;
    body += "<h4>" + escaped(run_name(*pair.run)) +
            "</h4>\n<table class=\"facts repeat\"><tbody>\n" + rows + "</tbody></table>\n";
  }
  return section_html("repeat", "How to repeat each row", "a click selects a command", body);
}

}  // namespace opbench
