#include "model/download/http_transfer.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>

#include "base/tensors/tensor_size.h"
#include "base/text/printable.h"
#include "model/download/download_libraries.h"
#include "model/download/response_head.h"

namespace opbench {
namespace {

using TransferClock = std::chrono::steady_clock;

constexpr long kOk = 200;
constexpr long kPartialContent = 206;
constexpr long kFirstError = 400;
constexpr long kRequestTimeout = 408;
constexpr long kNoSuchRange = 416;
constexpr long kTooManyRequests = 429;
constexpr long kFirstServerError = 500;
constexpr long kMostRedirects = 10;
constexpr long kConnectSeconds = 30;

struct EndCurl {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using Handle = std::unique_ptr<CURL, EndCurl>;
using HeaderList = std::unique_ptr<curl_slist, EndCurl>;

long status_of(CURL* curl) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/// One request: libcurl calls back into it.
class Transfer {
 public:
  Transfer(const Url& url, int64_t from, const DownloadOptions& options, const TransferSink& sink)
      : url_(url), from_(from), options_(options), sink_(sink), curl_(curl_easy_init()) {}

  Result<TransferResult> run(const std::string& validator) {
    if (!curl_) return Error{ErrorCode::kEnvironment, "libcurl cannot be used here"};
    ask(validator);
    const CURLcode code = curl_easy_perform(curl_.get());
    // An empty file has no bytes to call `take` with.
    if (code == CURLE_OK && !error_ && !has_begun_) begin();
    return result(code);
  }

 private:
  template <class T>
  void set(CURLoption option, T value) {
    curl_easy_setopt(curl_.get(), option, value);
  }

  void ask(const std::string& validator) {
    set(CURLOPT_URL, url_.address.c_str());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "opbench/" OPBENCH_VERSION);
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, url_.is_encrypted ? "https" : "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kMostRedirects);
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_ERRORBUFFER, message_.data());
    set(CURLOPT_WRITEFUNCTION, &Transfer::take);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &Transfer::take_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Transfer::look);
    set(CURLOPT_XFERINFODATA, this);
    if (from_ == 0) return;
    set(CURLOPT_RANGE, fmt::format("{}-", from_).c_str());
    if (validator.empty()) return;
    headers_.reset(curl_slist_append(nullptr, ("If-Range: " + validator).c_str()));
    set(CURLOPT_HTTPHEADER, headers_.get());
  }

  static size_t take_header(char* bytes, size_t size, size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    transfer.heard_ = TransferClock::now();
    transfer.head_.take({bytes, size * count});
    return size * count;
  }

  static size_t take(char* bytes, size_t size, size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    transfer.heard_ = TransferClock::now();
    return transfer.write({bytes, size * count}) ? size * count : 0;
  }

  /// libcurl asks at least once a second.
  static int look(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto& transfer = *static_cast<Transfer*>(self);
    return transfer.is_cancelled() || transfer.has_stalled() ? 1 : 0;
  }

  bool is_cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

  /// libcurl's own limit, CURLOPT_LOW_SPEED_TIME, is of a mean over seconds, which reaches 0 late.
  bool has_stalled() {
    if (!is_connected()) return false;
    const TransferClock::time_point now = TransferClock::now();
    if (heard_ == TransferClock::time_point()) heard_ = now;
    is_stalled_ = now - heard_ >= shortest_stall();
    return is_stalled_;
  }

  Seconds shortest_stall() const { return std::max(Seconds(1), options_.stall); }

  bool write(std::string_view bytes) {
    if (!has_begun_ && !begin()) return false;
    const Result<void> written = sink_.write(bytes);
    if (!written) error_ = written.error();
    return written.has_value();
  }

  /// False where there is no file to take.
  bool begin() {
    const long status = status_of(curl_.get());
    const bool is_part = status == kPartialContent && head_.has_range();
    if (status != kOk && !is_part) return false;
    TransferHead head{.validator = head_.validator()};
    if (is_part) {
      head.from = head_.from();
      head.total = head_.total();
    } else {
      curl_off_t length = -1;
      curl_easy_getinfo(curl_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
      head.total = length;
    }
    has_begun_ = true;
    const Result<void> taken = sink_.begin(head);
    if (!taken) error_ = taken.error();
    return taken.has_value();
  }

  Error failed(ErrorCode code, const std::string& what) const {
    return {code, fmt::format("cannot download \"{}\": {}", printable(url_.text), what)};
  }

  std::string said() const {
    const std::string text = message_.data();
    return printable(text);
  }

  Result<TransferResult> result(CURLcode code) {
    if (code == CURLE_ABORTED_BY_CALLBACK && is_stalled_) return broken(CURLE_OPERATION_TIMEDOUT);
    if (code == CURLE_ABORTED_BY_CALLBACK) {
      return failed(ErrorCode::kInterrupted, "interrupted");
    }
    if (error_) return Error(*error_);
    const long status = status_of(curl_.get());
    const bool has_answer = code == CURLE_OK || code == CURLE_WRITE_ERROR;
    if (has_answer && !has_begun_) return refusal(status);
    if (code == CURLE_OK) return TransferResult{};
    return broken(code);
  }

  /// The server has answered, but sends no file.
  Result<TransferResult> refusal(long status) const {
    if (status == kNoSuchRange && from_ > 0) return TransferResult{TransferEnd::kNoRange, "", {}};
    const std::string line = printable(head_.status_line());
    if (status == kRequestTimeout || status == kTooManyRequests || status >= kFirstServerError) {
      return failed(ErrorCode::kEnvironment, fmt::format("the server answers \"{}\"", line))
          .with("help", "the server does not work at the moment; try again later");
    }
    if (status >= kFirstError) {
      return failed(ErrorCode::kInvalidInput, fmt::format("the server answers \"{}\"", line));
    }
    if (status == kPartialContent) {
      return TransferResult{TransferEnd::kNoRange, "the server sends another part than asked", {}};
    }
    return failed(ErrorCode::kInvalidInput,
                  fmt::format("the server answers \"{}\", which is no file", line));
  }

  Result<TransferResult> broken(CURLcode code) const {
    const auto again = [](std::string reason) {
      return TransferResult{TransferEnd::kBroken, std::move(reason), ErrorCode::kEnvironment};
    };
    switch (code) {
      case CURLE_OPERATION_TIMEDOUT:
        return again(is_connected() ? fmt::format("the server sent nothing for {:.0f} s",
                                                  shortest_stall().count())
                                    : said());
      case CURLE_PARTIAL_FILE:
      case CURLE_RECV_ERROR:
      case CURLE_SEND_ERROR:
      case CURLE_GOT_NOTHING:
      case CURLE_HTTP2:
      case CURLE_HTTP2_STREAM:
        return again("the connection broke");
      case CURLE_COULDNT_RESOLVE_HOST:
      case CURLE_COULDNT_RESOLVE_PROXY:
        return failed(ErrorCode::kEnvironment, "no address is known for the host")
            .with("host", url_.host);
      case CURLE_TOO_MANY_REDIRECTS:
        return failed(ErrorCode::kInvalidInput,
                      fmt::format("more than {} redirects", kMostRedirects));
      case CURLE_UNSUPPORTED_PROTOCOL:
        return failed(ErrorCode::kInvalidInput,
                      "the server does not speak HTTP, or redirects to "
                      "another kind of URL")
            .with("reason", said())
            .with("valid", url_.is_encrypted ? "https" : "http, https");
      case CURLE_URL_MALFORMAT:
        return failed(ErrorCode::kInvalidInput, said());
      default:
        return failed(ErrorCode::kEnvironment, said().empty() ? curl_easy_strerror(code) : said());
    }
  }

  bool is_connected() const {
    double seconds = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_PRETRANSFER_TIME, &seconds);
    return seconds > 0;
  }

  const Url& url_;
  const int64_t from_;
  const DownloadOptions& options_;
  const TransferSink& sink_;
  Handle curl_;
  HeaderList headers_;
  ResponseHead head_;
  std::array<char, CURL_ERROR_SIZE> message_{};
  std::optional<Error> error_;
  bool has_begun_ = false;
  TransferClock::time_point
      heard_;  ///< when the server last sent something; none yet: when it was reached
  bool is_stalled_ = false;
};

}  // namespace

Result<TransferResult> transfer(const Url& url, int64_t from, const std::string& validator,
                                const DownloadOptions& options, const TransferSink& sink) {
  OPBENCH_CHECK(load_download_libraries());
  return Transfer(url, from, options, sink).run(validator);
}

}  // namespace opbench
