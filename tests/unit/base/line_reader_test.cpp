#include "base/files/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/files/file.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Copy {
  std::string text;
  int64_t number = 0;
  bool is_torn = false;
  bool is_too_long = false;
  bool operator==(const Copy&) const = default;
};

void PrintTo(const Copy& line, std::ostream* out) {
  *out << line.number << ": " << line.text.substr(0, 40) << (line.is_torn ? " torn" : "")
       << (line.is_too_long ? " too long" : "");
}

class LineReaderOf : public testing::Test {
 protected:
  std::vector<Copy> lines(const std::string& content, size_t most_bytes = size_t{16} << 20) {
    const std::string path = (folder_.path() / "lines").string();
    std::ofstream(path, std::ios::binary) << content;
    auto reader = LineReader::open(path, most_bytes);
    EXPECT_TRUE(reader);
    std::vector<Copy> copies;
    while (true) {
      const auto line = reader->next();
      EXPECT_TRUE(line);
      if (!line || !*line) return copies;
      copies.push_back(
          {std::string((*line)->text), (*line)->number, (*line)->is_torn, (*line)->is_too_long});
    }
  }
  TemporaryFolder folder_ = TemporaryFolder::make().value();
};

TEST_F(LineReaderOf, GivesLinesWithoutTheirNewlines) {
  EXPECT_THAT(lines("a\n\nb c\n"), ElementsAre(Copy{"a", 1}, Copy{"", 2}, Copy{"b c", 3}));
}

TEST_F(LineReaderOf, MarksALastLineWithoutANewline) {
  EXPECT_THAT(lines("a\nb"), ElementsAre(Copy{"a", 1}, Copy{"b", 2, true}));
  EXPECT_THAT(lines("b"), ElementsAre(Copy{"b", 1, true}));
}

TEST_F(LineReaderOf, KeepsACarriageReturnAndZeroBytesInTheText) {
  EXPECT_THAT(lines("a\r\nb\r"), ElementsAre(Copy{"a\r", 1}, Copy{"b\r", 2, true}));
  const std::string zero("x\0y\n", 4);
  EXPECT_THAT(lines(zero), ElementsAre(Copy{zero.substr(0, 3), 1}));
}

TEST_F(LineReaderOf, PassesOverAByteOrderMark) {
  EXPECT_THAT(lines("\xef\xbb\xbf"
                    "a\n\xef\xbb\xbf"
                    "b\n"),
              ElementsAre(Copy{"a", 1}, Copy{"\xef\xbb\xbf"
                                             "b",
                                             2}));
}

TEST_F(LineReaderOf, GivesNothingForAnEmptyFile) { EXPECT_THAT(lines(""), IsEmpty()); }

TEST_F(LineReaderOf, SkipsALineBeyondTheLimit) {
  EXPECT_THAT(lines("aaaa\nbbbbb\ncc\n", 4),
              ElementsAre(Copy{"aaaa", 1}, Copy{"", 2, false, true}, Copy{"cc", 3}));
  EXPECT_THAT(lines("aaaaa", 4), ElementsAre(Copy{"", 1, true, true}));
  const std::string wide(3'000'000, 'x');
  EXPECT_THAT(lines(wide + "\nb\n", 1000), ElementsAre(Copy{"", 1, false, true}, Copy{"b", 2}));
  EXPECT_THAT(lines("a\n" + wide, 1000), ElementsAre(Copy{"a", 1}, Copy{"", 2, true, true}));
}

TEST_F(LineReaderOf, GivesLinesThatCrossItsBuffer) {
  std::string content;
  std::vector<Copy> expected;
  for (int64_t i = 1; i <= 200; ++i) {
    const std::string text(static_cast<size_t>(i) * 97, static_cast<char>('a' + i % 26));
    content += text + "\n";
    expected.push_back({text, i});
  }
  expected.push_back({std::string(900'000, 'z'), 201});
  content += expected.back().text + "\n";
  EXPECT_EQ(lines(content), expected);
}

TEST(LineReader, RefusesWhatItCannotRead) {
  const auto missing = LineReader::open("/nowhere/a.log");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(to_text(missing.error()), HasSubstr("\"/nowhere/a.log\": No such file"));
  const auto folder = LineReader::open("/tmp");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::kInvalidInput);
  EXPECT_THAT(to_text(folder.error()), HasSubstr("\"/tmp\": it is a folder"));
}

}  // namespace
}  // namespace opbench
