#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "base/tensors/half.h"
#include "model/operators/order/element_order.h"

namespace opbench {

/// An element of a line in the order of TopK: the largest or the smallest lead, of equal ones the
/// first.
template <class T, bool kIsLargest>
struct PlacedElement {
  T value;
  size_t place;

  PlacedElement(T value_at, size_t at) : value(value_at), place(at) {}
  size_t position() const { return place; }
  bool operator<(const PlacedElement& other) const {
    const T a = kIsLargest ? other.value : value, b = kIsLargest ? value : other.value;
    if (is_below(a, b)) return true;
    return !is_below(b, a) && place < other.place;
  }
};

/// The same for values of at most 32 bits in lines shorter than 2^32: one number to compare.
template <class T, bool kIsLargest>
struct PackedElement {
  int64_t key;

  PackedElement(T value, size_t at)
      : key(static_cast<int64_t>(kIsLargest ? ~order_of(value) : order_of(value)) * (1LL << 32) +
            static_cast<int64_t>(at)) {}
  size_t position() const { return static_cast<uint32_t>(key); }
  bool operator<(const PackedElement& other) const { return key < other.key; }

 private:
  /// Ordered as the values are: NaN is above all numbers, and the two zeros are equal.
  static int32_t order_of(T value) {
    if constexpr (is_real_v<T>) {
      const float number = static_cast<float>(value) + 0.0F;
      if (number != number) return INT32_MAX;
      const auto bits = std::bit_cast<int32_t>(number);
      return bits ^ (bits >> 31 & INT32_MAX);
    } else {
      return static_cast<int32_t>(static_cast<int64_t>(value) -
                                  (std::is_same_v<T, uint32_t> ? 1LL << 31 : 0));
    }
  }
};

/// The first elements of lines, in order.
template <class T, bool kIsLargest>
class LeadingElements {
 public:
  using Element = std::conditional_t<sizeof(T) <= 4, PackedElement<T, kIsLargest>,
                                     PlacedElement<T, kIsLargest>>;

  explicit LeadingElements(int64_t count) : count_(static_cast<size_t>(count)) {}

  /// Of a line of neighbours, which has `count` or more.
  std::span<const Element> of_line(std::span<const T> line) {
    kept_.clear();
    if (count_ == 0) return kept_;
    if (count_ <= kFew)
      find_few(line);
    else
      find_many(line);
    return kept_;
  }

 private:
  static constexpr size_t kFew = 16;    ///< sorted as they come
  static constexpr size_t kBlock = 16;  ///< elements that are compared at once

  /// False for what comes after `last`, or is equal; NaN must be looked at more closely.
  static bool may_lead(T value, T last) { return kIsLargest ? !(value <= last) : !(value >= last); }

  /// The first element from `i` on that may come before `last`.
  static size_t next_candidate(std::span<const T> line, size_t i, T last) {
    for (; i + kBlock <= line.size(); i += kBlock) {
      int32_t candidates = 0;
      for (size_t at = i; at < i + kBlock; ++at) candidates |= may_lead(line[at], last) ? 1 : 0;
      if (candidates != 0) break;
    }
    while (i < line.size() && !may_lead(line[i], last)) ++i;
    return i;
  }

  /// Takes the place of the last one that is kept, if it comes before that.
  void insert(Element element) {
    size_t at = kept_.size() - 1;
    if (!(element < kept_[at])) return;
    for (; at > 0 && element < kept_[at - 1]; --at) kept_[at] = kept_[at - 1];
    kept_[at] = element;
  }

  void find_few(std::span<const T> line) {
    for (size_t i = 0; i < count_; ++i) kept_.emplace_back(line[i], i);
    std::ranges::sort(kept_, std::less());
    for (size_t i = count_;; ++i) {
      i = next_candidate(line, i, line[kept_.back().position()]);
      if (i >= line.size()) return;
      insert({line[i], i});
    }
  }

  /// Gathers candidates, and drops those that are none any more when there are twice too many.
  void find_many(std::span<const T> line) {
    for (size_t i = 0; i < count_; ++i) kept_.emplace_back(line[i], i);
    T last = line[std::ranges::max_element(kept_, std::less())->position()];
    for (size_t i = count_;; ++i) {
      i = next_candidate(line, i, last);
      if (i >= line.size()) break;
      kept_.emplace_back(line[i], i);
      if (kept_.size() == 2 * count_) last = line[drop_others().position()];
    }
    drop_others();
    std::ranges::sort(kept_, std::less());
  }

  /// Keeps the first `count_` in any order, the last of them at the end.
  Element drop_others() {
    std::ranges::nth_element(kept_, kept_.begin() + static_cast<std::ptrdiff_t>(count_ - 1),
                             std::less());
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(count_), kept_.end());
    return kept_.back();
  }

  size_t count_ = 0;
  std::vector<Element> kept_;
};

}  // namespace opbench
