#include "presentation/web/model/recorded_graph.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>

#include "base/json/json_text.h"
#include "base/text/shell_word.h"
#include "presentation/html/graph_layout.h"
#include "presentation/web/model/model_records.h"

namespace opbench {
namespace {

constexpr double kBox = 148, kGap = 14;  // pixels: a box and what lies between two
constexpr size_t kMostDrawn = 300;
constexpr size_t kMostSteps = 20'000;

constexpr const char* kSteps =
    "SELECT engine, arg_max(steps, taken) FILTER (WHERE steps IS NOT NULL) AS steps, count(*) "
    "FILTER "
    "(WHERE scope = 'model') AS models FROM (SELECT r.engine || '@' || coalesce(r.num_cpu_threads, "
    "1) AS engine, r.scope, r.\"timestamp\" AS taken, CASE WHEN r.scope = 'model' THEN "
    "json_extract(r.record, '$.workload_metadata.steps') END AS steps FROM {} r WHERE "
    "coalesce(map_extract(r.labels, 'watch_subject')[1], r.model, '') = {}) GROUP BY 1 ORDER BY 1";

std::vector<std::string> texts_of(const Json& list) {
  std::vector<std::string> texts;
  if (!list.is_array()) return texts;
  for (const Json& text : list) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

RecordedStep step_of(const Json& json, size_t place) {
  RecordedStep step;
  if (!json.is_object()) return step;
  const Json workload = json.value("workload", Json());
  if (workload.is_string()) step.unit = unit_text(workload.get<std::string>());
  step.nodes = texts_of(json.value("nodes", Json()));
  const Json ms = json.value("in_place_ms", Json());
  if (ms.is_number() && ms.get<double>() > 0) step.ms = ms.get<double>();
  const Json needs = json.value("needs", Json());
  if (!needs.is_array()) return step;
  for (const Json& need : needs) {
    if (need.is_number_unsigned() && need.get<size_t>() < place) {
      step.needs.push_back(need.get<size_t>());
    }
  }
  return step;
}

RecordedSteps steps_of_text(const std::string& engine, const Json& text) {
  RecordedSteps run{.engine = engine};
  const Json list = text.is_string() ? Json::parse(text.get<std::string>(), nullptr, false) : text;
  if (!list.is_array()) return run;
  for (const Json& step : list) {
    if (run.steps.size() == kMostSteps) break;
    run.has_needs = run.has_needs || (step.is_object() && step.contains("needs"));
    run.steps.push_back(step_of(step, run.steps.size()));
  }
  return run;
}

/// The steps as a graph; without needs each follows the one before, so that their order is seen.
LayeredGraph layered(const RecordedSteps& run) {
  LayeredGraph graph{.size = run.steps.size()};
  for (size_t i = 0; i < run.steps.size(); ++i) {
    for (const size_t need : run.steps[i].needs) graph.edges.emplace_back(need, i);
    if (!run.has_needs && i > 0) graph.edges.emplace_back(i - 1, i);
  }
  return graph;
}

Json number_or_null(double value) { return value > 0 ? Json(value) : Json(); }

Json box_of(const RecordedStep& step, size_t id) {
  return {{"id", id},
          {"name", fmt::format("{}", fmt::join(step.nodes, ", "))},
          {"operator", step.unit.substr(0, step.unit.find(' '))},
          {"unit", step.unit.empty() ? Json() : Json(step.unit)},
          {"steps", 1},
          {"in_place_ms", step.ms}};
}

/// Joins a step to the box of its group: a box of several steps has no unit.
void join_box(const RecordedStep& step, Json& box) {
  box["steps"] = box["steps"].get<int64_t>() + 1;
  box["unit"] = nullptr;
  box["in_place_ms"] = box["in_place_ms"].get<double>() + step.ms;
}

Json edges_of(const GraphLayout& layout, bool has_needs) {
  Json edges = Json::array();
  if (!has_needs) return edges;
  for (const EdgeWay& way : layout.ways) {
    edges.push_back({{"from", way.from}, {"to", way.to}, {"x", way.x}});
  }
  return edges;
}

}  // namespace

Result<std::vector<RecordedSteps>> recorded_steps(WebStore& store, int64_t entry,
                                                  const std::string& model) {
  OPBENCH_TRY(const std::string from, store.records_of_entry(entry));
  OPBENCH_TRY(const QueryResult found,
              store.query(fmt::format(fmt::runtime(kSteps), from, sql_text(model))));
  std::vector<RecordedSteps> runs;
  for (const std::vector<Json>& row : found.rows) {
    runs.push_back(steps_of_text(row[0].get<std::string>(), row[1]));
    runs.back().has_model = row[2].get<int64_t>() > 0;
  }
  return runs;
}

Json drawn_graph(const RecordedSteps& run) {
  const LayeredGraph whole = layered(run);
  const std::vector<size_t> group = grouped(whole, kMostDrawn);
  Json nodes = Json::array();
  std::map<size_t, size_t> box;  // by group
  double sum = 0;
  for (size_t i = 0; i < run.steps.size(); ++i) {
    const auto [place, is_new] = box.emplace(group[i], nodes.size());
    if (is_new) {
      nodes.push_back(box_of(run.steps[i], nodes.size()));
    } else {
      join_box(run.steps[i], nodes[place->second]);
    }
    sum += run.steps[i].ms;
  }
  std::set<std::pair<size_t, size_t>> edges;
  for (const auto& [from, to] : whole.edges) {
    const size_t a = box.at(group[from]), b = box.at(group[to]);
    if (a != b) edges.emplace(a, b);
  }
  const GraphLayout layout =
      lay_out({.size = nodes.size(), .edges = {edges.begin(), edges.end()}}, kBox, kGap);
  constexpr double kPercent = 100;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double ms = nodes[i]["in_place_ms"].get<double>();
    nodes[i]["in_place_ms"] = number_or_null(ms);
    nodes[i]["share_pct"] = sum > 0 ? number_or_null(kPercent * ms / sum) : Json();
    nodes[i]["layer"] = layout.boxes[i].layer;
    nodes[i]["x"] = layout.boxes[i].x;
  }
  return {{"nodes", std::move(nodes)},
          {"edges", edges_of(layout, run.has_needs)},
          {"steps", run.steps.size()},
          {"layers", layout.layers},
          {"width", layout.width}};
}

Json why_no_edges(const RecordedSteps* run, bool has_no_model, const std::string& model) {
  if (run != nullptr && run->has_needs) return nullptr;
  if (has_no_model) {
    return "This run measured units alone and not the whole model: it has no graph.";
  }
  const std::string again = fmt::format("opbench profile {}", shell_word(model));
  if (run == nullptr || run->steps.empty()) {
    return fmt::format(
        "The records of this run name no steps of the model: another program or an older OpBench "
        "wrote them, or the engine does not tell its units. A new run has them: {}",
        again);
  }
  return fmt::format(
      "The records name the steps in their order, but not which needs which: {} tells both.",
      again);
}

}  // namespace opbench
