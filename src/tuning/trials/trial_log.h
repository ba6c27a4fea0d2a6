#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "records/formats/codec.h"

namespace opbench {

/// A tuner's log: the only state that a search has. Each trial is one record, appended in one
/// write: a line of AutoTVM 0.2, or whatever format can begin a record (codec.h).
class TrialLog {
 public:
  /// Opens it to append, making it if it is not there, and locks it for this program. `format`: the
  /// name of a codec; empty: that of the log as it is, of a new one by its ending (.pb: protobuf,
  /// else autotvm). `kInvalidInput` if it cannot be written, another program tunes into it, or it
  /// is in another format.
  static Result<TrialLog> open(const std::filesystem::path& path, const std::string& format = {});
  TrialLog(TrialLog&& other) noexcept;
  TrialLog& operator=(TrialLog&&) = delete;
  TrialLog(const TrialLog&) = delete;
  TrialLog& operator=(const TrialLog&) = delete;
  ~TrialLog();

  const std::filesystem::path& path() const { return path_; }

  /// Reads every trial there is, in constant memory. A last one that was cut when it was written
  /// is removed, as it never counted. `kInvalidInput` naming the first line that is no trial, cut
  /// or not, and what `take` refuses, with the line.
  Result<void> read(const std::function<Result<void>(const TuningRecord&)>& take);

  /// Appends a trial: it is there when this program ends, however that comes. `kSystem` when it
  /// cannot be written.
  Result<void> append(const TuningRecord& record);

  /// What was appended is there also when the machine ends. Does nothing when it was less than half
  /// a second ago that it last did, unless `is_last`.
  Result<void> sync(bool is_last = false);

 private:
  TrialLog(std::filesystem::path path, int file, const CodecDef* codec)
      : path_(std::move(path)), file_(file), codec_(codec) {}
  Result<bool> remove_cut_begin();
  Result<void> remove_cut(const ReadItem& item);

  std::filesystem::path path_;
  int file_ = -1;
  const CodecDef* codec_;
  bool is_synced_ = true;
  double synced_at_ = 0;
};

}  // namespace opbench
