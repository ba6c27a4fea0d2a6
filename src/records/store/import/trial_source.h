#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "records/json/record_grammar.h"
#include "records/store/rows/text_arena.h"
#include "records/store/rows/trial_row.h"

namespace opbench {

/// What reading a file found.
struct FileCounts {
  int64_t records = 0;                              ///< lines that should hold one
  int64_t valid = 0;                                ///< accepted
  std::map<std::string, int64_t> errors, warnings;  ///< by code
  std::multimap<int64_t, std::string>
      messages;  ///< by line: `log:7:12: error E_COSTS: …`, the first

  /// Counts the issues of a place in the file, and keeps their words.
  void add(const std::string& file, int64_t line, const std::vector<RecordIssue>& issues);
  void add(const FileCounts& other);
  std::vector<std::string> ordered_messages() const;
};

/// One thread's way through a source.
class TrialWorker {
 public:
  virtual ~TrialWorker() = default;
  /// Texts of rows from now on live in `arena`.
  virtual void begin_chunk(TextArena& arena) = 0;
  /// False at the end. `kSystem` when reading fails.
  virtual Result<bool> next(TrialRow& row) = 0;
  virtual const FileCounts& counts() const = 0;
};

/// Trials of one file. Threads take turns in reading it and work side by side on what they read.
class TrialSource {
 public:
  virtual ~TrialSource() = default;
  virtual std::unique_ptr<TrialWorker> make_worker() = 0;
  virtual int most_threads() const = 0;
  virtual int64_t size_bytes() const = 0;  ///< 0: not known
};

/// An AutoTVM log, at speed. `kInvalidInput` if it cannot be opened.
Result<std::unique_ptr<TrialSource>> open_autotvm_source(const std::string& path);

/// A file of any format with trials; other records in it are errors. Errors as open_records().
Result<std::unique_ptr<TrialSource>> open_general_source(const std::string& path);

}  // namespace opbench
