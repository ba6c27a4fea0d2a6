#include "base/files/text_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/files/file.h"

namespace opbench {
namespace {

using testing::HasSubstr;

Result<std::string> text_of_file(const std::string& bytes) {
  const auto folder = TemporaryFolder::make();
  const auto path = folder->path() / "text";
  EXPECT_TRUE(write_file(path, bytes));
  return read_text_file(path);
}

TEST(TextFile, IsReadWithoutItsByteOrderMark) {
  EXPECT_EQ(text_of_file("\xef\xbb\xbf"
                         "a = 1\n")
                .value(),
            "a = 1\n");
  EXPECT_EQ(text_of_file("a = 1\n").value(), "a = 1\n");
  EXPECT_EQ(text_of_file("\xef\xbb").value(), "\xef\xbb");
  EXPECT_EQ(text_of_file("").value(), "");
}

TEST(TextFile, IsRefusedInWiderEncodings) {
  const auto wide =
      text_of_file(std::string("\xff\xfe"
                               "a\0",
                               4));
  ASSERT_FALSE(wide);
  EXPECT_EQ(wide.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(to_text(wide.error()), HasSubstr("is text in UTF-16, which is not read"));
  EXPECT_THAT(to_text(wide.error()), HasSubstr("iconv -f UTF-16 -t UTF-8 "));
  EXPECT_THAT(to_text(text_of_file(std::string("\xff\xfe\0\0", 4)).error()), HasSubstr("UTF-32"));
}

}  // namespace
}  // namespace opbench
