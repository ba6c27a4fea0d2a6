#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "records/formats/logs/autotvm_decoder.h"

namespace opbench {
namespace {

namespace dom = simdjson::dom;

constexpr JsonPlace kAutotvmInputRoot{};

}  // namespace

bool AutotvmDecoder::read_input(const Element& value, bool is_old) {
  const JsonPlace place = kAutotvmInputRoot.field(is_old ? "i" : "input");
  const size_t count = is_old ? 6 : 4;
  const auto items = items_of(value, count);
  if (!items) {
    const std::string rest = is_old ? ", workload, config" : "";
    return fault("E_INPUT_ARITY", place,
                 fmt::format("needs {} items: target, task, arguments, kwargs{}", count, rest));
  }
  if (!read_target((*items)[0], place.item(0))) return false;
  const std::optional<std::string> task = string_of((*items)[1]);
  if (!task || task->empty()) {
    return fault("E_INPUT_ARITY", place.item(1), "the task's name is no text");
  }
  record_.task = *task;
  if (!read_arguments((*items)[2], place.item(2)) || !read_kwargs((*items)[3], place.item(3))) {
    return false;
  }
  if (!is_old) return true;
  record_.legacy_workload = json_.argument((*items)[4]);
  if (!record_.legacy_workload) {
    return fault("E_ARG", place.item(4), "a workload cannot hold an object");
  }
  return read_config((*items)[5], place.item(5), true);
}

bool AutotvmDecoder::read_arguments(const Element& value, const JsonPlace& place) {
  dom::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) {
    return fault("E_ARG", place, "arguments are a list");
  }
  for (const Element element : array) {
    auto value_of = argument(element, place.item(record_.arguments.size()));
    if (!value_of) return false;
    record_.arguments.push_back({"", std::move(*value_of)});
  }
  return true;
}

bool AutotvmDecoder::read_kwargs(const Element& value, const JsonPlace& place) {
  dom::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) {
    return fault("E_ARG", place, "kwargs are an object");
  }
  for (const dom::key_value_pair pair : object) {
    auto value_of = argument(pair.value, place.field(pair.key));
    if (!value_of) return false;
    record_.kwargs.push_back({std::string(pair.key), std::move(*value_of)});
  }
  return true;
}

std::optional<Argument> AutotvmDecoder::argument(const Element& value, const JsonPlace& place) {
  dom::array array;
  if (value.get_array().get(array) != simdjson::SUCCESS) {
    std::optional<Argument> scalar = json_.argument(value);
    if (!scalar) fault("E_ARG", place, json_.python_text(value) + " is no argument");
    return scalar;
  }
  Argument tuple = Argument::of_tuple({});
  for (const Element element : array) {
    auto value_of = argument(element, place.item(tuple.items.size()));
    if (!value_of) return {};
    tuple.items.push_back(std::move(*value_of));
  }
  const bool is_tensor = !tuple.items.empty() && tuple.items[0].kind == ArgumentKind::kString &&
                         tuple.items[0].text == "TENSOR";
  return is_tensor ? tensor(std::move(tuple), place) : tuple;
}

/// A tuple that begins with TENSOR is a tensor; one that cannot be stays a tuple.
std::optional<Argument> AutotvmDecoder::tensor(Argument tuple, const JsonPlace& place) {
  constexpr size_t kItems = 3;  // TENSOR, extents, type
  const auto is_int = [](const Argument& extent) { return extent.kind == ArgumentKind::kInt; };
  const bool has_form = tuple.items.size() >= kItems &&
                        tuple.items[1].kind == ArgumentKind::kTuple &&
                        std::ranges::all_of(tuple.items[1].items, is_int) &&
                        tuple.items[2].kind == ArgumentKind::kString;
  if (!has_form) {
    warn("E_ARG", place, "TENSOR without a list of extents and a data type");
    return tuple;
  }
  Argument result{.kind = ArgumentKind::kTensor,
                  .text = std::move(tuple.items[2].text),
                  .items = std::move(tuple.items[1].items)};
  if (tuple.items.size() > kItems) {
    warn("E_ARG", place, fmt::format("TENSOR has {} items", tuple.items.size()));
    result.trailing.assign(tuple.items.begin() + kItems, tuple.items.end());
  }
  const auto is_extent = [](const Argument& extent) { return extent.integer > 0; };
  if (!std::ranges::all_of(result.items, is_extent)) {
    warn("E_ARG", place, "TENSOR with an extent below 1");
  }
  if (!result.text.empty() && result.text != "int" && result.text != "float" &&
      result.text != "uint" && !is_dtype(result.text)) {
    warn("E_ARG", place, "TENSOR of an unknown data type \"" + result.text + "\"");
  }
  return result;
}

}  // namespace opbench
