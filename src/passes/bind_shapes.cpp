#include <fmt/format.h>

#include <algorithm>

#include "opbench/base/suggestion.h"
#include "opbench/passes/passes.h"

namespace opbench {
namespace {

Error refuse(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

/// `batchx3x224x224`, `?` for an extent without a name.
std::string declared_text(const Value& input) {
  std::string text;
  for (const Dimension& d : input.dimensions) {
    if (!text.empty()) text += "x";
    text += d.is_free() ? (d.symbol.empty() ? "?" : d.symbol) : std::to_string(d.value);
  }
  return text.empty() ? "scalar" : text;
}

Result<void> bind_dimension(const Value& input, Dimension& dimension, size_t index, int64_t extent,
                            std::map<std::string, int64_t>& symbols) {
  if (extent < 1) {
    return refuse(fmt::format("extent {} of input \"{}\" is below 1", extent, input.name));
  }
  if (!dimension.is_free() && dimension.value != extent) {
    return refuse(fmt::format("dimension {} of input \"{}\" is {} in the model, not {}", index + 1,
                              input.name, dimension.value, extent));
  }
  if (dimension.is_free() && !dimension.symbol.empty()) {
    const auto [it, is_new] = symbols.emplace(dimension.symbol, extent);
    if (!is_new && it->second != extent) {
      return refuse(fmt::format("dimension \"{}\" is given as {} and as {}", dimension.symbol,
                                it->second, extent));
    }
  }
  dimension.value = extent;
  return {};
}

Result<void> bind_input(Value& input, const Shape& shape, std::map<std::string, int64_t>& symbols) {
  if (!input.has_shape) {
    input.dimensions.assign(shape.size(), Dimension{});
    input.has_shape = true;
  }
  if (input.dimensions.size() != shape.size()) {
    return refuse(fmt::format("shape {} has {} dimensions, input \"{}\" has {}: {}",
                              shape_text(shape), shape.size(), input.name, input.dimensions.size(),
                              declared_text(input)));
  }
  for (size_t i = 0; i < shape.size(); ++i) {
    OPBENCH_CHECK(bind_dimension(input, input.dimensions[i], i, shape[i], symbols));
  }
  return {};
}

/// Every input that is not fully known, with what to write.
Result<void> require_bound(const Graph& graph) {
  std::vector<std::string> free;
  std::vector<Fact> facts;
  for (const Value& input : graph.inputs) {
    bool is_bound = input.has_shape;
    for (const Dimension& d : input.dimensions) is_bound = is_bound && !d.is_free();
    if (is_bound) continue;
    free.push_back("\"" + input.name + "\"");
    facts.push_back({"give", fmt::format("--shape {}={}", input.name,
                                         input.has_shape ? declared_text(input) : "…")});
  }
  if (free.empty()) return {};
  return Error{ErrorCode::kInvalidInput, "free dimensions in input " + join(free), facts};
}

/// `kInvalidInput` with a guess for a name that no input has.
Result<void> check_names(const Graph& graph, const std::map<std::string, Shape>& shapes) {
  std::vector<std::string> names;
  for (const Value& input : graph.inputs) names.push_back(input.name);
  for (const auto& [name, shape] : shapes) {
    if (std::ranges::find(names, name) == names.end()) return unknown_name("input", name, names);
  }
  return {};
}

/// Gives the free dimensions that bear a symbol its extent.
void bind_symbols(Graph& graph, const std::map<std::string, int64_t>& symbols) {
  for (Value& input : graph.inputs) {
    for (Dimension& d : input.dimensions) {
      const auto it = symbols.find(d.symbol);
      if (d.is_free() && it != symbols.end()) d.value = it->second;
    }
  }
}

}  // namespace

Result<void> bind_shapes(Model& model, const std::map<std::string, Shape>& shapes,
                         int64_t batch_size) {
  Graph& graph = model.graph;
  OPBENCH_CHECK(check_names(graph, shapes));
  std::map<std::string, int64_t> symbols;
  for (Value& input : graph.inputs) {
    const auto it = shapes.find(input.name);
    if (it != shapes.end()) OPBENCH_CHECK(bind_input(input, it->second, symbols));
  }
  for (Value& input : graph.inputs) {
    if (batch_size <= 0 || input.dimensions.empty()) continue;
    OPBENCH_CHECK(bind_dimension(input, input.dimensions[0], 0, batch_size, symbols));
  }
  bind_symbols(graph, symbols);
  return require_bound(graph);
}

}  // namespace opbench
