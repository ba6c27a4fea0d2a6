#include "model/judging/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/judging/exact_byte_products.h"
#include "model/judging/exact_values.h"
#include "model/judging/input_magnitude.h"
#include "model/operators/quantised/quantization.h"

namespace opbench {
namespace {

// Results that differ by more do not round otherwise, they compute something else: our references,
// which share our reading of an operator, are no judge of that. The second is for tolerances above
// the half of the first.
constexpr double kMostToSettle = 1e-2;
constexpr double kMostToSettleOfHalves = 5e-2;

double most_to_settle(const Tolerance& tolerance) {
  return tolerance.relative > kMostToSettle / 2 ? kMostToSettleOfHalves : kMostToSettle;
}

// Errors of as many roundings are forgiven: a formula such as `0.5 + p(x) / q(x)`, ONNX Runtime's
// sigmoid, has them.
constexpr double kRoundings = 4;

Judgement judgement_of(const Difference& difference, double allowed) {
  return {difference, allowed, difference.relative_error <= allowed};
}

bool holds_floats(DataType type) {
  return type == DataType::kFloat32 || type == DataType::kFloat64 || type == DataType::kFloat16 ||
         type == DataType::kBFloat16;
}

Difference largest_difference(const Tensor& got, const Tensor& exact, double scale) {
  if (holds_floats(exact.type.data_type)) return difference_of(got, exact, scale);
  return integer_difference(got, exact);
}

WrongExpectation wrong_by(const Difference& difference, DataType type) {
  const double error = difference.relative_error;
  std::string text = is_byte(type) ? fmt::format("off by {:.0f} of 255 steps", error * kByteSteps)
                                   : fmt::format("off by {:.2g} of the largest value", error);
  if (!difference.reason.empty()) text += ": " + difference.reason;
  return {error, std::move(text)};
}

/// How a value is compared, and what it may differ by.
struct Measure {
  Tolerance tolerance;
  double allowed = 0;
  double scale = 0;  ///< of floats: what their errors are divided by at least

  Judgement of(const Tensor& got, const Tensor& wanted) const {
    return judgement_of(
        tolerance.steps > 0 ? step_difference(got, wanted) : difference_of(got, wanted, scale),
        allowed);
  }
};

/// By the references from the known values. `plain`: where they cannot compute it.
Judgement settled(const Tensor& got, const Tensor& wanted, const std::string& name,
                  const JudgedModel& judged, Measure measure, const Judgement& plain) {
  if (measure.tolerance.steps > 0) {
    const int64_t steps = steps_from_exact(judged.model.graph, name, judged.is_known);
    measure.allowed = static_cast<double>(steps) / kByteSteps;
  }
  const auto exact = exact_values(judged.model, judged.known(), {name}, judged.cancel);
  if (!exact) return plain;
  const Tensor& right = exact->at(name);
  Judgement found = measure.of(widened(got), right);
  found.is_settled = found.agrees && !plain.agrees;
  const Tensor expected = widened(wanted);
  if (measure.of(expected, right).agrees) return found;
  found.wrong_expectation =
      wrong_by(largest_difference(expected, right, measure.scale), wanted.type.data_type);
  return found;
}

}  // namespace

double error_scale(const std::string& name, const JudgedModel& judged, const Tolerance& tolerance) {
  if (!judged.nearby) return 0;
  const auto magnitude = input_magnitude(judged.model, judged.nearby(), name, judged.cancel);
  return magnitude ? kRoundings * tolerance.rounding / tolerance.relative * *magnitude : 0;
}

Judgement judge(const Tensor& got, const Tensor& wanted, const std::string& name,
                const JudgedModel& judged) {
  const DataType type = wanted.type.data_type;
  const Graph& graph = judged.model.graph;
  const Tolerance tolerance = tolerance_of(graph, name, type, judged.is_known, judged.tolerances);
  Measure measure{tolerance, tolerance.relative};
  if (tolerance.steps > 0) measure.allowed = static_cast<double>(tolerance.steps) / kByteSteps;
  Judgement found = measure.of(got, wanted);
  if (got.type != wanted.type) return found;
  if (found.agrees && !judged.is_expected_wrong) return found;
  // Of floats, what says more than an error does: an infinity or a NaN.
  if (holds_floats(type) && !found.difference.reason.empty()) return found;
  if (holds_floats(type)) {
    measure.scale = error_scale(name, judged, tolerance);
    found = measure.of(got, wanted);
    if (found.agrees && !judged.is_expected_wrong) return found;
  }
  const bool is_near = found.difference.relative_error <= most_to_settle(tolerance) &&
                       (holds_floats(type) || (judged.is_by_engine && tolerance.steps > 0));
  const bool is_exact = judged.is_by_engine && follows_byte_products(graph, name, judged.is_known);
  if (!is_near && !is_exact) return found;
  return settled(got, wanted, name, judged, measure, found);
}

std::string text_of(const Judgement& judgement) {
  if (!judgement.difference.reason.empty()) return judgement.difference.reason;
  return fmt::format("differs from the reference by {:.2g} of its largest value (allowed {:.0e})",
                     judgement.difference.relative_error, judgement.allowed);
}

}  // namespace opbench
