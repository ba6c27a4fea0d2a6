#include "model/graph/file_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/graph/onnx_file.h"

namespace opbench {
namespace {

using std::string_literals::operator""s;
using testing::HasSubstr;

TEST(FileKind, KnowsFilesThatAreTakenForModels) {
  EXPECT_THAT(file_kind("\x1c\0\0\0TFL3\0"s), HasSubstr("TensorFlow Lite"));
  EXPECT_THAT(file_kind("\x1f\x8b\x08\0"s), HasSubstr("gzip"));
  EXPECT_THAT(file_kind("PK\x03\x04..archive/data.pkl"), HasSubstr("PyTorch"));
  EXPECT_THAT(file_kind("PK\x03\x04..model.onnx"), HasSubstr("zip file"));
  EXPECT_THAT(file_kind("\x80\x02}q"), HasSubstr("pickle"));
  EXPECT_THAT(file_kind("\x89HDF\r\n\x1a\n"), HasSubstr("HDF5"));
  EXPECT_THAT(file_kind("\x10\0\0\0\0\0\0\0{\"a\":{}}        "s), HasSubstr("safetensors"));
  EXPECT_THAT(file_kind("version https://git-lfs.github.com/spec/v1\n"), HasSubstr("Git LFS"));
  EXPECT_THAT(file_kind("<!DOCTYPE html>"), HasSubstr("web page"));
  EXPECT_THAT(file_kind("ir_version: 8\n"), HasSubstr("ONNX's text format"));
  EXPECT_THAT(file_kind(" {\"graph\": 1}"), HasSubstr("JSON"));
  EXPECT_EQ(file_kind("hello\n"), "text");
  EXPECT_EQ(file_kind(std::string(40, '\0')), "zeros");
  EXPECT_EQ(file_kind("\x01\x02\x03\x99"), "");
}

TEST(FileKind, IsSaidWhereAModelIsExpected) {
  for (const std::string& bytes :
       {"\x1c\0\0\0TFL3\0"s, "\x1f\x8b\x08\0"s, "PK\x03\x04..archive/data.pkl"s, "\x80\x02}q"s,
        "version https://git-lfs.github.com/spec/v1\n"s, std::string(40, '\0'), "ir_version: 8\n"s,
        "\x10\0\0\0\0\0\0\0{\"a\":{}}        "s, "<!DOCTYPE html>"s, "{\"ir_version\": 8}"s}) {
    const auto model = parse_onnx(bytes, "f.onnx", "");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message, "\"f.onnx\" is not an ONNX model");
    ASSERT_EQ(model.error().facts.size(), 1U) << bytes;
    EXPECT_EQ(model.error().facts[0], (Fact{"it is", file_kind(bytes)}));
  }
}

}  // namespace
}  // namespace opbench
