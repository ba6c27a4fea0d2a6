#include "model/passes/bind_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/errors/suggestion.h"
#include "model/passes/suggested_extents.h"

namespace opbench {
namespace {

/// An extent and who gave it.
struct Bound {
  int64_t extent = 0;
  std::string source;
};

Error contradiction(const std::string& what, const Bound& first, const Bound& second) {
  return invalid_input(
             fmt::format("{} is given as {} and as {}", what, first.extent, second.extent))
      .with(std::to_string(first.extent), "by " + first.source)
      .with(std::to_string(second.extent), "by " + second.source);
}

/// Remembers who gave which extent, so that contradictions name both.
class Binder {
 public:
  explicit Binder(Graph& graph) : graph_(graph) {}

  Result<void> bind_shape(const GivenShape& given) {
    const auto input = std::ranges::find(graph_.inputs, given.input, &Value::name);
    if (input == graph_.inputs.end()) return unknown_name("input", given.input, input_names());
    if (!input->has_shape) {
      input->dimensions.assign(given.shape.size(), Dimension{});
      input->has_shape = true;
    }
    if (input->dimensions.size() != given.shape.size()) {
      return invalid_input(fmt::format("shape {} has {} dimensions, input \"{}\" has {}: {}",
                                       shape_text(given.shape), given.shape.size(), given.input,
                                       input->dimensions.size(), declared_text(*input)))
          .with("given by", given.source);
    }
    for (size_t i = 0; i < given.shape.size(); ++i) {
      OPBENCH_CHECK(bind_axis(*input, i, {given.shape[i], given.source}));
    }
    return {};
  }

  Result<void> bind_name(const std::string& name, int64_t extent) {
    const std::vector<std::string> names = dimension_names();
    if (names.empty()) {
      return invalid_input(fmt::format("no dimension is called \"{}\"", name))
          .with("reason", "the model's inputs have no free dimensions with names");
    }
    if (std::ranges::find(names, name) == names.end()) {
      return unknown_name("dimension", name, names);
    }
    return bind_symbol(name, {extent, "--dim " + name});
  }

  Result<void> bind_batch(int64_t batch_size) {
    for (Value& input : graph_.inputs) {
      if (input.dimensions.empty()) continue;
      OPBENCH_CHECK(bind_axis(input, 0, {batch_size, "--batch-size"}));
    }
    return {};
  }

  Result<void> bind_single(const std::string& name) {
    bind_symbols();
    const auto input = std::ranges::find(graph_.inputs, name, &Value::name);
    if (input == graph_.inputs.end()) return unknown_name("input", name, input_names());
    input->has_shape = true;  // without a rank: a scalar
    for (size_t i = 0; i < input->dimensions.size(); ++i) {
      if (!input->dimensions[i].is_free()) continue;
      OPBENCH_CHECK(bind_axis(*input, i, {1, "--input " + name}));
    }
    return {};
  }

  /// A name that nothing has bound yet.
  void bind_otherwise(const Dimension& dimension) {
    symbols_.try_emplace(dimension.symbol, Bound{dimension.value, "the built-in model"});
  }

  /// Gives the free dimensions that have a bound name its extent.
  void bind_symbols() {
    for (Value& input : graph_.inputs) {
      for (Dimension& dimension : input.dimensions) {
        const auto it = symbols_.find(dimension.symbol);
        if (dimension.is_free() && it != symbols_.end()) dimension.value = it->second.extent;
      }
    }
  }

 private:
  Result<void> bind_axis(Value& input, size_t axis, Bound bound) {
    Dimension& dimension = input.dimensions[axis];
    const std::string what = fmt::format("dimension {} of input \"{}\"", axis, input.name);
    if (bound.extent < 1) {
      return invalid_input(
                 fmt::format("extent {} of input \"{}\" is below 1", bound.extent, input.name))
          .with("given by", bound.source);
    }
    const std::pair place(input.name, axis);
    const auto before = axes_.find(place);
    if (before != axes_.end() && before->second.extent != bound.extent) {
      return contradiction(what, before->second, bound);
    }
    if (!dimension.is_free() && dimension.value != bound.extent) {
      return invalid_input(
                 fmt::format("{} is {} in the model, not {}", what, dimension.value, bound.extent))
          .with("given by", bound.source);
    }
    if (dimension.is_free()) axes_.emplace(place, bound);
    if (dimension.is_free() && !dimension.symbol.empty()) {
      OPBENCH_CHECK(bind_symbol(dimension.symbol, bound));
    }
    dimension.value = bound.extent;
    return {};
  }

  Result<void> bind_symbol(const std::string& name, const Bound& bound) {
    if (bound.extent < 0) {
      return invalid_input(
                 fmt::format("extent {} of dimension \"{}\" is below 0", bound.extent, name))
          .with("given by", bound.source);
    }
    const auto [it, is_new] = symbols_.emplace(name, bound);
    if (is_new || it->second.extent == bound.extent) return {};
    return contradiction(fmt::format("dimension \"{}\"", name), it->second, bound);
  }

  std::vector<std::string> input_names() const {
    std::vector<std::string> names;
    for (const Value& input : graph_.inputs) names.push_back(input.name);
    return names;
  }

  std::vector<std::string> dimension_names() const {
    std::vector<std::string> names;
    for (const Value& input : graph_.inputs) {
      for (const Dimension& dimension : input.dimensions) {
        const bool is_new = std::ranges::find(names, dimension.symbol) == names.end();
        if (!dimension.symbol.empty() && is_new) names.push_back(dimension.symbol);
      }
    }
    return names;
  }

  Graph& graph_;
  std::map<std::string, Bound> symbols_;
  std::map<std::pair<std::string, size_t>, Bound> axes_;
};

bool is_free(const Value& input) {
  return !input.has_shape || std::ranges::any_of(input.dimensions, &Dimension::is_free);
}

/// `dimension 0 of "x", dimension 1 of "h"`, by the dimension's name; one without a name alone.
std::vector<std::pair<std::string, std::string>> free_places(const std::vector<Value>& inputs) {
  std::vector<std::pair<std::string, std::string>> places;
  for (const Value& input : inputs) {
    for (size_t i = 0; i < input.dimensions.size(); ++i) {
      const Dimension& dimension = input.dimensions[i];
      if (!dimension.is_free()) continue;
      const std::string place = fmt::format("dimension {} of \"{}\"", i, input.name);
      const auto known = std::ranges::find_if(places, [&](const auto& known_place) {
        return !dimension.symbol.empty() && known_place.first == dimension.symbol;
      });
      if (known == places.end()) {
        places.emplace_back(dimension.symbol, place);
      } else {
        known->second += ", " + place;
      }
    }
  }
  return places;
}

/// Sequences, maps and optionals cannot be given, nor can elements of a type that is not known.
Result<void> require_tensors(const Graph& graph) {
  for (const Value& input : graph.inputs) {
    if (input.data_type != DataType::kUndefined) continue;
    return invalid_input(fmt::format("input \"{}\" is no tensor of a known type", input.name))
        .with("reason", "sequences, maps and optional values cannot be given");
  }
  return {};
}

Result<void> require_bound(Model& model) {
  std::vector<std::string> names;
  std::vector<Fact> facts;
  for (const Value& input : model.graph.inputs) {
    if (!is_free(input)) continue;
    names.push_back("\"" + input.name + "\"");
    facts.push_back({"input", fmt::format("\"{}\": {} {}", input.name, name_of(input.data_type),
                                          declared_text(input))});
  }
  if (names.empty()) return {};
  for (const auto& [name, places] : free_places(model.graph.inputs)) {
    const std::string text =
        name.empty() ? places + ", without a name" : fmt::format("\"{}\": {}", name, places);
    facts.push_back({"free", text});
  }
  facts.push_back({"give", suggested_options(model)});
  return Error{
      ErrorCode::kInvalidInput,
      fmt::format("free dimensions in input{} {}", names.size() == 1 ? "" : "s", join(names)),
      std::move(facts)};
}

}  // namespace

Result<void> bind_shapes(Model& model, const ExtentChoices& choices) {
  OPBENCH_CHECK(require_tensors(model.graph));
  Binder binder(model.graph);
  for (const GivenShape& given : choices.shapes) OPBENCH_CHECK(binder.bind_shape(given));
  for (const auto& [name, extent] : choices.dimensions) {
    OPBENCH_CHECK(binder.bind_name(name, extent));
  }
  if (choices.batch_size > 0) OPBENCH_CHECK(binder.bind_batch(choices.batch_size));
  for (const std::string& name : choices.single_elements) OPBENCH_CHECK(binder.bind_single(name));
  for (const Dimension& dimension : choices.otherwise) binder.bind_otherwise(dimension);
  binder.bind_symbols();
  return require_bound(model);
}

std::string declared_text(const Value& input) {
  if (!input.has_shape) return "of any rank";
  std::vector<std::string> parts;
  for (const Dimension& dimension : input.dimensions) {
    const std::string name = dimension.symbol.empty() ? "?" : dimension.symbol;
    parts.push_back(dimension.is_free() ? name : std::to_string(dimension.value));
  }
  return "[" + join(parts) + "]";
}

}  // namespace opbench
