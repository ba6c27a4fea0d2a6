#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/sessions/request/cache_mode.h"

namespace opbench {

/// What is measured, how long and how well, and what results are checked against.
struct MeasureOptions {
  CacheMode cache = CacheMode::kHot;
  bool measures_units = true;  ///< false: whole models only, with the whole budget
  double budget_s = 10;        ///< for each engine and thread count
  int64_t runs = 0;            ///< timed calls of every row and model, all processes together; 0:
                               ///< as many as budget and precision want
  int64_t warm_up = 0;  ///< untimed calls before the first timed one of a process; 0: until steady
  std::vector<double> percentiles;  ///< to report, in percent
  double precision = 0.01;  ///< half-width of the interval over the median at which a unit is done
  /// Empty: by default rule (onnxruntime if it is there); `none`: no check; `expected:DIR`: inputs
  /// and outputs in ONNX's form of test data.
  std::string check_engine;
  bool wants_errors = false;  ///< of every unit, from the references in double precision
  std::string inject_fault;   ///< tests only: UNIT=FAULT (fault.h)
};

}  // namespace opbench
