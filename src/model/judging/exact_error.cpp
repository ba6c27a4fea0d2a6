#include "model/judging/exact_error.h"

#include <algorithm>

#include "model/judging/exact_values.h"

namespace opbench {

Result<ExactError> exact_error(const Tensor& got, const std::string& name,
                               const JudgedModel& judged) {
  const DataType type = got.type.data_type;
  const Tolerance tolerance =
      tolerance_of(judged.model.graph, name, type, judged.is_known, judged.tolerances);
  OPBENCH_TRY(auto exact, exact_values(judged.model, judged.known(), {name}, judged.cancel));
  const Tensor& right = exact.at(name);
  const bool is_float = right.type.data_type == DataType::kFloat64;
  if (!is_float && tolerance.steps == 0) {
    const Difference difference = integer_difference(got, right);
    return ExactError{difference.relative_error, 0, difference.reason};
  }
  if (!is_float) {
    const Difference difference = step_difference(got, right);
    const int64_t steps = steps_from_exact(judged.model.graph, name, judged.is_known);
    return ExactError{difference.relative_error, static_cast<double>(steps) / kByteSteps,
                      difference.reason};
  }
  const Difference difference = difference_of(widened(got), right);
  const double scale = error_scale(name, judged, tolerance);
  const double largest = largest_magnitude(right);
  const double share = largest > 0 ? std::max(1.0, scale / largest) : 1;
  return ExactError{difference.relative_error, tolerance.relative * share, difference.reason};
}

}  // namespace opbench
