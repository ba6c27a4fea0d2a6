#include "tuning/trials/trial_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/errors/suggestion.h"
#include "base/system/monotonic_clock.h"
#include "records/formats/codec.h"
#include "records/record/cut_record.h"

namespace opbench {
namespace {

Error log_error(const std::filesystem::path& path, ErrorCode code) {
  return Error{code, fmt::format("cannot write \"{}\": {}", path.string(), std::strerror(errno))};
}

Error bad_record(const std::filesystem::path& path, const ReadItem& item, const std::string& why) {
  const char* what = item.text.empty() ? "record" : "line";
  return Error{ErrorCode::kInvalidInput, fmt::format("{} {} of \"{}\" is no trial of a tuner", what,
                                                     item.line, path.string())}
      .with("reason", why);
}

/// The first error of an item without a record.
std::string reason_of(const ReadItem& item) {
  const auto error = std::ranges::find_if(item.issues, &RecordIssue::is_error);
  return error == item.issues.end() ? "it is of another kind" : error->message;
}

std::vector<std::string> log_formats() {
  std::vector<std::string> names;
  for (const CodecDef& codec : codec_table().all()) {
    if (!codec.file_begin.empty() || !codec.record_begin.empty()) names.push_back(codec.name);
  }
  return names;
}

/// By its name; else by the ending of the log's.
Result<const CodecDef*> wanted_codec(const std::string& format, const std::filesystem::path& path) {
  const std::vector<std::string> known = log_formats();
  const std::string name = !format.empty()             ? format
                           : path.extension() == ".pb" ? "protobuf"
                                                       : "autotvm";
  if (std::ranges::find(known, name) == known.end()) return unknown_name("log format", name, known);
  return codec_table().find(name);
}

/// The format of a log that holds something; null if it cannot be told.
const CodecDef* codec_of(const std::filesystem::path& path, int file) {
  constexpr size_t kHeadBytes = size_t{64} << 10;
  std::string head(kHeadBytes, '\0');
  const ssize_t got = ::pread(file, head.data(), head.size(), 0);
  if (got <= 0) return nullptr;
  head.resize(static_cast<size_t>(got));
  for (const std::string& name : log_formats()) {
    const CodecDef* codec = *codec_table().find(name);
    if (codec->recognises({.path = path.string(), .bytes = head})) return codec;
  }
  return nullptr;
}

}  // namespace

Result<TrialLog> TrialLog::open(const std::filesystem::path& path, const std::string& format) {
  OPBENCH_TRY(const CodecDef* wanted, wanted_codec(format, path));
  std::error_code ignored;
  if (std::filesystem::is_other(path, ignored)) {
    return Error{ErrorCode::kInvalidInput, fmt::format("cannot write \"{}\"", path.string())}.with(
        "reason", "a log is read again, which a pipe or a device cannot be");
  }
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return log_error(path, ErrorCode::kInvalidInput);
  TrialLog log(path, file, wanted);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("another program tunes into \"{}\"", path.string())};
  }
  const CodecDef* found = codec_of(path, file);
  if (found == nullptr || found == wanted) return log;
  if (!format.empty()) {
    return Error{ErrorCode::kInvalidInput, fmt::format("log \"{}\" is in format \"{}\", not \"{}\"",
                                                       path.string(), found->name, format)};
  }
  log.codec_ = found;
  return log;
}

TrialLog::TrialLog(TrialLog&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      codec_(other.codec_),
      is_synced_(other.is_synced_),
      synced_at_(other.synced_at_) {}

TrialLog::~TrialLog() {
  if (file_ >= 0) ::close(file_);
}

Result<bool> TrialLog::remove_cut_begin() {
  std::string begin(codec_->file_begin.size(), '\0');
  const ssize_t got = ::pread(file_, begin.data(), begin.size(), 0);
  if (got < 0) return log_error(path_, ErrorCode::kSystem);
  begin.resize(static_cast<size_t>(got));
  if (begin == codec_->file_begin || !codec_->file_begin.starts_with(begin)) return false;
  if (::ftruncate(file_, 0) != 0) return log_error(path_, ErrorCode::kSystem);
  return true;
}

Result<void> TrialLog::read(const std::function<Result<void>(const TuningRecord&)>& take) {
  OPBENCH_TRY(const bool is_empty, remove_cut_begin());
  if (is_empty) return {};
  OPBENCH_TRY(const auto reader, codec_->open(path_.string()));
  for (;;) {
    OPBENCH_TRY(const std::optional<ReadItem> item, reader->next());
    if (!item) return {};
    if (item->torn_at) return remove_cut(*item);
    const auto* trial = item->record ? std::get_if<TuningRecord>(&*item->record) : nullptr;
    if (trial == nullptr) return bad_record(path_, *item, reason_of(*item));
    const Result<void> taken = take(*trial);
    if (!taken) {
      const char* what = item->text.empty() ? "record" : "line";
      return Error(taken.error())
          .with("in", fmt::format("{} {} of {}", what, item->line, path_.string()));
    }
  }
}

Result<void> TrialLog::remove_cut(const ReadItem& item) {
  constexpr uint64_t kMostBytes = uint64_t{64} << 10;  // of one trial
  const uint64_t bytes = std::filesystem::file_size(path_) - static_cast<uint64_t>(*item.torn_at);
  if (bytes > kMostBytes || !may_be_cut(item.text, codec_->record_begin)) {
    return bad_record(path_, item, "it has no end, and begins otherwise");
  }
  return remove_end(file_, path_, *item.torn_at);
}

Result<void> TrialLog::append(const TuningRecord& record) {
  OPBENCH_TRY(std::string line, codec_->encode(record));
  if (::lseek(file_, 0, SEEK_END) == 0) line.insert(0, codec_->file_begin);
  const ssize_t written = ::write(file_, line.data(), line.size());
  if (written < 0) return log_error(path_, ErrorCode::kSystem);
  if (static_cast<size_t>(written) < line.size()) {
    errno = ENOSPC;
    return log_error(path_, ErrorCode::kSystem);
  }
  is_synced_ = false;
  return {};
}

Result<void> TrialLog::sync(bool is_last) {
  constexpr double kPause = 0.5;
  if (is_synced_ || (!is_last && monotonic_s() - synced_at_ < kPause)) return {};
  if (::fdatasync(file_) != 0 && errno != EINVAL) return log_error(path_, ErrorCode::kSystem);
  is_synced_ = true;
  synced_at_ = monotonic_s();
  return {};
}

}  // namespace opbench
