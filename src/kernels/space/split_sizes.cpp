#include "kernels/space/split_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/errors/suggestion.h"
#include "base/numbers/divisors.h"
#include "kernels/space/cpython_set.h"

namespace opbench {
namespace {

constexpr size_t kMaxLists = size_t{1} << 20;

std::vector<int64_t> powers_of_two_to(int64_t limit) {
  std::vector<int64_t> result;
  for (int64_t power = 1; power <= limit; power *= 2) result.push_back(power);
  return result;
}

Result<std::vector<int64_t>> factors(int64_t length, const std::string& policy) {
  if (policy == "factors") return divisors_of(length);
  if (policy == "power2") return powers_of_two_to(length);
  if (policy == "verbose") {
    return cpython_union_order(divisors_of(length), powers_of_two_to(length));
  }
  return unknown_name("policy of a split", policy, {"factors", "power2", "verbose", "candidate"});
}

/// Enumerates the nested loops over the factors, the outermost of which chooses the last size.
class SplitEnumeration {
 public:
  SplitEnumeration(int64_t length, const SplitOptions& options, std::vector<int64_t> factors)
      : length_(length),
        no_tail_(options.no_tail.value_or(options.policy == "factors")),
        filter_(options.filter),
        factors_(std::move(factors)),
        sizes_(static_cast<size_t>(options.num_outputs), -1) {
    choose(sizes_.size() - 1, 1);
  }

  bool is_too_long() const { return lists_.size() > kMaxLists; }
  std::vector<SplitSizes> take() && { return std::move(lists_); }

 private:
  /// A product that is too long, or leaves a rest where none may be, stays so with more factors.
  bool fits(int64_t product) const {
    return product <= length_ && (!no_tail_ || length_ % product == 0);
  }

  void choose(size_t position, int64_t product) {
    if (position == 0) {
      if (!filter_ || filter_(sizes_)) lists_.push_back(sizes_);
      return;
    }
    for (const int64_t factor : factors_) {
      if (is_too_long()) return;
      if (!fits(product * factor)) continue;
      sizes_[position] = factor;
      choose(position - 1, product * factor);
    }
  }

  int64_t length_;
  bool no_tail_;
  const std::function<bool(const SplitSizes&)>& filter_;
  std::vector<int64_t> factors_;
  SplitSizes sizes_;
  std::vector<SplitSizes> lists_;
};

Result<std::vector<SplitSizes>> filtered_candidates(const SplitOptions& options) {
  std::vector<SplitSizes> result;
  for (const SplitSizes& sizes : options.candidates) {
    if (sizes.size() != static_cast<size_t>(options.num_outputs)) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("candidate [{}] of a split in {} parts", fmt::join(sizes, ", "),
                               options.num_outputs)};
    }
    if (!options.filter || options.filter(sizes)) result.push_back(sizes);
  }
  return result;
}

}  // namespace

Result<std::vector<SplitSizes>> split_sizes(int64_t length, const SplitOptions& options) {
  if (options.num_outputs < 2) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("a split in {} parts is none", options.num_outputs)};
  }
  if (options.policy == "candidate") return filtered_candidates(options);
  if (length < 1 || length > std::numeric_limits<int32_t>::max()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("an axis of length {}", length)};
  }
  OPBENCH_TRY(std::vector<int64_t> values, factors(length, options.policy));
  std::erase_if(values, [&](int64_t value) { return value > options.max_factor; });
  SplitEnumeration enumeration(length, options, std::move(values));
  if (enumeration.is_too_long()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("more than {} ways to split {} in {}",
                                                       kMaxLists, length, options.num_outputs)};
  }
  return std::move(enumeration).take();
}

}  // namespace opbench
