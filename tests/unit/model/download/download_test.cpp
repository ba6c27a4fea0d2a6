#include "model/download/download.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/numbers/hash.h"
#include "model_server.h"

namespace opbench {
namespace {

class DownloadFrom : public testing::Test {
 protected:
  void SetUp() override {
    if (!server_.is_there()) GTEST_SKIP() << "node does not run here";
    for (size_t i = 0; i < kBytes; ++i) content_ += static_cast<char>(i * i % 251);
    server_.add("m", content_);
    options_.stall = Seconds(60);  // a busy machine's server takes its time
  }

  Result<std::string> get(const std::string& path) {
    const auto url = parse_url(server_.url(path));
    const auto entry = CacheEntry::open(cache_->path(), url->address, nullptr);
    if (!entry) return entry.error();
    auto result = download(*url, *entry, options_);
    state_ = entry->state();
    arrived_ = read_file(entry->content()).value_or("");
    return result;
  }

  /// The error, without the server's address; nothing may be taken for whole.
  std::string refusal(const std::string& path) {
    const auto result = get(path);
    if (result) return "no error";
    EXPECT_EQ(state_.sha256, "");
    std::string text = to_text(result.error());
    const std::string address = server_.url("");
    for (size_t at = 0; (at = text.find(address)) != std::string::npos;) {
      text.replace(at, address.size(), "URL/");
    }
    code_ = result.error().code;
    return text;
  }

  void leave_part(const std::string& path, const std::string& bytes, DownloadState state) {
    const auto url = parse_url(server_.url(path));
    const auto entry = CacheEntry::open(cache_->path(), url->address, nullptr);
    ASSERT_TRUE(entry);
    state.url = url->address;
    ASSERT_TRUE(write_file(entry->content(), bytes));
    ASSERT_TRUE(entry->set_state(state));
  }

  static constexpr size_t kBytes = 100'000;
  ModelServer server_;
  Result<TemporaryFolder> cache_ = TemporaryFolder::make();
  DownloadOptions options_;
  std::string content_;
  std::string arrived_;
  DownloadState state_;
  ErrorCode code_ = ErrorCode::kSystem;
};

TEST_F(DownloadFrom, AGoodServerIsAskedOnce) {
  EXPECT_EQ(*get("file/m"), sha256(content_));
  EXPECT_EQ(*get("file/m"), sha256(content_));
  EXPECT_EQ(arrived_, content_);
  EXPECT_EQ(state_.total, static_cast<int64_t>(kBytes));
  EXPECT_EQ(server_.requests(), "/file/m -");
}

TEST_F(DownloadFrom, AServerWithoutLengthOrRange) {
  for (const char* path : {"chunked/m", "plain/m", "moved/m"}) {
    ASSERT_TRUE(get(path)) << path;
    EXPECT_EQ(arrived_, content_) << path;
  }
}

TEST_F(DownloadFrom, AnEmptyFile) {
  server_.add("empty", "");
  EXPECT_EQ(*get("file/empty"), sha256(""));
}

TEST_F(DownloadFrom, ABrokenConnectionGoesOnWhereItBroke) {
  ASSERT_TRUE(get("once/60000/m"));
  EXPECT_EQ(arrived_, content_);
  EXPECT_EQ(server_.requests(), "/once/60000/m -;/once/60000/m bytes=60000-");
}

TEST_F(DownloadFrom, AConnectionThatBreaksAgainAndAgain) {
  ASSERT_TRUE(get("break/30000/m"));
  EXPECT_EQ(arrived_, content_);
}

TEST_F(DownloadFrom, AnInterruptedDownloadGoesOnTheNextTime) {
  leave_part("file/m", content_.substr(0, 40000), {.validator = "\"1\"", .total = kBytes});
  ASSERT_TRUE(get("file/m"));
  EXPECT_EQ(arrived_, content_);
  EXPECT_EQ(server_.requests(), "/file/m bytes=40000-");
}

TEST_F(DownloadFrom, APartOfAnotherFileStartsAgain) {
  leave_part("file/m", std::string(40000, 'x'), {.validator = "\"0\"", .total = kBytes});
  ASSERT_TRUE(get("file/m"));
  EXPECT_EQ(arrived_, content_);
  EXPECT_EQ(server_.requests(), "/file/m bytes=40000-");
}

TEST_F(DownloadFrom, APartThatNobodyCanTellStartsAgain) {
  leave_part("plain/m", std::string(40000, 'x'), {.total = kBytes});
  ASSERT_TRUE(get("plain/m"));
  EXPECT_EQ(arrived_, content_);
  EXPECT_EQ(server_.requests(), "/plain/m -");
}

TEST_F(DownloadFrom, AFileThatChangesMeanwhileStartsAgain) {
  ASSERT_TRUE(get("changing/60000/m"));
  EXPECT_EQ(arrived_, content_);
  EXPECT_EQ(state_.validator, "\"2\"");
}

TEST_F(DownloadFrom, AWholePartNeedsNoServer) {
  leave_part("file/m", content_, {.validator = "\"1\"", .total = kBytes});
  ASSERT_TRUE(get("file/m"));
  EXPECT_EQ(server_.requests(), "");
}

TEST_F(DownloadFrom, APartThatIsTooLongStartsAgain) {
  leave_part("file/m", content_ + "x", {.validator = "\"1\"", .total = kBytes});
  ASSERT_TRUE(get("file/m"));
  EXPECT_EQ(arrived_, content_);
}

TEST_F(DownloadFrom, AServerWithoutRangeThatBreaksIsGivenUp) {
  EXPECT_EQ(refusal("break-plain/30000/m"),
            "error: cannot download \"URL/break-plain/30000/m\": the connection broke\n"
            "  arrived: 29.3 KiB of 97.7 KiB\n  help: try again\n");
  EXPECT_EQ(code_, ErrorCode::kEnvironment);
}

TEST_F(DownloadFrom, AStalledServerIsGivenUp) {
  options_.stall = Seconds(1);
  EXPECT_EQ(refusal("stall/m"),
            "error: cannot download \"URL/stall/m\": the server sent nothing for 1 s\n"
            "  arrived: 48.8 KiB of 97.7 KiB\n  help: try again\n");
  EXPECT_EQ(refusal("silent/m"),
            "error: cannot download \"URL/silent/m\": the server sent nothing for 1 s\n");
  EXPECT_EQ(code_, ErrorCode::kEnvironment);
}

TEST_F(DownloadFrom, AServerThatSendsLessThanItSays) {
  EXPECT_EQ(
      refusal("longer/m"),
      "error: cannot download \"URL/longer/m\": the connection broke\n"
      "  arrived: 97.7 KiB of 98.6 KiB\n  help: try again: the download goes on from there\n");
  EXPECT_EQ(code_, ErrorCode::kEnvironment);
}

TEST_F(DownloadFrom, AServerThatSaysLessThanItSendsIsBelieved) {
  // Only a checksum, or the model itself, can tell.
  ASSERT_TRUE(get("shorter/m"));
  EXPECT_EQ(arrived_, content_.substr(0, kBytes / 2));
}

TEST_F(DownloadFrom, AServerThatSendsAnotherPart) {
  EXPECT_EQ(refusal("wrong-part/30000/m"),
            "error: cannot download \"URL/wrong-part/30000/m\": the server sends bytes from 1 on, "
            "asked for those from 30000 on\n");
  EXPECT_EQ(code_, ErrorCode::kInvalidInput);
}

TEST_F(DownloadFrom, ErrorPages) {
  EXPECT_EQ(refusal("status/404/m"),
            "error: cannot download \"URL/status/404/m\": the server answers \"HTTP/1.1 404 Not "
            "Found\"\n");
  EXPECT_EQ(code_, ErrorCode::kInvalidInput);
  EXPECT_EQ(
      refusal("status/503/m"),
      "error: cannot download \"URL/status/503/m\": the server answers \"HTTP/1.1 503 Service "
      "Unavailable\"\n  help: the server does not work at the moment; try again later\n");
  EXPECT_EQ(code_, ErrorCode::kEnvironment);
  EXPECT_EQ(refusal("status/204/m"),
            "error: cannot download \"URL/status/204/m\": the server answers \"HTTP/1.1 204 No "
            "Content\", which is no file\n");
}

TEST_F(DownloadFrom, RedirectsInCirclesAndToFiles) {
  EXPECT_EQ(refusal("loop/m"), "error: cannot download \"URL/loop/m\": more than 10 redirects\n");
  EXPECT_EQ(code_, ErrorCode::kInvalidInput);
  EXPECT_EQ(refusal("elsewhere/m")
                .find("error: cannot download \"URL/elsewhere/m\": the server does "
                      "not speak HTTP, or redirects to another kind of URL\n"),
            0);
  EXPECT_EQ(code_, ErrorCode::kInvalidInput);
  EXPECT_NE(refusal("rubbish/m"), "no error");
}

TEST_F(DownloadFrom, FilesBeyondTheLimit) {
  options_.most_bytes = 1000;
  EXPECT_EQ(refusal("file/m"),
            "error: cannot download \"URL/file/m\": it is larger than 1000 B\n  size: 97.7 KiB\n"
            "  to take more: --max-download SIZE\n");
  EXPECT_EQ(arrived_, "");
  EXPECT_EQ(refusal("endless/m"),
            "error: cannot download \"URL/endless/m\": it is larger than 1000 B\n"
            "  size: the server does not say\n  to take more: --max-download SIZE\n");
  EXPECT_LE(arrived_.size(), 1000);
}

TEST_F(DownloadFrom, AServerThatIsNotThere) {
  const auto url = parse_url("http://127.0.0.1:1/m");
  const auto entry = CacheEntry::open(cache_->path(), url->address, nullptr);
  const auto result = download(*url, *entry, options_);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kEnvironment);
}

TEST_F(DownloadFrom, AFileWithAnotherChecksum) {
  options_.sha256 = sha256("another");
  const std::string text = refusal("file/m");
  EXPECT_NE(text.find("it has another SHA-256"), std::string::npos);
  EXPECT_EQ(arrived_, "");
  EXPECT_EQ(code_, ErrorCode::kInvalidInput);
  options_.sha256 = sha256(content_);
  EXPECT_TRUE(get("file/m"));
}

TEST_F(DownloadFrom, TheCacheWithAnotherChecksumIsReplaced) {
  ASSERT_TRUE(get("file/m"));
  server_.add("m", "changed");
  options_.sha256 = sha256("changed");
  ASSERT_TRUE(get("file/m"));
  EXPECT_EQ(arrived_, "changed");
}

TEST_F(DownloadFrom, ACancelledDownloadIsKept) {
  std::atomic<bool> cancel = false;
  options_.cancel = &cancel;
  std::optional<DownloadProgress> seen;
  options_.progress = [&](const DownloadProgress& progress) {
    seen = progress;
    cancel = true;
  };
  const auto result = get("stall/m");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInterrupted);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->total, static_cast<int64_t>(kBytes));
  EXPECT_TRUE(seen->left);
  EXPECT_GT(arrived_.size(), 0);
  EXPECT_EQ(state_.sha256, "");
}

}  // namespace
}  // namespace opbench
