#include "base/system/loaded_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opbench {
namespace {

using testing::HasSubstr;

TEST(LoadLibrary, LeadsJumpsToTheFunctionsInTheirOrder) {
  void* targets[2] = {};
  ASSERT_TRUE(load_library("libm.so.6", {"floor\0ceil\0", targets}));
  using Function = double (*)(double);
  EXPECT_EQ(reinterpret_cast<Function>(targets[0])(1.5), 1);
  EXPECT_EQ(reinterpret_cast<Function>(targets[1])(1.5), 2);
}

TEST(LoadLibrary, SaysWhichLibraryIsMissing) {
  const auto loaded = load_library("libabsent.so.3", {"", nullptr});
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::kEnvironment);
  EXPECT_THAT(to_text(loaded.error()), HasSubstr("cannot load the library \"libabsent.so.3\""));
}

TEST(LoadLibrary, SaysWhichFunctionIsMissing) {
  void* targets[2] = {};
  const auto loaded = load_library("libm.so.6", {"floor\0flour\0", targets});
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("\"libm.so.6\" lacks the function \"flour\""));
}

}  // namespace
}  // namespace opbench
