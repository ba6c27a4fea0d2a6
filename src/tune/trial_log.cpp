#include "opbench/tune/trial_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "opbench/base/line_reader.h"
#include "opbench/base/monotonic_clock.h"
#include "opbench/record/tuning_codec.h"

namespace opbench {
namespace {

Error log_error(const std::filesystem::path& path, ErrorCode code) {
  return Error{code, fmt::format("cannot write \"{}\": {}", path.string(), std::strerror(errno))};
}

Error bad_line(const std::filesystem::path& path, int64_t line, const std::string& why) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("line {} of \"{}\" is no trial of a tuner", line, path.string())}
      .with("reason", why);
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// Whether a line that was cut could be one of ours: what is none must not be removed.
bool may_begin_trial(std::string_view text) {
  constexpr std::string_view kBegin = R"({"input": [")";
  return text.starts_with(kBegin) || kBegin.starts_with(text);
}

}  // namespace

Result<TrialLog> TrialLog::open(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return log_error(path, ErrorCode::kInvalidInput);
  TrialLog log(path, file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("another program tunes into \"{}\"", path.string())};
  }
  return log;
}

TrialLog::TrialLog(TrialLog&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      is_synced_(other.is_synced_),
      synced_at_(other.synced_at_) {}

TrialLog::~TrialLog() {
  if (file_ >= 0) ::close(file_);
}

Result<void> TrialLog::read(const std::function<Result<void>(const TuningRecord&)>& take) {
  OPBENCH_TRY(LineReader lines, LineReader::open(path_.string()));
  for (;;) {
    OPBENCH_TRY(const std::optional<Line> line, lines.next());
    if (!line) return {};
    if (line->is_too_long) return bad_line(path_, line->number, "it is beyond 16 MiB");
    if (line->is_torn) {
      if (!may_begin_trial(line->text)) {
        return bad_line(path_, line->number, "it has no end, and begins otherwise");
      }
      const auto size = static_cast<off_t>(std::filesystem::file_size(path_) - line->text.size());
      if (::ftruncate(file_, size) != 0) return log_error(path_, ErrorCode::kSystem);
      return {};
    }
    if (is_blank(line->text)) continue;
    const DecodedLine decoded = decode_autotvm(line->text);
    if (!decoded.record) {
      const bool has_issue = !decoded.issues.empty();
      return bad_line(path_, line->number, has_issue ? decoded.issues.front().message : "");
    }
    const Result<void> taken = take(*decoded.record);
    if (!taken) {
      return Error(taken.error())
          .with("in", fmt::format("line {} of {}", line->number, path_.string()));
    }
  }
}

Result<void> TrialLog::append(const TuningRecord& record) {
  OPBENCH_TRY(std::string line, encode_autotvm(record));
  line += '\n';
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
