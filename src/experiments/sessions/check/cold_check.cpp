#include "experiments/sessions/check/cold_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/system/seconds.h"

namespace opbench {
namespace {

// Of the bandwidth measured beside the run, which is the best of many tries.
constexpr double kAboveMemory = 1.05;

bool reads_some(const Node& node) {
  static const std::set<std::string> kTypes = {"Gather", "Resize", "Shape",   "Size",
                                               "Slice",  "Split",  "Upsample"};
  return kTypes.contains(node.type);
}

bool renames(const Node& node) {
  static const std::set<std::string> kTypes = {"Dropout", "Flatten", "Reshape", "Squeeze",
                                               "Unsqueeze"};
  return kTypes.contains(node.type);
}

std::vector<int64_t> integers(const Node& node, const char* name) {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end()) return {};
  const auto* values = std::get_if<std::vector<int64_t>>(&found->second);
  return values == nullptr ? std::vector<int64_t>() : *values;
}

// Whether a window moves on by more than its own extent.
bool jumps(const Node& node, const Graph& graph) {
  const std::vector<int64_t> strides = integers(node, "strides");
  std::vector<int64_t> kernel = integers(node, "kernel_shape");
  if (kernel.empty() && node.type == "Conv" && node.inputs.size() > 1) {
    const Shape& weights = graph.types.at(node.inputs[1]).shape;
    kernel.assign(weights.begin() + 2, weights.end());
  }
  for (size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] > (i < kernel.size() ? kernel[i] : 1)) return true;
  }
  return false;
}

// Whether some node reads the value whole.
bool is_read_whole(const Graph& graph, const std::string& value) {
  return std::ranges::any_of(graph.nodes, [&](const Node& node) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] != value || renames(node)) continue;
      const bool is_first_of_some = i == 0 && (reads_some(node) || jumps(node, graph));
      if (!is_first_of_some) return true;
    }
    return false;
  });
}

}  // namespace

double bytes_to_fetch(const Workload& workload, CacheMode cache) {
  const Graph& graph = workload.graph;
  double sum = 0;
  for (const Value& input : graph.inputs) {
    const bool counts = cache == CacheMode::kColdAll || workload.is_weight(input.name);
    if (counts && is_read_whole(graph, input.name)) {
      sum += static_cast<double>(graph.types.at(input.name).bytes());
    }
  }
  const bool is_written = !graph.nodes.empty() && !renames(graph.nodes.back());
  if (cache == CacheMode::kColdAll && is_written) {
    for (const Value& output : graph.outputs) {
      sum += static_cast<double>(graph.types.at(output.name).bytes());
    }
  }
  return cache == CacheMode::kHot ? 0 : sum;
}

void check_cold(UnitResult& unit, const Workload* workload, const EngineResult& engine,
                CacheMode cache) {
  unit.is_cold.reset();
  const double bytes = workload == nullptr ? 0 : bytes_to_fetch(*workload, cache);
  const double memory = engine.memory_gbytes_per_s.value_or(0);
  if (cache == CacheMode::kHot) {
    unit.no_cold_reason = "the caches are hot";
  } else if (!unit.time || unit.time->median_ms <= 0) {
    unit.no_cold_reason = "not measured in isolation";
  } else if (memory <= 0) {
    unit.no_cold_reason = "the memory's bandwidth is not known";
  } else if (bytes <= 0) {
    unit.no_cold_reason = cache == CacheMode::kColdWeights ? "it has no weights that it reads whole"
                                                           : "how much it must fetch is not known";
  } else {
    const double gbytes_per_s = bytes / ms_to_s(unit.time->median_ms) * 1e-9;
    unit.is_cold = gbytes_per_s <= kAboveMemory * memory;
    unit.no_cold_reason.clear();
  }
}

std::string cold_warning(const EngineResult& engine, CacheMode cache) {
  const auto warm = std::ranges::count(engine.units, std::optional(false), &UnitResult::is_cold);
  if (warm == 0) return "";
  return fmt::format(
      "{} of {} {} not cold: what --cache {} is to put out of the caches came faster than memory "
      "delivers it ({:.1f} GB/s), so some of it was still there; such a time lies between cold and "
      "hot",
      warm == 1 ? "1 row" : fmt::format("{} rows", warm), engine.engine, warm == 1 ? "is" : "are",
      name_of(cache), engine.memory_gbytes_per_s.value_or(0));
}

}  // namespace opbench
