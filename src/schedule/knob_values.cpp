#include "opbench/schedule/knob_values.h"

#include <set>

namespace opbench {

std::vector<int64_t> numbers(int64_t first, int64_t last) {
  std::vector<int64_t> result;
  for (int64_t number = first; number <= last; ++number) result.push_back(number);
  return result;
}

std::vector<int64_t> divisors(int64_t number, int64_t most) {
  std::vector<int64_t> result = numbers(1, most);
  std::erase_if(result, [&](int64_t divisor) { return number % divisor != 0; });
  return result;
}

std::vector<int64_t> doublings(int64_t most, int64_t by_rule) {
  std::set<int64_t> result = {by_rule};
  for (int64_t number = 1; number <= most; number *= 2) result.insert(number);
  return {result.begin(), result.end()};
}

int64_t knob_or(const Config& config, const std::string& name, int64_t otherwise) {
  const auto found = config.find(name);
  return found == config.end() ? otherwise : found->second;
}

Result<void> check_sums(int64_t sums, int64_t most) {
  if (sums <= most) return {};
  return Error{ErrorCode::kInvalidInput, "a register tile of " + std::to_string(sums) +
                                             " sums; the target holds " + std::to_string(most)};
}

}  // namespace opbench
