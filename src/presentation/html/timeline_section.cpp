#include <fmt/format.h>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "measuring/results/call_steps.h"
#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/report/tables/unit_rows.h"
#include "presentation/report/text/markup_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

/// A stretch of time that is drawn as one block.
struct TimelineBlock {
  std::string name, remark;
  double ms = 0;
  int tone = 0;
};

/// A tone an operator, by its first letters' sum: equal operators look alike.
int tone_of(const std::string& name) {
  constexpr int kTones = 6;
  int sum = 0;
  for (const char c : name.substr(0, name.find('+'))) sum += static_cast<unsigned char>(c);
  return sum % kTones;
}

std::vector<TimelineBlock> blocks_of(const CallSteps& call, const ModelResult& model) {
  std::vector<TimelineBlock> blocks;
  for (const CallStep& step : call.steps) {
    if (step.ms <= 0) continue;
    const std::string& name = step.unit->identity.operator_text;
    blocks.push_back({name, join(step.occurrence->nodes), step.ms, tone_of(name)});
  }
  if (model.dispatch_ms && *model.dispatch_ms > 0) {
    blocks.push_back({"dispatch", "between units", *model.dispatch_ms, -1});
  }
  return blocks;
}

std::string block_html(const TimelineBlock& block, double ms, double at_ms) {
  return fmt::format(
      "<span class=\"t{}\" style=\"flex-grow:{:.4f}\" title=\"{} {} ms at {} ms, {}\">{}</span>",
      block.tone < 0 ? "x" : std::to_string(block.tone), ms, escaped(block.name), ms_text(block.ms),
      ms_text(at_ms), escaped(block.remark), escaped(block.name));
}

/// The blocks in lines of equal time; a block that reaches over the end of a line goes on in the
/// next.
std::string lines_html(const std::vector<TimelineBlock>& blocks, double line_ms, double total_ms) {
  constexpr double kTiny = 1e-9;
  std::string html;
  double at = 0, used = 0;
  const auto open = [&] {
    html += fmt::format("<li><span class=\"at\">{} ms</span><span class=\"line\">", ms_text(at));
  };
  const auto close = [&] {
    if (used < line_ms * (1 - kTiny)) {
      html +=
          fmt::format("<span class=\"rest\" style=\"flex-grow:{:.4f}\"></span>", line_ms - used);
    }
    html += "</span></li>\n";
    used = 0;
  };
  open();
  for (const TimelineBlock& block : blocks) {
    double left = block.ms;
    while (left > total_ms * kTiny) {
      if (line_ms - used <= total_ms * kTiny) {
        close();
        open();
      }
      const double part = std::min(left, line_ms - used);
      html += block_html(block, part, at);
      left -= part;
      used += part;
      at += part;
    }
  }
  close();
  return html;
}

std::string timeline_html(const EngineResult& run, const CallSteps& call, double line_ms,
                          const std::string& title) {
  const std::vector<TimelineBlock> blocks = blocks_of(call, run.model);
  double total = 0;
  for (const TimelineBlock& block : blocks) total += block.ms;
  return fmt::format("<h4>{}: {} ms in {} steps</h4>\n<ol class=\"timeline\">\n{}</ol>\n",
                     escaped(title), ms_text(total), call.steps.size(),
                     lines_html(blocks, line_ms, total));
}

double total_ms(const EngineResult& run, const CallSteps& call) {
  double total = run.model.dispatch_ms.value_or(0);
  for (const CallStep& step : call.steps) total += step.ms;
  return total;
}

}  // namespace

std::string timeline_section(const Page& page, const PagePair& pair) {
  const std::string id = "timeline-" + pair.model.id;
  const CallSteps call = steps_of(*pair.run, page.result->graph);
  const double whole = total_ms(*pair.run, call);
  if (call.steps.empty() || whole <= 0) {
    return section_html(id, "Timeline of one call", "nothing to draw",
                        paragraph_html("The engine gives no times of the units in its model."));
  }
  std::optional<CallSteps> base;
  double longest = whole;
  if (pair.base != nullptr) {
    base = steps_of(*pair.base, page.base != nullptr ? page.base->graph : page.result->graph);
    longest = std::max(longest, total_ms(*pair.base, *base));
  }
  constexpr size_t kStepsOfLine = 9, kMostLines = 16;
  const size_t lines = std::clamp<size_t>(call.steps.size() / kStepsOfLine, 1, kMostLines);
  const double line_ms = longest / static_cast<double>(lines);
  std::string body = timeline_html(*pair.run, call, line_ms, run_name(*pair.run));
  if (base && !base->steps.empty()) {
    const std::string side = page.base != nullptr ? "base, " : "";
    body += timeline_html(*pair.base, *base, line_ms, side + run_name(*pair.base));
  }
  std::string note = "A block is a step, as wide as its mean time in the running model";
  note += lines > 1 ? fmt::format("; a line is {} ms. ", ms_text(line_ms)) : ". ";
  if (!call.has_order) note += "The report does not tell the order: steps stand as in the table. ";
  body += paragraph_html(note + "Point at a block to read its nodes.", "dim");
  return section_html(id, "Timeline of one call", "units in order", body);
}

}  // namespace opbench
