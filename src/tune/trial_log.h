#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "opbench/record/tuning_record.h"

namespace opbench {

/// A tuner's log, AutoTVM 0.2: the only state that a search has. Each trial is one line, appended
/// in one write.
class TrialLog {
 public:
  /// Opens it to append, making it if it is not there, and locks it for this program.
  /// `kInvalidInput` if it cannot be written, or another program tunes into it.
  static Result<TrialLog> open(const std::filesystem::path& path);
  TrialLog(TrialLog&& other) noexcept;
  TrialLog& operator=(TrialLog&&) = delete;
  TrialLog(const TrialLog&) = delete;
  TrialLog& operator=(const TrialLog&) = delete;
  ~TrialLog();

  const std::filesystem::path& path() const { return path_; }

  /// Reads every trial there is, in constant memory. A last line that was cut when it was written
  /// is removed, as it never counted. `kInvalidInput` naming the first line that is no trial of
  /// AutoTVM 0.2, cut or not, and what `take` refuses, with the line.
  Result<void> read(const std::function<Result<void>(const TuningRecord&)>& take);

  /// Appends a trial: it is there when this program ends, however that comes. `kSystem` when it
  /// cannot be written.
  Result<void> append(const TuningRecord& record);

  /// What was appended is there also when the machine ends. Does nothing when it was less than half
  /// a second ago that it last did, unless `is_last`.
  Result<void> sync(bool is_last = false);

 private:
  TrialLog(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}

  std::filesystem::path path_;
  int file_ = -1;
  bool is_synced_ = true;
  double synced_at_ = 0;
};

}  // namespace opbench
