#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"
#include "measuring/results/call_steps.h"
#include "presentation/html/graph_layout.h"
#include "presentation/html/page_parts.h"
#include "presentation/html/page_sections.h"
#include "presentation/report/text/markup_text.h"
#include "presentation/report/text/number_text.h"

namespace opbench {
namespace {

constexpr double kBoxWidth = 190, kBoxHeight = 40, kBoxGap = 14, kLayerStep = 62, kGraphEdge = 6;
constexpr size_t kMostBoxes = 200;
constexpr size_t kMostLetters = 25;

/// What is drawn as one box: a step, or steps that follow each other.
struct GraphBox {
  std::string name, nodes;
  double ms = 0;
  size_t steps = 0;
  std::optional<double> base_ms;
};

struct DrawnGraph {
  std::vector<GraphBox> boxes;
  LayeredGraph graph;
};

using TimesByNodes = std::map<std::vector<std::string>, double>;

/// Times of the base's steps by the nodes that they compute.
TimesByNodes base_times(const Page& page, const PagePair& pair) {
  TimesByNodes times;
  if (pair.base == nullptr) return times;
  const ProfileResult& result = page.base != nullptr ? *page.base : *page.result;
  for (const CallStep& step : steps_of(*pair.base, result.graph).steps) {
    const std::vector<std::string>& nodes = step.occurrence->nodes;
    if (!nodes.empty() && step.ms > 0) times[nodes] = step.ms;
  }
  return times;
}

DrawnGraph drawn(const std::vector<GraphBox>& steps, const LayeredGraph& graph) {
  const std::vector<size_t> group = grouped(graph, kMostBoxes);
  DrawnGraph result;
  std::map<size_t, size_t> box_of;
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto [place, is_new] = box_of.emplace(group[i], result.boxes.size());
    if (is_new) {
      result.boxes.push_back(steps[i]);
      continue;
    }
    GraphBox& box = result.boxes[place->second];
    box.ms += steps[i].ms;
    ++box.steps;
    const bool has_base = box.base_ms && steps[i].base_ms;
    box.base_ms = has_base ? std::optional(*box.base_ms + *steps[i].base_ms) : std::nullopt;
    box.nodes += "; " + steps[i].name + " " + steps[i].nodes;
  }
  std::set<std::pair<size_t, size_t>> edges;
  for (const auto& [from, to] : graph.edges) {
    const size_t a = box_of.at(group[from]), b = box_of.at(group[to]);
    if (a != b) edges.emplace(a, b);
  }
  result.graph = {.size = result.boxes.size(), .edges = {edges.begin(), edges.end()}};
  return result;
}

std::string box_change(const GraphBox& box) {
  if (!box.base_ms || *box.base_ms <= 0) return "";
  const double ratio = box.ms / *box.base_ms;
  constexpr double kShown = 0.0005;
  if (std::fabs(ratio - 1) < kShown) return " = base";
  return fmt::format(" {} {}", ratio > 1 ? "▲" : "▼", change_text(ratio));
}

std::string box_svg(const GraphBox& box, const BoxPlace& place, double sum, double longest) {
  constexpr double kTones = 4.999;
  const double x = place.x - kBoxWidth / 2 + kGraphEdge;
  const double y = static_cast<double>(place.layer) * kLayerStep + kGraphEdge;
  const double part = longest > 0 ? box.ms / longest : 0;
  const std::string name = box.steps > 1
                               ? fmt::format("{} … {} steps", shorten(box.name, 13), box.steps)
                               : shorten(box.name, kMostLetters);
  std::string svg = fmt::format(
      "<g><title>{}: {} ms, {} of the time{}; {}</title>"
      "<rect class=\"box h{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.0f}\" "
      "rx=\"3\"/>",
      escaped(box.name), ms_text(box.ms), percent_text(sum > 0 ? box.ms / sum : 0),
      escaped(box_change(box)), escaped(box.nodes), static_cast<int>(part * kTones), x, y,
      kBoxWidth, kBoxHeight);
  svg += fmt::format("<text class=\"bx\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x + 7, y + 15,
                     escaped(name));
  svg += fmt::format("<text class=\"bx\" x=\"{:.1f}\" y=\"{:.1f}\">{} ms{}</text>", x + 7, y + 30,
                     ms_text(box.ms), escaped(box_change(box)));
  svg += fmt::format(
      "<rect class=\"fill\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"3\"/></g>\n", x,
      y + kBoxHeight - 3, kBoxWidth * part);
  return svg;
}

std::string way_svg(const EdgeWay& way, size_t first_layer) {
  std::string path;
  double x0 = 0, y0 = 0;
  for (size_t i = 0; i < way.x.size(); ++i) {
    const double x = way.x[i] + kGraphEdge;
    const double top = static_cast<double>(first_layer + i) * kLayerStep + kGraphEdge;
    if (i == 0) {
      path = fmt::format("M{:.1f} {:.1f}", x, top + kBoxHeight);
    } else {
      path += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x0, y0 + 12, x, top - 12, x,
                          top);
      if (i + 1 < way.x.size()) path += fmt::format("V{:.1f}", top + kBoxHeight);
    }
    x0 = x;
    y0 = top + kBoxHeight;
  }
  return fmt::format("<path class=\"way\" d=\"{}\"/>\n", path);
}

std::string graph_svg(const DrawnGraph& drawn_graph, const std::string& description) {
  const GraphLayout layout = lay_out(drawn_graph.graph, kBoxWidth, kBoxGap);
  double sum = 0, longest = 0;
  for (const GraphBox& box : drawn_graph.boxes) {
    sum += box.ms;
    longest = std::max(longest, box.ms);
  }
  const double width = layout.width + 2 * kGraphEdge;
  const double height =
      static_cast<double>(layout.layers - 1) * kLayerStep + kBoxHeight + 2 * kGraphEdge;
  std::string svg = fmt::format(
      "<div class=\"graph\" tabindex=\"0\"><svg width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
      "{0:.0f} {1:.0f}\" role=\"img\" aria-label=\"{2}\">\n",
      width, height, escaped(description));
  for (const EdgeWay& way : layout.ways) svg += way_svg(way, layout.boxes[way.from].layer);
  for (size_t i = 0; i < drawn_graph.boxes.size(); ++i) {
    svg += box_svg(drawn_graph.boxes[i], layout.boxes[i], sum, longest);
  }
  return svg + "</svg></div>\n";
}

}  // namespace

std::string graph_section(const Page& page, const PagePair& pair) {
  const std::string id = "graph-" + pair.model.id;
  const std::string title = "Graph by time";
  const CallSteps call = steps_of(*pair.run, page.result->graph);
  if (call.steps.empty() || !call.has_needs) {
    return section_html(id, title, "nothing to draw",
                        paragraph_html("The report does not hold the model's graph, or the engine "
                                       "names no nodes. Measure again with this OpBench to have "
                                       "it."));
  }
  const TimesByNodes base = base_times(page, pair);
  std::vector<GraphBox> boxes;
  std::map<size_t, size_t> place_of;
  double left_out_ms = 0;
  size_t left_out = 0;
  LayeredGraph graph;
  for (size_t i = 0; i < call.steps.size(); ++i) {
    const CallStep& step = call.steps[i];
    if (step.occurrence->nodes.empty()) {
      ++left_out;
      left_out_ms += step.ms;
      continue;
    }
    place_of[i] = boxes.size();
    const std::vector<std::string>& nodes = step.occurrence->nodes;
    GraphBox box{
        .name = step.unit->identity.operator_text, .nodes = join(nodes), .ms = step.ms, .steps = 1};
    if (const auto time = base.find(nodes); time != base.end()) box.base_ms = time->second;
    for (const size_t need : step.needs) {
      if (place_of.contains(need)) graph.edges.emplace_back(place_of[need], boxes.size());
    }
    boxes.push_back(std::move(box));
  }
  graph.size = boxes.size();
  if (boxes.empty()) return "";
  const DrawnGraph drawn_graph = drawn(boxes, graph);
  std::string note =
      "A box is a step of the call. The bar at its foot, and its tone, show its time "
      "beside that of the longest box.";
  if (drawn_graph.boxes.size() < boxes.size()) {
    note += fmt::format(" {} steps are drawn as {} boxes: a row of steps without branches is one.",
                        boxes.size(), drawn_graph.boxes.size());
  }
  if (left_out > 0) {
    note += fmt::format(" Not drawn: {} changes of layout, {} ms together.", left_out,
                        ms_text(left_out_ms));
  }
  if (!base.empty()) note += " ▲ and ▼ show the change against the base, without an interval.";
  return section_html(id, title, fmt::format("{} steps", boxes.size()),
                      paragraph_html(note, "dim") +
                          graph_svg(drawn_graph, "The units of the model and what they need"));
}

}  // namespace opbench
