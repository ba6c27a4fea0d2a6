#include "base/json/byte_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opbench {
namespace {

TEST(ByteText, IsTextWhereItCanBe) {
  EXPECT_EQ(byte_text("m\xc3\xbc.onnx").dump(), "\"m\xc3\xbc.onnx\"");
  EXPECT_EQ(byte_text("").dump(), "\"\"");
  EXPECT_EQ(byte_text("m\xff").dump(), "[109,255]");
}

TEST(ByteText, IsReadBack) {
  for (const std::string bytes : {"", "plain", "m\xff\x80/x", "\xc3\xbc"}) {
    EXPECT_EQ(bytes_of(Json::parse(byte_text(bytes).dump())), bytes);
  }
  EXPECT_FALSE(bytes_of(Json(7)));
  EXPECT_FALSE(bytes_of(Json::parse("[256]")));
  EXPECT_FALSE(bytes_of(Json::parse("[\"a\"]")));
}

}  // namespace
}  // namespace opbench
