#include "prediction/zero_shot/config_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/numbers/divisors.h"
#include "machine/target/target.h"

namespace opbench {
namespace {

constexpr size_t kDepths = 5;  // innermost loops that are looked at

float log_of(double value) { return static_cast<float>(std::log2(std::max(value, 0.0) + 1)); }

using NamedNumbers = std::vector<std::pair<std::string, float>>;

/// The numbers in a text: extents of a workload that is written out.
void add_text(const std::string& text, const std::string& name, NamedNumbers& numbers) {
  for (size_t at = 0, count = 0; at < text.size();) {
    if (text[at] < '0' || text[at] > '9') {
      ++at;
      continue;
    }
    double value = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      value = value * 10 + (text[at] - '0');
    numbers.emplace_back(fmt::format("{}#{}", name, count++), log_of(value));
  }
}

void add_argument(const Argument& argument, const std::string& name, NamedNumbers& numbers) {
  switch (argument.kind) {
    case ArgumentKind::kInt:
      numbers.emplace_back(name, log_of(static_cast<double>(argument.integer)));
      break;
    case ArgumentKind::kBool:
      numbers.emplace_back(name, argument.flag ? 1.0F : 0.0F);
      break;
    case ArgumentKind::kString:
      add_text(argument.text, name, numbers);
      break;
    default:
      for (size_t i = 0; i < argument.items.size(); ++i)
        add_argument(argument.items[i], fmt::format("{}.{}", name, i), numbers);
  }
}

int64_t integer_of(const Argument& value) {
  return value.kind == ArgumentKind::kBool ? int64_t{value.flag} : value.integer;
}

bool is_split(const Knob& knob) { return knob.kind == KnobKind::kSplit; }

/// The last access of each buffer, by name.
const NestAccess* last_access(const LoopNest& nest, std::string_view buffer) {
  for (size_t i = nest.accesses.size(); i-- > 0;) {
    if (nest.accesses[i].buffer == buffer) return &nest.accesses[i];
  }
  return nullptr;
}

}  // namespace

ConfigEncoder::ConfigEncoder(const Task& task, const ConfigSpace& space)
    : task_(task), space_(space), lanes_(std::max(1, float_lanes(task.target))) {
  NamedNumbers numbers;
  for (size_t i = 0; i < task.arguments.size(); ++i)
    add_argument(task.arguments[i], fmt::format("argument {}", i), numbers);
  for (auto& [name, value] : numbers) {
    names_.push_back(std::move(name));
    shape_.push_back(value);
  }
  name_knobs();
  if (!has_nest(task.name)) return;
  nest_ = *nest_table().find(task.name);
  name_loops();
}

void ConfigEncoder::name_knobs() {
  std::vector<std::string> splits;
  for (const Knob& knob : space_.knobs) {
    if (!is_split(knob)) {
      names_.push_back(knob.name);
      continue;
    }
    for (const Knob& other : space_.knobs) {
      if (&other == &knob) break;
      if (!is_split(other)) continue;
      splits.push_back(fmt::format("{} x {}", other.name, knob.name));
      splits.push_back(fmt::format("vectors of {} x {}", other.name, knob.name));
      splits.push_back(fmt::format("vectors of {} x {}", knob.name, other.name));
    }
    names_.push_back(knob.name + " axis");
    names_.push_back(knob.name + " fills vectors");
    for (int i = 0; i < knob.num_outputs; ++i) names_.push_back(fmt::format("{} {}", knob.name, i));
  }
  names_.insert(names_.end(), splits.begin(), splits.end());
}

void ConfigEncoder::name_loops() {
  const auto config = config_at(space_, 0);
  const auto nest = config ? nest_->nest(task_.arguments, *config) : Result<LoopNest>(LoopNest());
  if (!nest) {
    nest_ = nullptr;
    return;
  }
  for (const NestAccess& access : nest->accesses) {
    const std::string buffer(access.buffer);
    if (std::ranges::find(buffers_, buffer) != buffers_.end()) continue;
    buffers_.push_back(buffer);
    names_.push_back("stride of " + buffer);
    for (size_t depth = 1; depth <= kDepths; ++depth)
      names_.push_back(fmt::format("{} of the innermost {}", buffer, depth));
  }
}

void ConfigEncoder::add_knobs(const std::vector<size_t>& digits, std::vector<float>& row) const {
  std::vector<double> innermost(space_.knobs.size());
  std::vector<float> pairs;
  for (size_t i = 0; i < space_.knobs.size(); ++i) {
    const Knob& knob = space_.knobs[i];
    const Argument& entity = knob.entities[digits[i]];
    if (!is_split(knob)) {
      row.push_back(knob.kind == KnobKind::kOther ? static_cast<float>(integer_of(entity))
                                                  : static_cast<float>(digits[i]));
      continue;
    }
    int64_t inner = 1;
    for (size_t j = 1; j < entity.items.size(); ++j) inner *= entity.items[j].integer;
    const int64_t last = entity.items.back().integer;
    innermost[i] = static_cast<double>(last);
    row.push_back(log_of(static_cast<double>(knob.product)));
    row.push_back(last % lanes_ == 0 ? 1.0F : 0.0F);
    row.push_back(log_of(static_cast<double>(ceil_div(knob.product, std::max<int64_t>(inner, 1)))));
    for (size_t j = 1; j < entity.items.size(); ++j)
      row.push_back(log_of(static_cast<double>(entity.items[j].integer)));
    const auto vectors = [&](double size) { return std::ceil(size / lanes_); };
    for (size_t j = 0; j < i; ++j) {
      if (!is_split(space_.knobs[j])) continue;
      pairs.push_back(log_of(innermost[j] * innermost[i]));
      pairs.push_back(static_cast<float>(vectors(innermost[j]) * innermost[i]));
      pairs.push_back(static_cast<float>(innermost[j] * vectors(innermost[i])));
    }
  }
  row.insert(row.end(), pairs.begin(), pairs.end());
}

void ConfigEncoder::add_loops(const KnobConfig& config, std::vector<float>& row) const {
  const auto nest = nest_->nest(task_.arguments, config);
  for (const std::string& buffer : buffers_) {
    const NestAccess* access = nest ? last_access(*nest, buffer) : nullptr;
    const size_t loops = access == nullptr ? 0 : access->strides.size();
    row.push_back(loops == 0 ? 0.0F : log_of(static_cast<double>(access->strides.back().stride)));
    double count = 1;
    for (size_t depth = 1; depth <= kDepths; ++depth) {
      if (depth <= loops) {
        const LoopStride& loop = access->strides[loops - depth];
        if (loop.stride != 0) count *= static_cast<double>(nest->loops[loop.loop].extent);
      }
      row.push_back(log_of(count));
    }
  }
}

std::vector<float> ConfigEncoder::encode(uint64_t index) const {
  std::vector<float> row = shape_;
  row.reserve(names_.size());
  const auto digits = digits_of(space_, index);
  const auto config = config_at(space_, index);
  assert(digits && config);
  add_knobs(*digits, row);
  if (nest_ != nullptr) add_loops(*config, row);
  assert(row.size() == names_.size());
  return row;
}

}  // namespace opbench
