#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "presentation/web/requests/web_answer.h"

namespace opbench {

/// Answers that were given, by the text of their request, for one state of the store; those asked
/// for least lately go where there is no room. Any thread.
class AnswerCache {
 public:
  static constexpr size_t kMostBytes = 4'000'000;

  explicit AnswerCache(size_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}

  /// The answer that was given in this state of the store.
  std::optional<WebAnswer> find(const std::string& key, const std::string& state);

  /// Keeps the answer to a request that was made when the store was in `state`. Nothing is kept of
  /// an answer that takes more than a quarter of the room.
  void keep(const std::string& key, const std::string& state, const WebAnswer& answer);

  /// Of all that is kept.
  size_t bytes() const;

 private:
  struct Entry {
    std::string key;
    WebAnswer answer;
  };
  static size_t bytes_of(const Entry& entry);
  void drop_last();

  size_t most_bytes_;
  mutable std::mutex mutex_;
  std::string state_;
  std::list<Entry> entries_;  ///< the one that was asked for last stands first
  std::map<std::string, std::list<Entry>::iterator> places_;
  size_t bytes_ = 0;
};

}  // namespace opbench
