#include "kernels/space/cpython_set.h"

#include <algorithm>
#include <cstddef>

namespace opbench {
namespace {

/// CPython's set of integers: open addressing, a run of neighbours before each jump.
class CpythonSet {
 public:
  CpythonSet() : slots_(8, kEmpty) {}

  explicit CpythonSet(const std::vector<int64_t>& values) : CpythonSet() {
    for (const int64_t value : values) add(value);
  }

  /// Adds a value, and grows the table when it gets three fifths full.
  void add(int64_t value) {
    if (!place(value)) return;
    ++fill_;
    if (fill_ * 5 >= mask() * 3) resize(fill_ * 4);
  }

  void merge(const CpythonSet& other) {
    if ((fill_ + other.fill_) * 5 >= mask() * 3) resize((fill_ + other.fill_) * 2);
    if (fill_ == 0 && slots_.size() == other.slots_.size()) {
      *this = other;
      return;
    }
    const bool was_empty = fill_ == 0;
    for (const int64_t value : other.slots_) {
      if (value == kEmpty) continue;
      if (!was_empty) {
        add(value);
      } else if (place(value)) {
        ++fill_;
      }
    }
  }

  std::vector<int64_t> values() const {
    std::vector<int64_t> result;
    std::ranges::copy_if(slots_, std::back_inserter(result),
                         [](int64_t value) { return value != kEmpty; });
    return result;
  }

 private:
  static constexpr int64_t kEmpty = -1;
  static constexpr size_t kNeighbours = 9;

  size_t mask() const { return slots_.size() - 1; }

  /// Writes the value into its slot; false if it is there already.
  bool place(int64_t value) {
    auto perturb = static_cast<size_t>(value);
    size_t at = perturb & mask();
    while (true) {
      const size_t last = at + kNeighbours <= mask() ? at + kNeighbours : at;
      for (size_t slot = at; slot <= last; ++slot) {
        if (slots_[slot] == value) return false;
        if (slots_[slot] != kEmpty) continue;
        slots_[slot] = value;
        return true;
      }
      perturb >>= 5;
      at = (at * 5 + 1 + perturb) & mask();
    }
  }

  /// To the smallest power of two above `minimum`, at least 8.
  void resize(size_t minimum) {
    size_t size = 8;
    while (size <= minimum) size *= 2;
    const std::vector<int64_t> old = values();
    slots_.assign(size, kEmpty);
    for (const int64_t value : old) place(value);
  }

  std::vector<int64_t> slots_;
  size_t fill_ = 0;
};

}  // namespace

std::vector<int64_t> cpython_union_order(const std::vector<int64_t>& first,
                                         const std::vector<int64_t>& second) {
  CpythonSet result;
  result.merge(CpythonSet(first));
  result.merge(CpythonSet(second));
  return result.values();
}

}  // namespace opbench
