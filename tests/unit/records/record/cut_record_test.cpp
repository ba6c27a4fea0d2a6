#include "records/record/cut_record.h"

#include <gtest/gtest.h>

#include "base/files/file.h"

namespace opbench {
namespace {

struct LastLine {
  std::string before;
  std::string after;
  bool is_removed;
};

TEST(CutRecord, LeavesAFileToWhichLinesCanBeAppended) {
  const std::string path = testing::TempDir() + "cut_record_test.jsonl";
  const std::string long_text(200'000, 'x');
  for (const LastLine& line :
       std::vector<LastLine>{{"", "", false},
                             {"{\"a\":1}\n", "{\"a\":1}\n", false},
                             {"{\"a\":1}\n{\"a\":", "{\"a\":1}\n", true},
                             {"{\"a\":1}\n{\"a\":2}", "{\"a\":1}\n{\"a\":2}\n", false},
                             {"{\"a\":", "", true},
                             {"{\"a\":1}\n{\"a\":\"" + long_text, "{\"a\":1}\n", true},
                             {"notes", "notes\n", false}}) {
    ASSERT_TRUE(write_file(path, line.before));
    const Result<bool> removed = mend_last_line(path);
    ASSERT_TRUE(removed) << to_text(removed.error());
    EXPECT_EQ(*removed, line.is_removed);
    EXPECT_EQ(read_file(path).value(), line.after);
  }
}

TEST(CutRecord, LeavesAloneWhatIsNoFile) {
  EXPECT_FALSE(mend_last_line("/dev/null").value());
  EXPECT_FALSE(mend_last_line(testing::TempDir() + "not-there").value());
}

}  // namespace
}  // namespace opbench
