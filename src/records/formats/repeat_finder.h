#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "records/formats/codec.h"

namespace opbench {

/// Finds records that a file has twice, in memory that does not grow: those after the first
/// `kMost` are compared with these only.
class RepeatFinder {
 public:
  static constexpr size_t kMost = size_t{1} << 20;

  /// W_DUPLICATE for a line that an earlier one equals, else W_REPEATED for a trial whose target,
  /// workload and config an earlier one has; nothing for others.
  std::vector<RecordIssue> issues_of(const ReadItem& item);

 private:
  struct Entry {
    uint64_t hash = 0;
    int64_t line = 0;  ///< 0: free
  };
  /// The line of the first that has this hash, after noting it; 0 if this is the first.
  static int64_t note(std::vector<Entry>& entries, size_t& count, uint64_t hash, int64_t line);

  std::vector<Entry> lines_, configs_;
  size_t line_count_ = 0;
  size_t config_count_ = 0;
};

}  // namespace opbench
