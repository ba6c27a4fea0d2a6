#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>

#include "base/numbers/number.h"
#include "base/tensors/half.h"
#include "model/operators/operator.h"
#include "model/operators/workloads/workload_builder.h"

namespace opbench {
namespace {

constexpr std::string_view kOutputs = "outputs=";

/// Above this a shape is taken for a slip.
constexpr double kMostElements = 1e12;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// The words of a step, blanks and line ends between them dropped.
std::vector<std::string> words_of(const std::string& step) {
  std::string blanks = step;
  std::ranges::replace_if(
      blanks, [](char c) { return c == '\t' || c == '\n'; }, ' ');
  std::vector<std::string> words = split(blanks, ' ');
  std::erase(words, "");
  return words;
}

template <class T>
std::optional<T> parse_real(const std::string& text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(value) : std::nullopt;
}

/// The elements of a comma-separated list; a last comma is allowed, and no element at all.
std::vector<std::string> elements_of(const std::string& text) {
  std::vector<std::string> parts = split(text, ',');
  if (parts.back().empty()) parts.pop_back();
  if (parts.size() == 1 && parts[0].empty()) parts.clear();
  return parts;
}

template <class T, class Parse>
Result<std::vector<T>> parse_list(const std::string& text, const char* what, Parse&& parse) {
  std::vector<T> values;
  for (const std::string& part : elements_of(text)) {
    const auto value = parse(part);
    if (!value) return invalid_input(fmt::format("\"{}\" in \"{}\" is not {}", part, text, what));
    values.push_back(static_cast<T>(*value));
  }
  return values;
}

template <class T, class Parse>
Result<Tensor> parse_values(const std::string& text, DataType type, const char* what,
                            Parse&& parse) {
  OPBENCH_TRY(const std::vector<T> values, parse_list<T>(text, what, parse));
  const bool is_scalar = text.find(',') == std::string::npos;
  if (is_scalar && values.size() != 1)
    return invalid_input(fmt::format("\"={}\" has no value", text));
  const Shape shape = is_scalar ? Shape{} : Shape{static_cast<int64_t>(values.size())};
  return Tensor::of<T>(type, shape, values);
}

/// `VALUES:DTYPE`, float32 when there is no colon.
Result<Tensor> parse_tensor(const std::string& text) {
  const size_t colon = text.find(':');
  const std::string values = text.substr(0, colon);
  DataType type = DataType::kFloat32;
  if (colon != std::string::npos) {
    OPBENCH_TRY(type, parse_data_type(text.substr(colon + 1)));
  }
  switch (type) {
    case DataType::kFloat32:
      return parse_values<float>(values, type, "a number", parse_real<float>);
    case DataType::kFloat64:
      return parse_values<double>(values, type, "a number", parse_real<double>);
    case DataType::kInt64:
      return parse_values<int64_t>(values, type, "an integer", parse_integer);
    case DataType::kInt32:
      return parse_values<int32_t>(values, type, "an integer", parse_integer);
    case DataType::kInt16:
      return parse_values<int16_t>(values, type, "an integer", parse_integer);
    case DataType::kUint16:
      return parse_values<uint16_t>(values, type, "an integer", parse_integer);
    case DataType::kUint32:
      return parse_values<uint32_t>(values, type, "an integer", parse_integer);
    case DataType::kUint64:
      return parse_values<uint64_t>(values, type, "an integer", parse_integer);
    case DataType::kFloat16:
      return parse_values<Float16>(values, type, "a number", parse_real<float>);
    case DataType::kBFloat16:
      return parse_values<BFloat16>(values, type, "a number", parse_real<float>);
    case DataType::kInt8:
      return parse_values<int8_t>(values, type, "an integer", parse_integer);
    case DataType::kUint8:
    case DataType::kBool:
      return parse_values<uint8_t>(values, type, "an integer", parse_integer);
    default:
      return invalid_input(fmt::format("no values of type {} in \"{}\"", name_of(type), text));
  }
}

Result<TensorType> parse_type(const std::string& text) {
  const size_t colon = text.find(':');
  const std::string extents = text.substr(0, colon);
  TensorType type;
  if (colon != std::string::npos) {
    OPBENCH_TRY(type.data_type, parse_data_type(text.substr(colon + 1)));
  }
  if (extents == "scalar") return type;
  for (const std::string& part : split(extents, 'x')) {
    const auto extent = parse_integer(part);
    if (!extent || *extent < 0) {
      return invalid_input(fmt::format("bad shape \"{}\"", text))
          .with("valid", "extents with x between them: 1x64x56x56, 64:int64, scalar");
    }
    type.shape.push_back(*extent);
  }
  double elements = 1;
  for (const int64_t extent : type.shape) elements *= static_cast<double>(extent);
  if (elements > kMostElements)
    return invalid_input(fmt::format("shape \"{}\" is too large", text));
  return type;
}

/// The value of an attribute, of the kind that its default has.
Result<Attribute> parse_attribute(const AttributeDef& def, const std::string& text) {
  if (std::holds_alternative<std::string>(def.otherwise)) return Attribute(text);
  if (std::holds_alternative<Tensor>(def.otherwise)) {
    OPBENCH_TRY(Tensor tensor, parse_tensor(text));
    return Attribute(std::move(tensor));
  }
  if (std::holds_alternative<std::vector<std::string>>(def.otherwise)) {
    return Attribute(elements_of(text));
  }
  const auto bad = [&](const char* what) {
    return invalid_input(fmt::format("attribute {}=\"{}\" is not {}", def.name, text, what));
  };
  if (std::holds_alternative<int64_t>(def.otherwise)) {
    const auto value = parse_integer(text);
    return value ? Result<Attribute>(Attribute(*value)) : bad("an integer");
  }
  if (std::holds_alternative<float>(def.otherwise)) {
    const auto value = parse_real<float>(text);
    return value ? Result<Attribute>(Attribute(*value)) : bad("a number");
  }
  if (std::holds_alternative<std::vector<float>>(def.otherwise)) {
    auto values = parse_list<float>(text, "a number", parse_real<float>);
    return values ? Result<Attribute>(Attribute(*values)) : bad("a list of numbers");
  }
  auto values = parse_list<int64_t>(text, "an integer", parse_integer);
  return values ? Result<Attribute>(Attribute(*values)) : bad("a list of integers");
}

Result<void> add_attribute(const OperatorDef& def, const std::string& word, Node& node) {
  const size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  std::vector<std::string> known;
  for (const AttributeDef& attribute : def.attributes) {
    known.push_back(attribute.name);
    if (attribute.name != name) continue;
    OPBENCH_TRY(node.attributes[name], parse_attribute(attribute, word.substr(equals + 1)));
    return {};
  }
  Error error = unknown_name("attribute", name, known);
  error.message += fmt::format(" of {}", word_of(node));
  if (known.empty()) error.facts.push_back({"known", "none"});
  return error;
}

/// Marks the outputs that `outputs=0,2` names: the first one and further ones, in order.
Result<void> mark_outputs(const std::string& text, Node& node) {
  OPBENCH_TRY(const auto indices, parse_list<int64_t>(text, "an integer", parse_integer));
  constexpr int64_t kMost = 16;
  const bool is_valid =
      indices.size() > 1 && indices.front() == 0 && indices.back() < kMost &&
      std::ranges::adjacent_find(indices, std::ranges::greater_equal()) == indices.end();
  if (!is_valid) {
    return invalid_input(fmt::format("\"outputs={}\" names no outputs", text))
        .with("valid", "0 and further outputs of the last step in order: outputs=0,1");
  }
  node.outputs.assign(static_cast<size_t>(indices.back()) + 1, "");
  for (const int64_t index : indices) node.outputs[static_cast<size_t>(index)] = "y";
  return {};
}

/// The name of an operand inside the workload.
Result<std::string> add_operand(const std::string& word, WorkloadBuilder& builder) {
  if (word == "_") return std::string();
  if (word == "%") {
    if (builder.previous().empty())
      return invalid_input("\"%\" in the first step stands for nothing");
    return builder.previous();
  }
  if (word.starts_with('=')) {
    OPBENCH_TRY(Tensor tensor, parse_tensor(word.substr(1)));
    return builder.add_constant(std::move(tensor));
  }
  const bool is_weight = word.starts_with("w:");
  OPBENCH_TRY(const TensorType type, parse_type(is_weight ? word.substr(2) : word));
  return builder.add_input(type, is_weight);
}

Result<void> add_step(const std::string& step, bool is_last, WorkloadBuilder& builder) {
  const std::vector<std::string> words = words_of(step);
  if (words.empty()) return invalid_input("a step is empty");
  OPBENCH_TRY(const OperatorWord op, operator_of_word(words[0]));
  Node node;
  node.type = op.onnx_type;
  node.domain = op.def->onnx_domain;
  const bool writes_previous = std::ranges::find(words, "%") != words.end();
  if (!builder.previous().empty() && !writes_previous) node.inputs.push_back(builder.previous());
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i].starts_with(kOutputs)) {
      if (!is_last) return invalid_input(fmt::format("\"{}\" belongs to the last step", words[i]));
      OPBENCH_CHECK(mark_outputs(words[i].substr(kOutputs.size()), node));
    } else if (words[i].find('=') != std::string::npos && words[i][0] != '=') {
      OPBENCH_CHECK(add_attribute(*op.def, words[i], node));
    } else {
      OPBENCH_TRY(std::string name, add_operand(words[i], builder));
      node.inputs.push_back(std::move(name));
    }
  }
  node.name = words[0];
  return builder.add_node(std::move(node), is_last);
}

}  // namespace

Result<Workload> parse_workload(const std::string& text) {
  WorkloadBuilder builder;
  const std::vector<std::string> steps = split(text, ';');
  for (size_t i = 0; i < steps.size(); ++i) {
    auto added = add_step(steps[i], i + 1 == steps.size(), builder);
    if (!added) return std::move(added).error().with("in", fmt::format("\"{}\"", text));
  }
  return std::move(builder).take();
}

}  // namespace opbench
