#include "kernels/schedules/knobs/knob_values.h"

#include <fmt/format.h>

#include <set>

namespace opbench {
namespace {

Error bad_knob(const Config& config, const std::string& knob, const std::string& expected,
               const std::string& what) {
  if (!config.contains(knob))
    return {ErrorCode::kInvalidInput, fmt::format("knob \"{}\" is missing", knob)};
  return {ErrorCode::kInvalidInput,
          fmt::format("knob \"{}\" is {}, which {}{}{}", knob, config.at(knob), expected,
                      what.empty() ? "" : ", ", what)};
}

}  // namespace

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

std::vector<int64_t> doublings(int64_t most, int64_t default_value) {
  std::set<int64_t> result = {default_value};
  for (int64_t number = 1; number <= most; number *= 2) result.insert(number);
  return {result.begin(), result.end()};
}

int64_t knob_or(const Config& config, const std::string& name, int64_t otherwise) {
  const auto found = config.find(name);
  return found == config.end() ? otherwise : found->second;
}

Result<void> check_divisor(const Config& config, const std::string& knob, int64_t extent,
                           const std::string& what) {
  const int64_t value = knob_or(config, knob, 0);
  if (value >= 1 && extent % value == 0) return {};
  return bad_knob(config, knob, fmt::format("does not divide {}", extent), what);
}

Result<void> check_range(const Config& config, const std::string& knob, int64_t first, int64_t last,
                         const std::string& what) {
  const auto found = config.find(knob);
  if (found != config.end() && found->second >= first && found->second <= last) return {};
  return bad_knob(config, knob, fmt::format("does not lie within {} to {}", first, last), what);
}

Result<void> check_sums(int64_t sums, int64_t most) {
  if (sums <= most) return {};
  return Error{ErrorCode::kInvalidInput, "a register tile of " + std::to_string(sums) +
                                             " sums; the target holds " + std::to_string(most)};
}

}  // namespace opbench
