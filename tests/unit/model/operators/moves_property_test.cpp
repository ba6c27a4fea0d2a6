#include <gtest/gtest.h>

#include "base/numbers/random.h"
#include "reference_runner.h"

namespace opbench {
namespace {

std::string list(const std::vector<int64_t>& values) {
  std::string text;
  for (const int64_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}

Shape drawn_shape(Random& random, size_t rank) {
  Shape shape;
  for (size_t i = 0; i < rank; ++i) shape.push_back(1 + static_cast<int64_t>(random.below(11)));
  return shape;
}

/// The coordinates of element `flat`.
std::vector<int64_t> place(int64_t flat, const Shape& shape) {
  std::vector<int64_t> at(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    at[i] = flat % shape[i];
    flat /= shape[i];
  }
  return at;
}

int64_t flat_of(const std::vector<int64_t>& at, const Shape& shape) {
  int64_t flat = 0;
  for (size_t i = 0; i < shape.size(); ++i) flat = flat * shape[i] + at[i];
  return flat;
}

TEST(MovesProperty, TransposesAnyShapeInAnyOrder) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    const size_t rank = 1 + random.below(5);
    const Shape in = drawn_shape(random, rank);
    std::vector<int64_t> perm;
    for (const size_t axis : random.shuffled(rank)) perm.push_back(static_cast<int64_t>(axis));
    const std::string text = "transpose " + shape_text(in) + " perm=" + list(perm);
    const Floats x = count_up(static_cast<int>(element_count(in)));
    const Tensor y = run(text, x);
    for (int64_t i = 0; i < y.type.size(); ++i) {
      const auto at = place(i, y.type.shape);
      std::vector<int64_t> from(rank);
      for (size_t d = 0; d < rank; ++d) from[static_cast<size_t>(perm[d])] = at[d];
      ASSERT_EQ(y.as<float>()[static_cast<size_t>(i)], x[static_cast<size_t>(flat_of(from, in))])
          << text;
    }
  }
}

TEST(MovesProperty, PadsAnyAxes) {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    const size_t rank = 1 + random.below(4);
    const Shape in = drawn_shape(random, rank);
    std::vector<int64_t> pads;
    for (size_t i = 0; i < 2 * rank; ++i)
      pads.push_back(random.below(2) == 0 ? 0 : static_cast<int64_t>(random.below(3)));
    const std::string text = "pad " + shape_text(in) + " =" + list(pads) + ":int64";
    const Floats x = count_up(static_cast<int>(element_count(in)));
    const Tensor y = run(text, x);
    for (int64_t i = 0; i < y.type.size(); ++i) {
      auto at = place(i, y.type.shape);
      bool is_inside = true;
      for (size_t d = 0; d < rank; ++d) {
        at[d] -= pads[d];
        is_inside = is_inside && at[d] >= 0 && at[d] < in[d];
      }
      const float expected = is_inside ? x[static_cast<size_t>(flat_of(at, in))] : 0.0F;
      ASSERT_EQ(y.as<float>()[static_cast<size_t>(i)], expected) << text;
    }
  }
}

}  // namespace
}  // namespace opbench
