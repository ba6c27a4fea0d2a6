#include "presentation/web/requests/answer_cache.h"

namespace opbench {

size_t AnswerCache::bytes_of(const Entry& entry) {
  constexpr size_t kAround = 256;  // the entry itself and its place
  return 2 * entry.key.size() + entry.answer.body.size() + kAround;
}

std::optional<WebAnswer> AnswerCache::find(const std::string& key, const std::string& state) {
  const std::lock_guard lock(mutex_);
  if (state != state_) return std::nullopt;
  const auto found = places_.find(key);
  if (found == places_.end()) return std::nullopt;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->answer;
}

void AnswerCache::keep(const std::string& key, const std::string& state, const WebAnswer& answer) {
  const std::lock_guard lock(mutex_);
  if (state != state_) {
    entries_.clear();
    places_.clear();
    bytes_ = 0;
    state_ = state;
  }
  Entry entry{key, answer};
  const size_t bytes = bytes_of(entry);
  if (places_.contains(key) || bytes > most_bytes_ / 4) return;
  while (bytes_ + bytes > most_bytes_) drop_last();
  entries_.push_front(std::move(entry));
  places_[key] = entries_.begin();
  bytes_ += bytes;
}

size_t AnswerCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

void AnswerCache::drop_last() {
  bytes_ -= bytes_of(entries_.back());
  places_.erase(entries_.back().key);
  entries_.pop_back();
}

}  // namespace opbench
