#include "model/download/download.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/numbers/hash.h"
#include "base/tensors/tensor_size.h"
#include "base/text/printable.h"
#include "model/download/http_transfer.h"

namespace opbench {
namespace {

using Clock = std::chrono::steady_clock;

Error failed(const Url& url, ErrorCode code, const std::string& what) {
  return {code, fmt::format("cannot download \"{}\": {}", printable(url.text), what)};
}

Error too_large(const Url& url, const DownloadOptions& options, double bytes) {
  return failed(url, ErrorCode::kInvalidInput,
                fmt::format("it is larger than {}",
                            size_text(static_cast<double>(options.most_bytes))))
      .with("size", bytes > 0 ? size_text(bytes) : "the server does not say")
      .with("to take more", "--max-download SIZE");
}

/// The file of an entry while bytes are appended to it.
class ContentFile {
 public:
  explicit ContentFile(const CacheEntry& entry) : path_(entry.content()), size_(entry.size()) {}
  ContentFile(const ContentFile&) = delete;
  ContentFile& operator=(const ContentFile&) = delete;
  ~ContentFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  int64_t size() const { return size_; }

  Result<void> open() {
    if (fd_ < 0) fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd_ < 0) return fault("write");
    return {};
  }

  /// Whoever reads the old file keeps it: a new one takes its name.
  Result<void> restart() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
    if (::unlink(path_.c_str()) != 0 && errno != ENOENT) return fault("replace");
    size_ = 0;
    return open();
  }

  Result<void> append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return fault("write");
      size_ += written;
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    return {};
  }

  Result<void> sync() {
    OPBENCH_CHECK(open());
    if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) return fault("sync");
    return {};
  }

 private:
  Error fault(const char* action) const {
    return {ErrorCode::kSystem,
            fmt::format("cannot {} \"{}\": {}", action, path_.string(), std::strerror(errno))};
  }

  std::filesystem::path path_;
  int64_t size_ = 0;
  int fd_ = -1;
};

/// One download, in as many transfers as it takes.
class Download {
 public:
  Download(const Url& url, const CacheEntry& entry, const DownloadOptions& options)
      : url_(url), entry_(entry), options_(options), state_(entry.state()), content_(entry) {}

  Result<void> run() {
    // Without a sign of the server's, or a checksum to tell, two files could be mixed.
    const bool can_resume = !state_.validator.empty() || !options_.sha256.empty();
    if (state_.url != url_.address || !can_resume) {
      state_ = {};
      OPBENCH_CHECK(content_.restart());
    }
    OPBENCH_CHECK(content_.open());
    begin_ = Clock::now();
    first_ = content_.size();
    for (int attempt = 0; !is_whole_; ++attempt) {
      if (state_.total >= 0 && content_.size() == state_.total) break;
      OPBENCH_CHECK(try_once(attempt));
    }
    return content_.sync();
  }

 private:
  /// Transfers what is missing. An end that brought more than any before is no error.
  Result<void> try_once(int attempt) {
    constexpr int kMostAttempts = 50;
    constexpr std::chrono::milliseconds kPause(200);
    if (attempt > 0) std::this_thread::sleep_for(kPause);
    const TransferSink sink{.begin = [&](const TransferHead& head) { return start(head); },
                            .write = [&](std::string_view bytes) { return take(bytes); }};
    OPBENCH_TRY(const TransferResult result,
                transfer(url_, content_.size(), state_.validator, options_, sink));
    if (result.end == TransferEnd::kWhole) {
      is_whole_ = state_.total < 0 || content_.size() == state_.total;
      if (is_whole_) return {};
    }
    if (result.end == TransferEnd::kNoRange && content_.size() > 0 && !was_refused_) {
      was_refused_ = true;
      state_ = {};
      return content_.restart();
    }
    const bool is_further = content_.size() > furthest_;
    furthest_ = std::max(furthest_, content_.size());
    if (is_further && attempt < kMostAttempts) return {};
    return given_up(result);
  }

  Error given_up(const TransferResult& result) const {
    const std::string reason = result.reason.empty() ? "the connection broke" : result.reason;
    const std::string whole =
        state_.total >= 0 ? fmt::format(" of {}", size_text(static_cast<double>(state_.total)))
                          : "";
    Error error = failed(url_, result.code, reason);
    if (content_.size() == 0) return error;
    return std::move(error)
        .with("arrived", size_text(static_cast<double>(content_.size())) + whole)
        .with("help", state_.validator.empty() ? "try again"
                                               : "try again: the download goes on from there");
  }

  Result<void> start(const TransferHead& head) {
    if (head.total > options_.most_bytes) {
      return too_large(url_, options_, static_cast<double>(head.total));
    }
    const bool goes_on = head.from > 0 && head.from == content_.size() &&
                         (state_.total < 0 || head.total < 0 || head.total == state_.total) &&
                         (head.validator.empty() || head.validator == state_.validator);
    if (head.from > 0 && !goes_on) {
      return failed(url_, ErrorCode::kInvalidInput,
                    fmt::format("the server sends bytes from {} on, asked for those from {} on",
                                head.from, content_.size()));
    }
    if (!goes_on) {
      OPBENCH_CHECK(content_.restart());
      first_ = 0;
      begin_ = Clock::now();
    }
    const std::string validator = goes_on ? state_.validator : head.validator;
    state_ = {.url = url_.address, .validator = validator, .total = head.total};
    return entry_.set_state(state_);
  }

  Result<void> take(std::string_view bytes) {
    if (content_.size() + static_cast<int64_t>(bytes.size()) > options_.most_bytes) {
      return too_large(url_, options_, static_cast<double>(state_.total));
    }
    OPBENCH_CHECK(content_.append(bytes));
    if (options_.progress) options_.progress(progress());
    return {};
  }

  DownloadProgress progress() const {
    DownloadProgress progress{.bytes = content_.size(), .total = state_.total};
    const Seconds spent = Clock::now() - begin_;
    const auto come = static_cast<double>(content_.size() - first_);
    const auto left = static_cast<double>(state_.total - content_.size());
    if (state_.total >= 0 && come > 0) progress.left = spent * (left / come);
    return progress;
  }

  const Url& url_;
  const CacheEntry& entry_;
  const DownloadOptions& options_;
  DownloadState state_;
  ContentFile content_;
  Clock::time_point begin_;
  int64_t first_ = 0;      ///< bytes that were there when the clock started
  int64_t furthest_ = -1;  ///< bytes at the end of any transfer so far
  bool is_whole_ = false;
  bool was_refused_ = false;  ///< the server had no bytes from where the file ended
};

}  // namespace

Result<std::string> download(const Url& url, const CacheEntry& entry,
                             const DownloadOptions& options) {
  DownloadState state = entry.state();
  const bool is_there = state.url == url.address && !state.sha256.empty();
  const bool is_wanted = options.sha256.empty() || state.sha256 == options.sha256;
  if (is_there && is_wanted) return state.sha256;
  if (is_there) entry.clear();
  if (const Result<void> done = Download(url, entry, options).run(); !done) {
    if (entry.size() == 0) entry.clear();
    return done.error();
  }
  OPBENCH_TRY(const std::string sha256, sha256_of_file(entry.content()));
  if (!options.sha256.empty() && sha256 != options.sha256) {
    entry.clear();
    return failed(url, ErrorCode::kInvalidInput, "it has another SHA-256")
        .with("wanted", options.sha256)
        .with("got", sha256);
  }
  state = entry.state();
  state.url = url.address;
  state.total = entry.size();
  state.sha256 = sha256;
  OPBENCH_CHECK(entry.set_state(state));
  return sha256;
}

}  // namespace opbench
