#include "base/files/temporary_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(TemporaryPlace, IsTheFirstThatCanBeUsed) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const fs::path odd = folder->path() / "d\xff";
  const fs::path file = folder->path() / "file";
  const fs::path good = folder->path() / "good";
  fs::create_directory(odd);
  fs::create_directory(good);
  ASSERT_TRUE(write_file(file, ""));
  const auto place = first_usable({folder->path() / "none", odd, file, good}, PlaceUse::kFiles);
  ASSERT_TRUE(place) << to_text(place.error());
  EXPECT_EQ(*place, good);
}

TEST(TemporaryPlace, IsNamedWithTheVariableToSetWhereNoneCanBeUsed) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const fs::path odd = folder->path() / "d\xff";
  fs::create_directory(odd);
  const auto place = first_usable({folder->path() / "none", odd}, PlaceUse::kCode);
  ASSERT_FALSE(place);
  EXPECT_EQ(place.error().code, ErrorCode::kEnvironment);
  const std::string text = to_text(place.error());
  EXPECT_THAT(text, HasSubstr("there is no folder for temporary code"));
  EXPECT_THAT(text, HasSubstr("none: No such file or directory"));
  EXPECT_THAT(text, HasSubstr("d\\xff: its name is not UTF-8"));
  EXPECT_THAT(text, HasSubstr("set: TMPDIR to a folder"));
}

TEST(TemporaryPlace, IsFoundHere) {
  EXPECT_TRUE(temporary_place(PlaceUse::kFiles));
  EXPECT_TRUE(temporary_place(PlaceUse::kCode));
}

}  // namespace
}  // namespace opbench
