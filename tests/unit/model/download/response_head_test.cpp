#include "model/download/response_head.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(ResponseHead, PrefersAStrongTag) {
  ResponseHead head;
  head.take("HTTP/1.1 200 OK\r\n");
  head.take("Last-Modified: Wed, 21 Oct 2015 07:28:00 GMT\r\n");
  EXPECT_EQ(head.validator(), "Wed, 21 Oct 2015 07:28:00 GMT");
  head.take("ETag: W/\"weak\"\r\n");
  EXPECT_EQ(head.validator(), "Wed, 21 Oct 2015 07:28:00 GMT");
  head.take("eTag:\"strong\"\r\n");
  EXPECT_EQ(head.validator(), "\"strong\"");
  EXPECT_EQ(head.status_line(), "HTTP/1.1 200 OK");
}

TEST(ResponseHead, IsOfTheLastAnswer) {
  ResponseHead head;
  head.take("HTTP/1.1 302 Found\r\n");
  head.take("ETag: \"of the redirect\"\r\n");
  head.take("HTTP/2 200\r\n");
  EXPECT_EQ(head.validator(), "");
}

TEST(ResponseHead, ReadsTheRange) {
  ResponseHead head;
  head.take("Content-Range: bytes 5-9/10\r\n");
  EXPECT_TRUE(head.has_range());
  EXPECT_EQ(head.from(), 5);
  EXPECT_EQ(head.total(), 10);
}

TEST(ResponseHead, LeavesOutOddRanges) {
  for (const char* line : {"Content-Range: bytes */10", "Content-Range: lines 1-2/3",
                           "Content-Range: bytes -5-9/10", "Content-Range: bytes 5-9",
                           "Content-Range: bytes 99999999999999999999-1/2", "Content-Range:"}) {
    ResponseHead head;
    head.take(line);
    EXPECT_FALSE(head.has_range()) << line;
  }
  ResponseHead head;
  head.take("Content-Range: bytes 5-9/*");
  EXPECT_TRUE(head.has_range());
  EXPECT_EQ(head.total(), -1);
}

TEST(ResponseHead, LeavesOutOddValidators) {
  ResponseHead head;
  head.take("ETag: \"a\x01\"\r\n");
  head.take("Last-Modified: " + std::string(10000, 'x') + "\r\n");
  EXPECT_EQ(head.validator(), "");
}

}  // namespace
}  // namespace opbench
