#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/tensors/tensor_difference.h"
#include "model/judging/tolerance.h"

namespace opbench {

using NamedValues = std::function<std::map<std::string, Tensor>()>;

/// What the results of a model are judged by.
struct JudgedModel {
  const Model& model;
  std::function<bool(const std::string&)> is_known;  ///< whether `known` holds a value
  NamedValues known;   ///< values from which the judged one follows; asked for when it differs
  NamedValues nearby;  ///< the same, as near to it as there are some: they give its scale. Empty:
                       ///< it has none but its own
  Tolerances tolerances = {};
  /// The expected values are an engine's, which may be wrong, and not files that came with the
  /// model: a sum of products of 8-bit integers is settled however far the two are apart.
  bool is_by_engine = false;
  /// The engine is known to be wrong at this value: only the exact one counts.
  bool is_expected_wrong = false;
  const std::atomic<bool>* cancel = nullptr;
};

/// How far expected values are from the exact ones, where that is too far.
struct WrongExpectation {
  double relative_error = 0;
  std::string text;  ///< `off by 11 of 255 steps: it has 14 where the reference has 3, …`
};

struct Judgement {
  Difference difference;  ///< from the expected values, or from the exact ones
  double allowed = 0;     ///< relative error
  bool agrees = false;
  bool is_settled = false;  ///< by the exact values: right although it differs from the expected
  std::optional<WrongExpectation> wrong_expectation = {};
};

/// Whether `got` is as `wanted`: the one judge of `--check`, `verify` and trials.
///
/// Floats agree when max|a-b| <= tolerance · max|b|, with equal infinities and NaN equal. Where
/// that fails, errors of four roundings of what goes into an element are allowed too: max|a-b| <= 4
/// ε input_magnitude (ε: of the type). Where that fails as well, and the error is one that
/// roundings can explain, the operators' references in double precision say what is right. Integers
/// must be equal, or within the step that `tolerance_of` gives.
///
/// The values of an engine are not trusted with products of 8-bit integers, whose sums have one
/// exact value: where two differ, of whatever type and however far, the references settle it. They
/// settle other 8-bit integers behind a quantizing node as they do floats.
Judgement judge(const Tensor& got, const Tensor& wanted, const std::string& name,
                const JudgedModel& judged);

/// What errors of the value `name` are divided by at least: the tolerance of that is four roundings
/// of what goes into an element. 0 where nothing nearby is known.
double error_scale(const std::string& name, const JudgedModel& judged, const Tolerance& tolerance);

/// `differs from the reference by 0.5 of its largest value (allowed 1e-04)`, or the reason why no
/// error can be given.
std::string text_of(const Judgement& judgement);

}  // namespace opbench
