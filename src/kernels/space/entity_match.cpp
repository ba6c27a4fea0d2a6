#include "kernels/space/entity_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

std::optional<double> entity_match_number_of(const Argument& value) {
  switch (value.kind) {
    case ArgumentKind::kBool:
      return value.flag ? 1.0 : 0.0;
    case ArgumentKind::kInt:
      return static_cast<double>(value.integer);
    case ArgumentKind::kDouble:
      return value.real;
    default:
      return {};
  }
}

bool is_same(const Argument& a, const Argument& b) {
  if (a.kind == ArgumentKind::kInt && b.kind == ArgumentKind::kInt) return a.integer == b.integer;
  const auto left = entity_match_number_of(a);
  const auto right = entity_match_number_of(b);
  if (left && right) return *left == *right;
  if (a.kind == ArgumentKind::kTuple && b.kind == ArgumentKind::kTuple) {
    return std::ranges::equal(a.items, b.items, is_same);
  }
  return a == b;
}

/// How far two values are apart: factors by their ratio, other items by one each.
double distance(const Argument& a, const Argument& b) {
  const auto left = entity_match_number_of(a);
  const auto right = entity_match_number_of(b);
  if (left && right) {
    if (*left > 0 && *right > 0) return std::abs(std::log2(*left / *right));
    return std::abs(*left - *right);
  }
  if (a.kind == ArgumentKind::kTuple && b.kind == ArgumentKind::kTuple) {
    if (a.items.size() != b.items.size()) return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (size_t i = 0; i < a.items.size(); ++i) sum += distance(a.items[i], b.items[i]);
    return sum;
  }
  return is_same(a, b) ? 0 : 1;
}

/// The few entities that come nearest, or all of a few.
std::string nearest_entities(const Knob& knob, const Argument& value) {
  constexpr size_t kShown = 4;
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < knob.entities.size(); ++i) {
    order.emplace_back(distance(knob.entities[i], value), i);
  }
  const size_t count = std::min(kShown, order.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) texts.push_back(python_text(knob.entities[order[i].second]));
  if (order.size() > count) texts.push_back(fmt::format("… ({} in all)", order.size()));
  return join(texts);
}

}  // namespace

std::string python_text(const Argument& value) {
  switch (value.kind) {
    case ArgumentKind::kNull:
      return "None";
    case ArgumentKind::kBool:
      return value.flag ? "True" : "False";
    case ArgumentKind::kInt:
      return fmt::to_string(value.integer);
    case ArgumentKind::kDouble: {
      const std::string text = fmt::format("{}", value.real);
      return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
    }
    case ArgumentKind::kTuple: {
      std::vector<std::string> items;
      for (const Argument& item : value.items) items.push_back(python_text(item));
      return fmt::format("[{}]", join(items));
    }
    default:
      return value.text;
  }
}

Result<size_t> entity_of(const Knob& knob, const KnobValue& value) {
  if (value.kind != tag_of(knob.kind)) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("knob \"{}\" of kind \"{}\"", knob.name, value.kind)}
        .with("valid", std::string(tag_of(knob.kind)));
  }
  const auto found = std::ranges::find_if(
      knob.entities, [&](const Argument& entity) { return is_same(entity, value.value); });
  if (found != knob.entities.end()) return static_cast<size_t>(found - knob.entities.begin());
  return Error{ErrorCode::kInvalidInput,
               fmt::format("knob \"{}\" cannot be {}", knob.name, python_text(value.value))}
      .with("valid", nearest_entities(knob, value.value));
}

}  // namespace opbench
