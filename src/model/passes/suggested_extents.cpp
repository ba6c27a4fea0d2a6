#include "model/passes/suggested_extents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "base/errors/suggestion.h"
#include "base/text/shell_word.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

constexpr int64_t kChannels = 3;
constexpr int64_t kFeatures = 64;

/// Extents that are tried one after the other: models for images want a height and width that they
/// can halve a few times, others a certain length.
struct Sizes {
  int64_t image;
  int64_t tokens;
  int64_t samples;
};
constexpr std::array kSizes = {Sizes{640, 128, 512}, Sizes{224, 512, 16000}, Sizes{256, 64, 1024},
                               Sizes{64, 16, 64},    Sizes{48, 1, 1},        Sizes{32, 32, 32}};

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool is_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

bool is_float(const Value& input) {
  return input.data_type == DataType::kFloat32 || input.data_type == DataType::kFloat16;
}

/// A plain sequence of numbers is sound; one of whole numbers or of vectors is text.
int64_t length_of(const Value& input, const Sizes& sizes) {
  return is_float(input) && input.dimensions.size() < 3 ? sizes.samples : sizes.tokens;
}

/// What the dimension's name says of its extent; 0: nothing.
int64_t extent_by_name(const Value& input, size_t axis, const Sizes& sizes) {
  std::string name = input.dimensions[axis].symbol;
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (contains_any(name, {"batch", "past"}) || is_any(name, {"n", "b", "bs"})) return 1;
  if (contains_any(name, {"sample", "audio"})) return sizes.samples;
  if (contains_any(name, {"height", "width"}) || is_any(name, {"h", "w"})) return sizes.image;
  if (contains_any(name, {"channel"}) || name == "c") return kChannels;
  const bool is_length = contains_any(name, {"seq", "token", "length", "time", "frame"}) ||
                         is_any(name, {"t", "l", "s", "len"});
  return is_length ? length_of(input, sizes) : 0;
}

/// What the rank says.
int64_t extent_by_rank(const Value& input, size_t axis, const Sizes& sizes) {
  const size_t rank = input.dimensions.size();
  if (axis == 0) return 1;
  if (rank >= 4) {
    const Dimension& last = input.dimensions.back();
    const bool has_channels_last = !last.is_free() && last.value <= 4;
    return axis == 1 && !has_channels_last ? kChannels : sizes.image;
  }
  if (rank == 3) return axis == 1 ? sizes.tokens : kFeatures;
  return length_of(input, sizes);
}

/// What an operator that reads the input says by the shape of its weights; 0: nothing.
int64_t extent_by_reader(const Graph& graph, const Value& input, size_t axis) {
  for (const Node& node : graph.nodes) {
    const auto at = std::ranges::find(node.inputs, input.name);
    if (at == node.inputs.end()) continue;
    const auto position = at - node.inputs.begin();
    const auto weight =
        node.inputs.size() < 2 ? graph.constants.end() : graph.constants.find(node.inputs[1]);
    const bool is_recurrent = node.type == "LSTM" || node.type == "GRU" || node.type == "RNN";
    if (is_recurrent && position > 4 && axis == 1) return 1;
    if (position != 0 || weight == graph.constants.end()) continue;
    const Shape& shape = weight->second.type.shape;
    const bool is_last = axis + 1 == input.dimensions.size();
    if (node.type == "Conv" && axis == 1 && shape.size() > 1) {
      return shape[1] * int_attribute(node, "group", 1);
    }
    if (is_recurrent && axis == 1) return 1;
    if (is_recurrent && axis == 2 && shape.size() == 3) return shape[2];
    if (node.type == "MatMul" && is_last && shape.size() > 1) return shape[shape.size() - 2];
    if (node.type == "Gemm" && is_last && shape.size() == 2) {
      return shape[int_attribute(node, "transB", 0) != 0 ? 1 : 0];
    }
  }
  return 0;
}

/// The rank of an input that the model states none of: as its first reader takes it.
size_t rank_by_reader(const Graph& graph, const Value& input) {
  for (const Node& node : graph.nodes) {
    if (std::ranges::find(node.inputs, input.name) == node.inputs.end()) continue;
    if (node.type == "LSTM" || node.type == "GRU" || node.type == "RNN") return 3;
    const auto weight =
        node.inputs.size() < 2 ? graph.constants.end() : graph.constants.find(node.inputs[1]);
    const bool is_product = node.type == "Conv" || node.type == "MatMul" || node.type == "Gemm";
    if (is_product && weight != graph.constants.end()) return weight->second.type.shape.size();
  }
  return 1;
}

int64_t extent_of(const Graph& graph, const Value& input, size_t axis, const Sizes& sizes) {
  if (const int64_t extent = extent_by_reader(graph, input, axis); extent > 0) return extent;
  if (const int64_t extent = extent_by_name(input, axis, sizes); extent > 0) return extent;
  return extent_by_rank(input, axis, sizes);
}

/// Binds what is free, dimensions of one name alike.
void bind_all(Graph& graph, const Sizes& sizes) {
  std::map<std::string, int64_t> symbols;
  for (Value& input : graph.inputs) {
    if (!input.has_shape) input.dimensions.resize(rank_by_reader(graph, input));
    input.has_shape = true;
    const Value declared = input;
    for (size_t i = 0; i < input.dimensions.size(); ++i) {
      Dimension& dimension = input.dimensions[i];
      if (!dimension.is_free()) continue;
      dimension.value = extent_of(graph, declared, i, sizes);
      if (dimension.symbol.empty()) continue;
      dimension.value = symbols.emplace(dimension.symbol, dimension.value).first->second;
    }
  }
}

/// The inputs bound with the first sizes that fit; with the first ones where none do.
std::vector<Value> bound_inputs(Model& model) {
  const std::vector<Value> declared = model.graph.inputs;
  std::vector<Value> first;
  for (const Sizes& sizes : kSizes) {
    model.graph.inputs = declared;
    bind_all(model.graph, sizes);
    std::vector<Value> bound = model.graph.inputs;
    const bool fits = infer_known_types(model).has_value();
    model.graph.inputs = declared;
    if (fits) return bound;
    if (first.empty()) first = std::move(bound);
  }
  return first;
}

/// True if --dim can name it.
bool has_name(const Dimension& dimension) { return !dimension.symbol.empty(); }

bool needs_shape(const Value& declared) {
  return !declared.has_shape || std::ranges::any_of(declared.dimensions, [](const Dimension& d) {
    return d.is_free() && !has_name(d);
  });
}

}  // namespace

std::string suggested_options(Model& model) {
  const std::vector<Value>& declared = model.graph.inputs;
  const std::vector<Value> bound = bound_inputs(model);
  std::vector<std::string> options;
  std::set<std::string> known;
  for (size_t i = 0; i < bound.size(); ++i) {
    if (!needs_shape(declared[i])) continue;
    Shape shape;
    for (const Dimension& dimension : bound[i].dimensions) {
      shape.push_back(dimension.value);
      known.insert(dimension.symbol);
    }
    options.push_back("--shape " +
                      shell_word(fmt::format("{}={}", bound[i].name, shape_text(shape))));
  }
  for (size_t i = 0; i < bound.size(); ++i) {
    for (size_t d = 0; d < bound[i].dimensions.size(); ++d) {
      const Dimension& dimension = bound[i].dimensions[d];
      const bool was_free = declared[i].has_shape && declared[i].dimensions[d].is_free();
      if (!was_free || needs_shape(declared[i]) || !known.insert(dimension.symbol).second) continue;
      options.push_back("--dim " +
                        shell_word(fmt::format("{}={}", dimension.symbol, dimension.value)));
    }
  }
  return join(options, " ");
}

}  // namespace opbench
