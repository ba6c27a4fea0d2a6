#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "records/store/store_folder.h"

namespace opbench {

struct CompactionOptions {
  int threads = 0;                                ///< 0: as many as there are CPUs
  int64_t whole_from_bytes = int64_t{512} << 20;  ///< parts of this size stay as they are
  size_t fewest_parts = 2;                        ///< with less there is nothing to do
};

struct Compaction {
  bool is_elsewhere = false;  ///< another program compacts this store at the moment
  int64_t parts_before = 0;
  int64_t parts_after = 0;
  int64_t parts_merged = 0;
  int64_t leftovers = 0;  ///< files removed that stopped programs had left behind
};

/// What a part that is made of these stands for: they themselves and what they stand for, all the
/// way down.
Result<std::vector<std::string>> names_of_parts(const std::vector<StorePart>& parts);

/// Removes what counts no more; the number of files.
int64_t remove_part_files(const std::vector<StorePart>& parts);

/// Merges the small parts of a kind into one. Readers and writers go on meanwhile: the merged part
/// counts in place of the others from the moment it is there. `kSystem` for a full disk; then
/// nothing has changed.
Result<Compaction> compact(StoreFolder& store, RecordKind kind,
                           const CompactionOptions& options = {});

}  // namespace opbench
