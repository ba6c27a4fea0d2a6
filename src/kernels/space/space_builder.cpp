#include "kernels/space/space_builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/space/axis_orders.h"
#include "kernels/space/split_sizes.h"

namespace opbench {
namespace {

Argument tuple_of(const std::vector<int64_t>& values) {
  std::vector<Argument> items;
  items.reserve(values.size());
  for (const int64_t value : values) items.push_back(Argument::of_int(value));
  return Argument::of_tuple(std::move(items));
}

Argument tuple_of(const std::vector<int>& values) {
  return tuple_of(std::vector<int64_t>(values.begin(), values.end()));
}

Argument tuple_of(const std::vector<std::string>& words) {
  std::vector<Argument> items;
  for (const std::string& word : words) items.push_back(Argument::of_string(word));
  return Argument::of_tuple(std::move(items));
}

template <class Value>
std::vector<Argument> tuples_of(const std::vector<Value>& values) {
  std::vector<Argument> result;
  result.reserve(values.size());
  for (const Value& value : values) result.push_back(tuple_of(value));
  return result;
}

Error about(const std::string& knob, Error error) {
  error.message = fmt::format("knob \"{}\": {}", knob, error.message);
  return error;
}

}  // namespace

void SpaceBuilder::define_split(const std::string& name, int64_t length,
                                const SplitOptions& options) {
  auto sizes = split_sizes(length, options);
  if (!sizes) return fail(name, std::move(sizes).error());
  add({.name = name,
       .kind = KnobKind::kSplit,
       .policy = options.policy,
       .product = length,
       .num_outputs = options.num_outputs,
       .entities = tuples_of(*sizes)});
}

void SpaceBuilder::define_split(const std::string& name, int64_t length, int num_outputs) {
  define_split(name, length, SplitOptions{.num_outputs = num_outputs});
}

void SpaceBuilder::define_reorder(const std::string& name, int axes,
                                  const ReorderOptions& options) {
  auto orders = axis_orders(axes, options);
  if (!orders) return fail(name, std::move(orders).error());
  add({.name = name,
       .kind = KnobKind::kReorder,
       .policy = options.policy,
       .entities = tuples_of(*orders)});
}

void SpaceBuilder::define_annotate(const std::string& name, int axes, const std::string& policy,
                                   int num_anchor) {
  Knob knob{.name = name, .kind = KnobKind::kAnnotate, .policy = policy};
  if (policy == "locate_cache") {
    knob.entities = tuples_of(axis_combinations(axes, num_anchor));
  } else {
    auto words = axis_annotations(axes, policy);
    if (!words) return fail(name, std::move(words).error());
    knob.entities = tuples_of(*words);
  }
  add(std::move(knob));
}

void SpaceBuilder::define_option(const std::string& name, std::vector<Argument> values) {
  add({.name = name, .kind = KnobKind::kOther, .entities = std::move(values)});
}

void SpaceBuilder::define_option(const std::string& name, const std::vector<int64_t>& values) {
  std::vector<Argument> entities;
  for (const int64_t value : values) entities.push_back(Argument::of_int(value));
  define_option(name, std::move(entities));
}

void SpaceBuilder::fail(const std::string& name, Error error) {
  if (!fault_) fault_ = about(name, std::move(error));
}

void SpaceBuilder::add(Knob knob) {
  if (knob.entities.empty()) {
    return fail(knob.name, {ErrorCode::kInvalidInput, "no value is possible"});
  }
  const auto old = std::ranges::find(space_.knobs, knob.name, &Knob::name);
  if (old == space_.knobs.end()) {
    space_.knobs.push_back(std::move(knob));
  } else {
    *old = std::move(knob);
  }
}

Result<ConfigSpace> SpaceBuilder::finish() && {
  if (fault_) return *std::move(fault_);
  OPBENCH_CHECK(size_of(space_));
  return std::move(space_);
}

}  // namespace opbench
