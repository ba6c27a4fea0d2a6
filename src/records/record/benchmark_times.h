#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "records/record/benchmark_record.h"

namespace opbench {

/// Of at least one value, summed left to right.
double mean_of(const std::vector<double>& values);

/// Of at least `ddof` + 1 values: the root of the squares' sum over n - `ddof`.
double std_of(const std::vector<double>& values, int ddof);

/// RFC 3339 in UTC, with as many digits of a second as there are: `2019-11-23T00:34:11Z`.
std::string rfc3339_of_us(int64_t microseconds);

/// Microseconds since 1970.
int64_t now_us();

/// Sets mean, deviation (n - 1), median, smallest, number and raw times, in milliseconds. At least
/// one.
void set_times(BenchmarkRecord& record, std::vector<double> times_ms);

}  // namespace opbench
