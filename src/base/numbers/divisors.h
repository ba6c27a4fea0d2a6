#pragma once

#include <cstdint>
#include <vector>

namespace opbench {

/// How many parts of `divisor` it takes to hold `value`, neither below 0.
int64_t ceil_div(int64_t value, int64_t divisor);

/// All divisors, ascending; of numbers below 1 none.
std::vector<int64_t> divisors_of(int64_t number);

/// The largest divisor up to `limit`; 1 when that is below 1.
int64_t largest_divisor(int64_t number, int64_t limit);

/// The largest of `limit`, a power of two, and its halves that divides `number`.
int64_t power_of_two_dividing(int64_t number, int64_t limit);

/// How many parts AutoTVM's rules put into the middle loop of three: doubled while more than four
/// times as many are left and can be halved.
int64_t middle_part(int64_t count);

}  // namespace opbench
