#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/schedules/schedule.h"

namespace opbench {

/// first, first + 1, … last; none when last is less.
std::vector<int64_t> numbers(int64_t first, int64_t last);

/// Those numbers up to `most` that divide `number`.
std::vector<int64_t> divisors(int64_t number, int64_t most);

/// 1, 2, 4, … up to `most`, and `default_value`, in order.
std::vector<int64_t> doublings(int64_t most, int64_t default_value);

/// A knob that not every config of the schedule has.
int64_t knob_or(const Config& config, const std::string& name, int64_t otherwise);

/// `kInvalidInput` naming the knob unless its value is a divisor of `extent`; `what` says what has
/// that extent: "the number of channel blocks".
Result<void> check_divisor(const Config& config, const std::string& knob, int64_t extent,
                           const std::string& what = "");

/// The same for a knob within `first` … `last`.
Result<void> check_range(const Config& config, const std::string& knob, int64_t first, int64_t last,
                         const std::string& what = "");

/// `kInvalidInput` when a register tile has more than `most` sums.
Result<void> check_sums(int64_t sums, int64_t most);

}  // namespace opbench
