#include "model/judging/judgement.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/judging/exact_values.h"
#include "model/judging/input_magnitude.h"

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

}  // namespace

Judgement judge(const Tensor& got, const Tensor& wanted, const std::string& name,
                const JudgedModel& judged) {
  const Tolerance tolerance = tolerance_of(judged.model.graph, name, wanted.type.data_type,
                                           judged.is_known, judged.tolerances);
  if (tolerance.steps > 0) {
    return judgement_of(step_difference(got, wanted),
                        static_cast<double>(tolerance.steps) / kByteSteps);
  }
  const double allowed = tolerance.relative;
  const Judgement plain = judgement_of(difference_of(got, wanted), allowed);
  if (plain.agrees || !plain.difference.reason.empty()) return plain;
  double scale = 0;
  if (judged.nearby) {
    const auto magnitude = input_magnitude(judged.model, judged.nearby(), name, judged.cancel);
    if (magnitude) scale = kRoundings * tolerance.rounding / allowed * *magnitude;
  }
  const Judgement scaled = judgement_of(difference_of(got, wanted, scale), allowed);
  if (scaled.agrees || scaled.difference.relative_error > most_to_settle(tolerance)) return scaled;
  const auto exact = exact_values(judged.model, judged.known(), {name}, judged.cancel);
  if (!exact) return scaled;
  Judgement apart = judgement_of(difference_of(widened(got), exact->at(name), scale), allowed);
  apart.is_settled = apart.agrees;
  return apart;
}

std::string text_of(const Judgement& judgement) {
  if (!judgement.difference.reason.empty()) return judgement.difference.reason;
  return fmt::format("differs from the reference by {:.2g} of its largest value (allowed {:.0e})",
                     judgement.difference.relative_error, judgement.allowed);
}

}  // namespace opbench
