#include "records/store/import/occurrences.h"

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

bool Occurrences::contains(const Id128& id) const {
  const uint32_t print = print_of(id);
  return std::ranges::any_of(tables_, [&](const Slots& table) {
    const uint32_t* const prints = table.prints.get();
    uint64_t slot = id.low & table.mask;
    while (prints[slot] != 0 && prints[slot] != print) slot = (slot + 1) & table.mask;
    return prints[slot] == print;
  });
}

void Occurrences::insert(const Id128& id) {
  Slots& last = tables_.back();
  uint64_t slot = id.low & last.mask;
  while (last.prints.get()[slot] != 0) slot = (slot + 1) & last.mask;
  last.prints.get()[slot] = print_of(id);
  if (++last.used > static_cast<int64_t>(last.mask - last.mask / 8)) {
    tables_.push_back(make_slots(std::min(kMost, 4 * (last.mask + 1))));
  }
}

/// The first one not seen: in steps that double, then between the last two.
int64_t Occurrences::next_occurrence(const Id128& content) const {
  int64_t seen = 0, free = 1;
  while (contains(occurrence_id(content, free))) {
    seen = free;
    free *= 2;
  }
  while (free - seen > 1) {
    const int64_t middle = seen + (free - seen) / 2;
    (contains(occurrence_id(content, middle)) ? seen : free) = middle;
  }
  return free;
}

void Occurrences::number(std::span<Id128> ids) {
  const std::lock_guard lock(mutex_);
  constexpr size_t kAhead = 16;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) {
      const Slots& last = tables_.back();
      __builtin_prefetch(last.prints.get() + (ids[i + kAhead].low & last.mask), 1);
    }
    if (contains(ids[i])) ids[i] = occurrence_id(ids[i], next_occurrence(ids[i]));
    insert(ids[i]);
  }
}

}  // namespace opbench
