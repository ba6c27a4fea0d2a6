#include "model/download/archive_path.h"

#include <gtest/gtest.h>

namespace opbench {
namespace {

TEST(ArchivePath, IsBelowTheRoot) {
  EXPECT_EQ(archive_path("a/b.onnx"), "a/b.onnx");
  EXPECT_EQ(archive_path("./a//b/"), "a/b");
  EXPECT_EQ(archive_path("./"), "");
  EXPECT_EQ(archive_path("..a/b.."), "..a/b..");
}

TEST(ArchivePath, NeverLeavesTheRoot) {
  for (const char* name : {"/etc/passwd", "../a", "a/../../b", "a/..", "..", "//a", ""}) {
    EXPECT_FALSE(archive_path(name)) << name;
  }
  EXPECT_FALSE(archive_path(std::string("a\0b", 3)));
  EXPECT_FALSE(archive_path(std::string(256, 'a')));
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "a/";
  EXPECT_FALSE(archive_path(deep));
}

TEST(ArchivePath, OfALinkMayGoUpInside) {
  EXPECT_EQ(archive_link("a/b", "../c"), "a/c");
  EXPECT_EQ(archive_link("", "x"), "x");
  EXPECT_FALSE(archive_link("a", "../../x"));
  EXPECT_FALSE(archive_link("a", "/x"));
  EXPECT_FALSE(archive_link("", ".."));
}

}  // namespace
}  // namespace opbench
