#include "base/numbers/divisors.h"

#include <algorithm>

namespace opbench {

int64_t ceil_div(int64_t value, int64_t divisor) { return (value + divisor - 1) / divisor; }

std::vector<int64_t> divisors_of(int64_t number) {
  std::vector<int64_t> low, high;
  for (int64_t divisor = 1; divisor <= number / divisor; ++divisor) {
    if (number % divisor != 0) continue;
    low.push_back(divisor);
    if (divisor != number / divisor) high.push_back(number / divisor);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

int64_t largest_divisor(int64_t number, int64_t limit) {
  int64_t divisor = std::max<int64_t>(1, std::min(number, limit));
  while (number % divisor != 0) --divisor;
  return divisor;
}

int64_t power_of_two_dividing(int64_t number, int64_t limit) {
  int64_t power = limit;
  while (number % power != 0) power /= 2;
  return power;
}

int64_t middle_part(int64_t count) {
  int64_t part = 1;
  while (count / part > 4 && (count / part) % 2 == 0) part *= 2;
  return part;
}

}  // namespace opbench
