#include "engines/protocol/tensor_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fstream>

#include "base/files/file.h"

namespace opbench {
namespace {

using testing::HasSubstr;

constexpr std::array kValues{1.5F, -2.0F, 0.0F, 3e-40F, 5.0F, 6.0F};

TEST(TensorFiles, ReturnWhatWasWritten) {
  const auto folder = TemporaryFolder::make().value();
  const Tensor a = Tensor::of<float>(DataType::kFloat32, {2, 3}, kValues);
  const Tensor b = Tensor::of<int64_t>(DataType::kInt64, {}, std::array<int64_t, 1>{-7});
  const Tensor c = Tensor::empty({DataType::kUint8, {0, 4}});
  const Json list =
      write_tensors(folder.path() / "new", {{"in/a:0", a}, {"b", b}, {"c", c}}).value();
  EXPECT_EQ(list[0]["shape"], Json({2, 3}));
  EXPECT_EQ(list[0]["data_type"], "float32");
  const auto tensors = read_tensors(list).value();
  EXPECT_EQ(tensors.at("in/a:0"), a);
  EXPECT_EQ(tensors.at("b"), b);
  EXPECT_EQ(tensors.at("c"), c);
}

TEST(TensorFiles, RefuseAFileOfAnotherSize) {
  const auto folder = TemporaryFolder::make().value();
  const auto path = folder.path() / "x.bin";
  Json json = write_tensor(path, "x", Tensor::of<float>(DataType::kFloat32, {6}, kValues)).value();
  json["shape"] = {7};
  EXPECT_THAT(read_tensor(json).error().message, HasSubstr("has 24 bytes, its type 28"));
  json["path"] = "/no/such/file";
  EXPECT_THAT(read_tensor(json).error().message, HasSubstr("/no/such/file"));
}

TEST(TensorFiles, RefuseADescriptionThatIsNone) {
  EXPECT_FALSE(read_tensor(Json::object()));
  EXPECT_FALSE(read_tensor({{"path", "x"}, {"data_type", "float31"}, {"shape", {1}}}));
  EXPECT_FALSE(read_tensor({{"path", "x"}, {"data_type", "string"}, {"shape", {1}}}));
  EXPECT_FALSE(read_tensor({{"path", "x"}, {"data_type", "float32"}, {"shape", {-1}}}));
  EXPECT_FALSE(read_tensors(Json(3)));
  EXPECT_TRUE(read_tensors(Json())->empty());
}

TEST(TensorFiles, NameAPlaceThatCannotBeWritten) {
  const Tensor tensor = Tensor::empty({DataType::kFloat32, {1}});
  EXPECT_THAT(write_tensor("/no/such/folder/x.bin", "x", tensor).error().message,
              HasSubstr("/no/such/folder/x.bin"));
}

}  // namespace
}  // namespace opbench
