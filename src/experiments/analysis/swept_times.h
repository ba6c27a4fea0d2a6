#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "measuring/results/sweep_result.h"

namespace opbench {

/// One thing that a sweep varies: a value for each row.
struct SweptKey {
  std::string name;
  std::vector<std::string> texts;
  std::vector<double> numbers;  ///< as many as texts where all are numbers, else empty
  bool is_numeric() const { return !texts.empty() && numbers.size() == texts.size(); }
};

/// Times and the settings that they were taken with, wherever they come from.
struct SweptTimes {
  std::string source;   ///< the file, or `measured`
  std::string subject;  ///< model or workload; empty where the source does not say
  std::vector<SweptKey> keys;
  std::string time_name;      ///< of the column of times
  std::string unit;           ///< ms, us, s, ns; empty where the source does not say
  std::vector<double> times;  ///< above 0; one for each row
  size_t without_time = 0;    ///< further rows that have none
};

/// Number of distinct values of a column.
size_t distinct_of(const SweptKey& column);

/// The column of that name; else the only one that has the name as a part between `_`, `.` or `-`:
/// `threads` finds `tvm_num_threads`. `kInvalidInput` with the known names and a guess.
Result<size_t> column_named(const SweptTimes& table, const std::string& name);

/// Adds a row of texts, one a key; without a time it is counted only.
void add_row(SweptTimes& table, const std::vector<std::string>& values, std::optional<double> time);

/// Fills in the numbers of columns that have nothing else. `kInvalidInput` where no row has a time.
Result<SweptTimes> finished(SweptTimes table);

/// A row for each point that has a time, not yet finished.
SweptTimes rows_of(const SweepResult& result);

/// The points that have a time.
SweptTimes swept_times_of(const SweepResult& result);

}  // namespace opbench
