#include "opbench/store/occurrences.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

namespace opbench {
namespace {

constexpr uint64_t kFewest = 1 << 10, kMost = 1 << 24;

uint32_t print_of(const Id128& id) {
  const auto print = static_cast<uint32_t>(id.high);
  return print == 0 ? 1 : print;
}

}  // namespace

void Occurrences::Free::operator()(void* memory) const { std::free(memory); }

Occurrences::Slots Occurrences::make_slots(uint64_t count) {
  // Zero pages take no memory before they are touched.
  auto* const prints = static_cast<uint32_t*>(std::calloc(count, sizeof(uint32_t)));
  if (prints == nullptr) throw std::bad_alloc();
  return {std::unique_ptr<uint32_t, Free>(prints), count - 1, 0};
}

Occurrences::Occurrences(int64_t expected_records) {
  const auto wanted = static_cast<uint64_t>(std::max<int64_t>(expected_records, 0)) * 3 / 2;
  tables_.push_back(make_slots(std::bit_ceil(std::clamp(wanted, kFewest, kMost))));
}

/// Looks the record up in every table; enters it into the last one when it is in none.
bool Occurrences::is_new(const Id128& id) {
  const uint32_t print = print_of(id);
  uint64_t slot = 0;
  for (const Slots& table : tables_) {
    const uint32_t* const prints = table.prints.get();
    for (slot = id.low & table.mask; prints[slot] != 0; slot = (slot + 1) & table.mask) {
      if (prints[slot] == print) return false;
    }
  }
  Slots& last = tables_.back();
  last.prints.get()[slot] = print;
  if (++last.used > static_cast<int64_t>(last.mask - last.mask / 8)) {
    tables_.push_back(make_slots(std::min(kMost, 4 * (last.mask + 1))));
  }
  return true;
}

void Occurrences::number(std::span<Id128> ids) {
  const std::lock_guard lock(mutex_);
  constexpr size_t kAhead = 16;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) {
      const Slots& last = tables_.back();
      __builtin_prefetch(last.prints.get() + (ids[i + kAhead].low & last.mask), 1);
    }
    if (is_new(ids[i])) continue;
    const int64_t occurrence = ++repeated_[{ids[i].high, ids[i].low}];
    ids[i] = occurrence_id(ids[i], occurrence);
  }
}

}  // namespace opbench
