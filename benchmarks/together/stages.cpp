// The stages that `dp` finds beside the best of all partitions, on random graphs and on every small
// piece of real models.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benchmarks/together/graphs.h"
#include "benchmarks/together/part.h"
#include "every_partition.h"
#include "planning/graphs/declared_scaling.h"
#include "random_unit_graph.h"

namespace opbench {
namespace {

constexpr size_t kMostUnits = 11;
constexpr size_t kWindow = 10;  // units in a row of a piece that is larger
constexpr int kGraphs = 500;

bool is_as_cheap(const TimedGraph& timed, int workers) {
  const auto found = best_stages(timed, workers, {});
  if (!found) return false;
  const double best = EveryPartition(timed, workers).best();
  return std::abs(found->cost_ms - best) <= 1e-9 * (1 + best);
}

void random_graphs(Report& report) {
  int wrong = 0;
  for (int i = 0; i < kGraphs; ++i) {
    const auto seed = static_cast<uint64_t>(i);
    const GraphDraw draw{.units = 4 + seed % 7,
                         .density = i % 2 == 0 ? 0.25 : 0.4,
                         .workers = i % 3 == 0 ? 4 : 2,
                         .merge_share = i % 5 == 0 ? 0.3 : 0};
    wrong += is_as_cheap(random_unit_graph(draw, 1000 + seed), draw.workers) ? 0 : 1;
  }
  report.add(
      {fmt::format("together stages: of {} random graphs, dearer than the best partition", kGraphs),
       static_cast<double>(wrong), 0});
}

/// The pieces of 2 to kMostUnits units; of larger ones every kWindow units in a row.
std::vector<std::vector<int>> blocks_of(const UnitGraph& graph, size_t& windows) {
  std::vector<std::vector<int>> blocks;
  for (const auto& piece : pieces_of(graph)) {
    if (piece.size() >= 2 && piece.size() <= kMostUnits) blocks.push_back(piece);
    if (piece.size() <= kMostUnits) continue;
    for (size_t at = 0; at + kWindow <= piece.size(); at += kWindow) {
      const auto begin = piece.begin() + static_cast<int64_t>(at);
      blocks.emplace_back(begin, begin + kWindow);
      ++windows;
    }
  }
  return blocks;
}

void check_blocks(const NamedGraph& named, Report& report) {
  int wrong = 0;
  size_t checked = 0;
  size_t windows = 0;
  for (const int workers : {2, 4}) {
    const TimedGraph timed = with_declared_scaling(named.timed, workers, 0.001);
    for (const auto& units : blocks_of(timed.graph, windows)) {
      ++checked;
      wrong += is_as_cheap(subgraph_of(timed, units), workers) ? 0 : 1;
    }
  }
  report.note(
      fmt::format("{}: {} blocks checked for 2 and 4 workers, {} of them {} units in a row "
                  "of larger pieces; times {}",
                  named.name, checked, windows, kWindow, named.times));
  report.add({fmt::format("together stages {}: blocks dearer than the best partition", named.name),
              static_cast<double>(wrong), 0, checked > 0 ? "" : "no blocks"});
}

Result<void> run_together_stages(const Arguments& arguments, Report& report) {
  random_graphs(report);
  OPBENCH_TRY(const std::vector<NamedGraph> models, model_graphs(arguments));
  for (const NamedGraph& model : models) check_blocks(model, report);
  OPBENCH_TRY(const std::vector<NamedGraph> generated, generated_graphs(arguments));
  for (const NamedGraph& graph : generated) check_blocks(graph, report);
  return {};
}

}  // namespace

TogetherPart stages_part() {
  return {.name = "stages",
          .summary = "the stages of dp beside exhaustive search over all partitions",
          .run = run_together_stages};
}

}  // namespace opbench
