#include "model/download/url.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(Url, IsTakenApart) {
  const auto url = parse_url("https://example.org:8443/a/model.tar.gz?x=/1#b/model.onnx");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->address, "https://example.org:8443/a/model.tar.gz?x=/1");
  EXPECT_EQ(url->host, "example.org:8443");
  EXPECT_EQ(url->name, "model.tar.gz");
  EXPECT_EQ(url->member, "b/model.onnx");
  EXPECT_TRUE(url->is_encrypted);
}

TEST(Url, WithoutAPathIsNamedAfterTheHost) {
  for (const char* text :
       {"http://host", "HTTP://host/", "http://host?query", "http://host#part"}) {
    const auto url = parse_url(text);
    ASSERT_TRUE(url) << text;
    EXPECT_EQ(url->name, "host") << text;
    EXPECT_FALSE(url->is_encrypted);
  }
}

TEST(Url, RefusesOtherSchemes) {
  const auto url = parse_url("htps://host/x");
  ASSERT_FALSE(url);
  EXPECT_EQ(to_text(url.error()),
            "error: unknown scheme of a URL: \"htps\"\n  known: https, http\n"
            "  did you mean: https?\n  in: htps://host/x\n");
  EXPECT_FALSE(parse_url("file:///etc/passwd"));
  EXPECT_FALSE(parse_url("ftp://host/x"));
}

TEST(Url, RefusesPasswords) {
  const auto url = parse_url("https://me:secret@host/x");
  ASSERT_FALSE(url);
  EXPECT_EQ(to_text(url.error()).find("secret"), std::string::npos);
}

TEST(Url, RefusesWhatIsNone) {
  EXPECT_FALSE(parse_url("http://"));
  EXPECT_FALSE(parse_url("http:///x"));
  EXPECT_FALSE(parse_url("http://host/a b"));
  EXPECT_FALSE(parse_url("http://host/a\r\nHost: other"));
}

TEST(Url, IsToldFromPaths) {
  EXPECT_TRUE(is_url("http://host/x"));
  EXPECT_TRUE(is_url("htps://host/x"));
  EXPECT_FALSE(is_url("a/b.onnx"));
  EXPECT_FALSE(is_url("C:/x"));
}

}  // namespace
}  // namespace opbench
