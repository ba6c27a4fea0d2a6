#include "model/download/unpack.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/files/file.h"
#include "tar_bytes.h"

namespace opbench {
namespace {
namespace fs = std::filesystem;

constexpr UnpackLimits kLimits{.most_bytes = 1 << 20};

class Unpack : public testing::Test {
 protected:
  Result<void> unpacked(const std::vector<TarMember>& members, UnpackLimits limits = kLimits) {
    return unpacked(tar_of(members), limits);
  }
  Result<void> unpacked(const std::string& bytes, UnpackLimits limits = kLimits) {
    EXPECT_TRUE(write_file(packed(), bytes));
    fs::remove_all(tree());
    fs::create_directory(tree());
    return unpack(packed(), tree(), limits);
  }
  /// The error's first line, after checking its code and that nothing left the folder.
  std::string refusal(const std::vector<TarMember>& members, UnpackLimits limits = kLimits) {
    const auto result = unpacked(members, limits);
    if (result) return "no error";
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
    for (const auto& item : fs::directory_iterator(folder_->path())) {
      EXPECT_TRUE(item.path() == packed() || item.path() == tree()) << item.path();
    }
    return result.error().message;
  }
  fs::path packed() const { return folder_->path() / "packed"; }
  fs::path tree() const { return folder_->path() / "tree"; }
  std::string content(const char* name) const { return read_file(tree() / name).value_or("none"); }

  Result<TemporaryFolder> folder_ = TemporaryFolder::make();
};

TEST_F(Unpack, WritesFilesAndFolders) {
  ASSERT_TRUE(unpacked({{"./", "", '5'}, {"a/", "", '5'}, {"a/x", "one"}, {"b/c/y", "two"}}));
  EXPECT_EQ(content("a/x"), "one");
  EXPECT_EQ(content("b/c/y"), "two");
}

TEST_F(Unpack, ReadsWhatGzipWrites) {
  ASSERT_TRUE(write_file(folder_->path() / "plain", tar_of(std::vector<TarMember>{{"x", "one"}})));
  const std::string from = (folder_->path() / "plain").string();
  for (const std::string tool : {"gzip", "bzip2", "xz", "zstd"}) {
    if (std::system(("command -v " + tool + " >/dev/null").c_str()) != 0) continue;
    const std::string to = packed().string();
    ASSERT_EQ(std::system((tool + " -c <'" + from + "' >'" + to + "'").c_str()), 0);
    EXPECT_TRUE(is_archive(packed())) << tool;
    const auto bytes = read_file(packed());
    ASSERT_TRUE(unpacked(*bytes)) << tool;
    EXPECT_EQ(content("x"), "one");
  }
}

TEST_F(Unpack, MakesLinksInsideFilesAgain) {
  ASSERT_TRUE(
      unpacked({{"a/x", "one"}, {"a/hard", "", '1', "a/x"}, {"b/soft", "", '2', "../a/x"}}));
  EXPECT_EQ(content("a/hard"), "one");
  EXPECT_EQ(content("b/soft"), "one");
  EXPECT_FALSE(fs::is_symlink(tree() / "b/soft"));
}

TEST_F(Unpack, RefusesToLeaveTheFolder) {
  EXPECT_EQ(
      refusal({{"../evil", "x"}}),
      "\"../evil\" in the archive would be written outside its folder, or has no usable name");
  EXPECT_NE(refusal({{"/tmp/opbench-evil", "x"}}), "no error");
  EXPECT_NE(refusal({{"a/../../evil", "x"}}), "no error");
  EXPECT_EQ(refusal({{"l", "", '2', "../evil"}}),
            "\"l\" in the archive is a link that leaves the archive: \"../evil\"");
  EXPECT_NE(refusal({{"l", "", '2', "/etc"}}), "no error");
  EXPECT_NE(refusal({{"l", "", '1', "/etc/passwd"}}), "no error");
  EXPECT_NE(refusal({{"l", "", '1', "../packed"}}), "no error");
}

TEST_F(Unpack, NeverWritesThroughALink) {
  EXPECT_EQ(refusal({{"d/", "", '5'}, {"l", "", '2', "d"}, {"l/x", "x"}}),
            "\"l\" in the archive is a link to \"d\", which is no file before it");
  EXPECT_EQ(refusal({{"a", "one"}, {"l", "", '2', "a"}, {"l", "two"}}),
            "\"l\" in the archive is there twice");
  EXPECT_EQ(content("a"), "one");
}

TEST_F(Unpack, RefusesDevicesAndPipes) {
  for (const char type : {'3', '4', '6'}) {
    EXPECT_EQ(refusal({{"d", "", type}}),
              "\"d\" in the archive is no file, folder or link, but a device, pipe or socket");
  }
}

TEST_F(Unpack, RefusesNamesThatStandTwice) {
  EXPECT_EQ(refusal({{"a", "x"}, {"a", "y"}}), "\"a\" in the archive is there twice");
  EXPECT_NE(refusal({{"a", "x"}, {"a/b", "y"}}), "no error");
}

TEST_F(Unpack, KeepsToItsLimits) {
  const UnpackLimits limits{.most_bytes = 1000, .most_files = 3};
  ASSERT_TRUE(unpacked({{"a", std::string(500, 'x')}, {"b", std::string(500, 'x')}}, limits));
  EXPECT_EQ(refusal({{"a", std::string(500, 'x')}, {"b", std::string(501, 'x')}}, limits),
            "\"b\" in the archive makes it larger than 1000 B");
  EXPECT_EQ(refusal({{"a", "", '0', "", int64_t{1} << 32}}, limits),
            "\"a\" in the archive makes it larger than 1000 B");
  EXPECT_EQ(refusal({{"a"}, {"b"}, {"c"}, {"d"}}, limits), "the archive holds more than 3 files");
}

TEST_F(Unpack, RefusesWhatGrowsTooMuch) {
  const std::string zeros(1 << 20, '\0');
  ASSERT_TRUE(write_file(folder_->path() / "plain", tar_of(std::vector<TarMember>{{"x", zeros}})));
  const std::string from = (folder_->path() / "plain").string();
  ASSERT_EQ(std::system(("gzip -c <'" + from + "' >'" + packed().string() + "'").c_str()), 0);
  const auto bytes = read_file(packed());
  fs::remove(from);
  UnpackLimits limits{.most_bytes = 1 << 30, .most_growth = 100, .free_bytes = 1000};
  ASSERT_GT(zeros.size(), 100 * bytes->size());
  const auto result = unpacked(*bytes, limits);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message.substr(0, 41), "\"x\" in the archive makes it larger than 1");
  limits.free_bytes = 1 << 20;
  EXPECT_TRUE(unpacked(*bytes, limits));
}

TEST_F(Unpack, RefusesDamagedArchives) {
  const std::string whole = tar_of(std::vector<TarMember>{{"a", std::string(5000, 'x')}});
  for (const size_t size : {size_t{100}, size_t{600}, size_t{3000}}) {
    const auto result = unpacked(whole.substr(0, size));
    ASSERT_FALSE(result) << size;
    EXPECT_EQ(result.error().message, "the archive is damaged, or is none");
  }
  EXPECT_FALSE(unpacked(std::string("\x1f\x8b some text")));
  EXPECT_FALSE(unpacked(std::string("PK\x03\x04 some text")));
}

TEST_F(Unpack, EndsWhenItIsCancelled) {
  const std::atomic<bool> cancel = true;
  ASSERT_TRUE(write_file(packed(), tar_of(std::vector<TarMember>{{"a", "x"}})));
  fs::create_directory(tree());
  const auto result = unpack(packed(), tree(), kLimits, &cancel);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace opbench
