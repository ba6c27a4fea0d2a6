#include "presentation/web/compare/kept_pairs.h"

#include <algorithm>
#include <utility>

namespace opbench {

std::shared_ptr<const PairedRows> KeptPairs::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, key, &Entry::key);
  if (found == entries_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found);
  return entries_.front().pair;
}

void KeptPairs::keep(const std::string& key, std::shared_ptr<const PairedRows> pair) {
  if (pair->rows.size() > kMostRows) return;
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.key == key; });
  entries_.push_front({key, std::move(pair)});
  if (entries_.size() > kMostPairs) entries_.pop_back();
}

}  // namespace opbench
