#include "kernels/schedules/shape_distance.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/numbers/number.h"

namespace opbench {
namespace {

constexpr std::string_view kGroup = "group=";
constexpr std::string_view kShapeDistanceWeight = "w:";

std::vector<std::string> shape_distance_parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// A shape among a text's words: `w:64x32x3x3`, `1x64x56x56:int8;`.
struct ShapeWord {
  bool is_weight = false;
  std::vector<int64_t> extents;
  std::string rest;  ///< data type, end of the step
};

std::optional<ShapeWord> shape_in(std::string_view word) {
  ShapeWord shape{.is_weight = word.starts_with(kShapeDistanceWeight)};
  if (shape.is_weight) word.remove_prefix(kShapeDistanceWeight.size());
  const std::string_view extents = word.substr(0, word.find_first_not_of("0123456789x"));
  shape.rest = word.substr(extents.size());
  for (const std::string& extent : shape_distance_parts_of(std::string(extents), 'x')) {
    const auto value = parse_integer(extent);
    if (!value) return std::nullopt;
    shape.extents.push_back(*value);
  }
  if (shape.extents.empty()) return std::nullopt;
  return shape;
}

double ratio(int64_t a, int64_t b) {
  const auto at_least_one = [](int64_t x) { return static_cast<double>(std::max<int64_t>(x, 1)); };
  return std::abs(std::log(at_least_one(a) / at_least_one(b)));
}

std::optional<double> distance_of_shapes(const ShapeWord& a, const ShapeWord& b) {
  const bool are_alike =
      a.is_weight == b.is_weight && a.rest == b.rest && a.extents.size() == b.extents.size();
  if (!are_alike) return std::nullopt;
  constexpr size_t kChannels = 2;  // a weight's window comes after its channels
  double distance = 0;
  for (size_t i = 0; i < a.extents.size(); ++i) {
    const bool is_window = a.is_weight && i >= kChannels;
    if (is_window && a.extents[i] != b.extents[i]) return std::nullopt;
    distance += ratio(a.extents[i], b.extents[i]);
  }
  return distance;
}

std::optional<double> distance_of_words(const std::string& a, const std::string& b) {
  if (a == b) return 0;
  if (a.starts_with(kGroup) && b.starts_with(kGroup)) {
    return ratio(std::atoll(a.c_str() + kGroup.size()), std::atoll(b.c_str() + kGroup.size()));
  }
  const auto left = shape_in(a);
  const auto right = shape_in(b);
  if (!left || !right) return std::nullopt;
  return distance_of_shapes(*left, *right);
}

}  // namespace

std::optional<double> shape_distance(const std::string& a, const std::string& b) {
  const std::vector<std::string> left = shape_distance_parts_of(a, ' ');
  const std::vector<std::string> right = shape_distance_parts_of(b, ' ');
  if (left.size() != right.size()) return std::nullopt;
  double distance = 0;
  for (size_t i = 0; i < left.size(); ++i) {
    const auto apart = distance_of_words(left[i], right[i]);
    if (!apart) return std::nullopt;
    distance += *apart;
  }
  return distance;
}

}  // namespace opbench
