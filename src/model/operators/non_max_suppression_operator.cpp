#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "model/operators/axes/indices.h"

namespace opbench {
namespace {

enum NonMaxSuppressionInput : size_t {
  kBoxes,
  kNonMaxSuppressionScores,
  kNonMaxSuppressionMost,
  kOverlap,
  kScore
};

/// Corners, the lower ones first.
struct Box {
  double top = 0;
  double left = 0;
  double bottom = 0;
  double right = 0;
};

Box box_of(const float* v, bool is_center) {
  const double a = static_cast<double>(v[0]);
  const double b = static_cast<double>(v[1]);
  const double c = static_cast<double>(v[2]);
  const double d = static_cast<double>(v[3]);
  if (is_center) return {b - d / 2, a - c / 2, b + d / 2, a + c / 2};
  return {std::min(a, c), std::min(b, d), std::max(a, c), std::max(b, d)};
}

double area(const Box& box) { return (box.bottom - box.top) * (box.right - box.left); }

/// Area of the intersection over that of the union; 0 for boxes that do not meet.
double overlap(const Box& a, const Box& b) {
  const Box both{std::max(a.top, b.top), std::max(a.left, b.left), std::min(a.bottom, b.bottom),
                 std::min(a.right, b.right)};
  if (both.bottom <= both.top || both.right <= both.left) return 0;
  return area(both) / (area(a) + area(b) - area(both));
}

Result<std::optional<float>> threshold(const OperatorCall& call, NonMaxSuppressionInput input,
                                       std::string_view what) {
  if (!has_input(call, input)) return std::optional<float>();
  OPBENCH_TRY(const std::vector<float> values, known_floats(call, input, what));
  if (values.size() == 1) return std::optional(values[0]);
  return misfit(call, fmt::format("its {} has {} elements, not 1", what, values.size()));
}

/// What bounds the selection.
struct Limits {
  int64_t most = 0;  ///< boxes of each class; without the operand none, as ONNX has it
  double overlap = 0;
  std::optional<float> score;
};

Result<Limits> limits_of(const OperatorCall& call) {
  Limits limits;
  if (has_input(call, kNonMaxSuppressionMost)) {
    OPBENCH_TRY(limits.most,
                known_integer(call, kNonMaxSuppressionMost, "max_output_boxes_per_class"));
  }
  if (limits.most < 0) {
    return misfit(call, fmt::format("max_output_boxes_per_class {} is below 0", limits.most));
  }
  OPBENCH_TRY(const auto most_overlap, threshold(call, kOverlap, "iou_threshold"));
  limits.overlap = static_cast<double>(most_overlap.value_or(0.0F));
  if (!(limits.overlap >= 0 && limits.overlap <= 1)) {
    return misfit(call, fmt::format("iou_threshold {} is not within 0 to 1", limits.overlap));
  }
  OPBENCH_TRY(limits.score, threshold(call, kScore, "score_threshold"));
  return limits;
}

/// The boxes above the score threshold, best first; of equal scores the first leads.
Integers candidates(const float* scores, int64_t count, const Limits& limits) {
  Integers order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](int64_t i) { return limits.score && !(scores[i] > *limits.score); });
  std::ranges::stable_sort(order, [&](int64_t a, int64_t b) { return scores[a] > scores[b]; });
  return order;
}

/// Greedy: a box stays unless it overlaps one that stays already.
Integers select(const std::vector<Box>& boxes, const Integers& order, const Limits& limits) {
  Integers selected;
  for (const int64_t candidate : order) {
    if (static_cast<int64_t>(selected.size()) >= limits.most) break;
    const bool is_covered = std::ranges::any_of(selected, [&](int64_t other) {
      return overlap(boxes[candidate], boxes[other]) > limits.overlap;
    });
    if (!is_covered) selected.push_back(candidate);
  }
  return selected;
}

/// Rows of (batch, class, box), one after the other.
Result<Integers> selection(const OperatorCall& call) {
  OPBENCH_TRY(const std::vector<float> corners, known_floats(call, kBoxes, "boxes"));
  OPBENCH_TRY(const std::vector<float> scores,
              known_floats(call, kNonMaxSuppressionScores, "scores"));
  OPBENCH_TRY(const Limits limits, limits_of(call));
  const bool is_center = int_attribute(*call.node, "center_point_box", 0) != 0;
  const Shape& shape = shape_of(call, kNonMaxSuppressionScores);
  const int64_t count = shape[2];
  Integers rows;
  for (int64_t batch = 0; batch < shape[0]; ++batch) {
    std::vector<Box> boxes;
    for (int64_t i = 0; i < count; ++i) {
      boxes.push_back(box_of(corners.data() + (batch * count + i) * 4, is_center));
    }
    for (int64_t group = 0; group < shape[1]; ++group) {
      const float* first = scores.data() + (batch * shape[1] + group) * count;
      for (const int64_t box : select(boxes, candidates(first, count, limits), limits)) {
        rows.insert(rows.end(), {batch, group, box});
      }
    }
  }
  return rows;
}

/// boxes[batches, count, 4], scores[batches, classes, count] -> [selected, 3].
Result<std::vector<TensorType>> infer_non_max_suppression(const OperatorCall& call) {
  OPBENCH_CHECK(require_inputs(call, 2, 5));
  OPBENCH_CHECK(require_outputs(call, 1));
  OPBENCH_CHECK(require_rank(call, kBoxes, 3, 3));
  OPBENCH_CHECK(require_rank(call, kNonMaxSuppressionScores, 3, 3));
  const Shape& scores = shape_of(call, kNonMaxSuppressionScores);
  if (shape_of(call, kBoxes) != Shape{scores[0], scores[2], 4}) {
    return misfit(call, fmt::format("boxes {} do not fit scores {}",
                                    shape_text(shape_of(call, kBoxes)), shape_text(scores)));
  }
  OPBENCH_TRY(const Integers rows, selection(call));
  return std::vector<TensorType>{{DataType::kInt64, {static_cast<int64_t>(rows.size() / 3), 3}}};
}

Result<void> run_non_max_suppression(const OperatorCall& call, std::span<const TensorView>,
                                     std::span<const TensorView> outputs) {
  OPBENCH_TRY(const Integers rows, selection(call));
  std::ranges::copy(rows, outputs[0].as<int64_t>().begin());
  return {};
}

}  // namespace

OperatorDef non_max_suppression_operator() {
  return {
      .name = "non_max_suppression",
      .summary = "The best boxes of every class that overlap no better one",
      .onnx_types = {"NonMaxSuppression"},
      .infer = infer_non_max_suppression,
      .flops = no_flops,
      .run = run_non_max_suppression,
      .attributes = {{"center_point_box", int64_t{0}}},
      .parameters = {kBoxes, kNonMaxSuppressionScores, kNonMaxSuppressionMost, kOverlap, kScore},
  };
}

}  // namespace opbench
