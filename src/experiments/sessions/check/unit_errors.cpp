#include "experiments/sessions/check/unit_errors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "engines/protocol/tensor_files.h"
#include "model/judging/exact_error.h"

namespace opbench {
namespace {

// The result that exceeds what it may have by most.
void keep_worst(const ExactError& found, const std::string& value, UnitError& unit) {
  const auto beyond = [](double error, double allowed) {
    return error == 0 ? 0 : error / std::max(allowed, std::numeric_limits<double>::min());
  };
  const bool is_worst = !unit.error || beyond(found.error, found.allowed) >
                                           beyond(*unit.error, unit.allowed.value_or(0));
  if (!is_worst) return;
  unit.value = value;
  unit.error = found.error;
  unit.allowed = found.allowed;
  unit.reason = found.reason;
}

void compare_unit(const PreparedUnit& unit, const UnitAccess& access, const Expected& expected,
                  UnitError& found) {
  const auto run =
      run_unit(access.call, access.unit_id ? Json(*access.unit_id) : Json(), unit, expected);
  if (!run) {
    found.reason = to_text(run.error());
    return;
  }
  if (!*run) {
    found.reason = "its operands or its result are not known";
    return;
  }
  const std::vector<std::string> names = result_names(unit);
  for (size_t i = 0; i < names.size() && i < (*run)->outputs.size(); ++i) {
    auto got = read_tensor((*run)->outputs[i]);
    if (!got) {
      found.reason = "its output is unreadable";
      return;
    }
    const Tensor made = as_in_model(std::move(*got), expected, names[i]);
    const auto error = exact_error(made, names[i], judged_by_operands(unit, expected));
    if (error) {
      keep_worst(*error, names[i], found);
    } else if (!found.error) {
      found.reason = error.error().message;
    }
  }
}

}  // namespace

std::vector<UnitError> unit_errors(const std::vector<PreparedUnit>& units,
                                   const std::function<UnitAccess(size_t unit)>& access,
                                   const Expected& expected,
                                   const std::function<void(size_t unit)>& progress) {
  std::vector<UnitError> errors;
  for (size_t i = 0; i < units.size(); ++i) {
    if (expected.cancel != nullptr && *expected.cancel) break;
    if (progress) progress(i);
    UnitError& found = errors.emplace_back();
    found.unit = i;
    found.identity = units[i].identity;
    compare_unit(units[i], access(i), expected, found);
  }
  return errors;
}

}  // namespace opbench
