#include "base/numbers/hash.h"

#include <gtest/gtest.h>

#include <string>

#include "base/files/file.h"

namespace opbench {
namespace {

// FIPS 180-2, appendix B.
constexpr auto kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr auto kOfMillion = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(sha256("abc"), kOfAbc);
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), kOfMillion);
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const auto path = folder->path() / "file";
  for (const size_t size : {size_t{0}, size_t{3}, size_t{1} << 20, (size_t{3} << 20) + 1}) {
    const std::string bytes(size, 'x');
    ASSERT_TRUE(write_file(path, bytes));
    EXPECT_EQ(*sha256_of_file(path), sha256(bytes)) << size;
  }
}

TEST(Sha256, OfAMissingFileIsAnError) {
  const auto hash = sha256_of_file("/nowhere/file");
  ASSERT_FALSE(hash);
  EXPECT_EQ(hash.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(hash.error().message, "cannot read \"/nowhere/file\": No such file or directory");
}

}  // namespace
}  // namespace opbench
