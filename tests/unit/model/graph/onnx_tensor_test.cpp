#include "model/graph/onnx_tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files/file.h"
#include "model/graph/onnx_file.h"
#include "onnx_models.h"

namespace opbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Proto = onnx::TensorProto;

Proto tensor_of(Proto::DataType type, const std::vector<int64_t>& shape) {
  Proto proto;
  proto.set_name("w");
  proto.set_data_type(type);
  for (const int64_t extent : shape) proto.add_dims(extent);
  return proto;
}

/// Both ways of reading must agree.
Result<Tensor> decoded(const Proto& proto) {
  ExternalData external("");
  auto tensor = decode_tensor(proto, external);
  const auto again = decode_tensor(proto.SerializeAsString(), external);
  EXPECT_EQ(tensor.has_value(), again.has_value());
  if (tensor && again) {
    EXPECT_EQ(*tensor, again->tensor);
    EXPECT_EQ(again->name, proto.name());
  }
  return tensor;
}

std::string onnx_tensor_message_of(const Proto& proto) {
  const auto tensor = decoded(proto);
  return tensor ? "no error" : tensor.error().message;
}

template <class T>
std::vector<T> values_of(const Result<Tensor>& tensor) {
  if (!tensor) return {};
  const auto values = tensor->as<T>();
  return {values.begin(), values.end()};
}

TEST(OnnxTensor, ReadsRawValuesOfEveryWidth) {
  auto floats = tensor_of(Proto::FLOAT, {2});
  floats.set_raw_data(std::string("\0\0\x80\x3f\0\0\0\x40", 8));
  EXPECT_THAT(values_of<float>(decoded(floats)), ElementsAre(1.0F, 2.0F));
  auto bytes = tensor_of(Proto::INT8, {3});
  bytes.set_raw_data("\x01\xff\x02");
  EXPECT_THAT(values_of<int8_t>(decoded(bytes)), ElementsAre(1, -1, 2));
  auto empty = tensor_of(Proto::FLOAT, {0, 4});
  EXPECT_EQ(decoded(empty)->type.shape, (Shape{0, 4}));
}

TEST(OnnxTensor, ReadsValuesFromTheFieldOfTheirType) {
  auto floats = tensor_of(Proto::FLOAT, {});
  floats.add_float_data(1.5F);
  EXPECT_THAT(values_of<float>(decoded(floats)), ElementsAre(1.5F));
  auto doubles = tensor_of(Proto::DOUBLE, {1});
  doubles.add_double_data(2.5);
  EXPECT_THAT(values_of<double>(decoded(doubles)), ElementsAre(2.5));
  auto longs = tensor_of(Proto::INT64, {1});
  longs.add_int64_data(-5000000000);
  EXPECT_THAT(values_of<int64_t>(decoded(longs)), ElementsAre(-5000000000));
  auto unsigned_longs = tensor_of(Proto::UINT64, {1});
  unsigned_longs.add_uint64_data(UINT64_MAX);
  EXPECT_THAT(values_of<uint64_t>(decoded(unsigned_longs)), ElementsAre(UINT64_MAX));
  auto words = tensor_of(Proto::UINT32, {1});
  words.add_uint64_data(4000000000);
  EXPECT_THAT(values_of<uint32_t>(decoded(words)), ElementsAre(4000000000));
}

TEST(OnnxTensor, UnpacksNarrowTypesFrom32Bits) {
  const auto packed = [](Proto::DataType type, const std::vector<int32_t>& values) {
    auto proto = tensor_of(type, {static_cast<int64_t>(values.size())});
    for (const int32_t value : values) proto.add_int32_data(value);
    return decoded(proto);
  };
  EXPECT_THAT(values_of<int32_t>(packed(Proto::INT32, {-7})), ElementsAre(-7));
  EXPECT_THAT(values_of<int16_t>(packed(Proto::INT16, {-7})), ElementsAre(-7));
  EXPECT_THAT(values_of<uint16_t>(packed(Proto::UINT16, {65535})), ElementsAre(65535));
  EXPECT_THAT(values_of<int8_t>(packed(Proto::INT8, {-128})), ElementsAre(-128));
  EXPECT_THAT(values_of<uint8_t>(packed(Proto::UINT8, {255})), ElementsAre(255));
  EXPECT_THAT(values_of<uint8_t>(packed(Proto::BOOL, {1, 0})), ElementsAre(1, 0));
  EXPECT_THAT(values_of<uint16_t>(packed(Proto::FLOAT16, {0x3c00})), ElementsAre(0x3c00));
  EXPECT_THAT(values_of<uint16_t>(packed(Proto::BFLOAT16, {0x3f80})), ElementsAre(0x3f80));
}

TEST(OnnxTensor, KeepsTheTypeOfWhatCannotBeComputedOn) {
  auto strings = tensor_of(Proto::STRING, {1});
  strings.add_string_data("cat");
  EXPECT_EQ(decoded(strings)->type, (TensorType{DataType::kString, {1}}));
  Proto float8 = tensor_of(Proto::FLOAT, {1});
  float8.set_data_type(17);
  EXPECT_EQ(decoded(float8)->type.data_type, DataType::kFloat8);
}

TEST(OnnxTensor, RefusesValuesThatDoNotFitTheShape) {
  auto proto = tensor_of(Proto::FLOAT, {2, 2});
  proto.add_float_data(1);
  EXPECT_EQ(onnx_tensor_message_of(proto), "tensor \"w\" of 2x2 holds 1 of 4 values");
  proto.clear_float_data();
  EXPECT_EQ(onnx_tensor_message_of(proto), "tensor \"w\" of 2x2 holds 0 of 4 values");
  proto.set_raw_data("123");
  EXPECT_EQ(onnx_tensor_message_of(proto), "tensor \"w\" of 2x2 needs 16 bytes and holds 3");
  EXPECT_EQ(onnx_tensor_message_of(tensor_of(Proto::FLOAT, {-1})),
            "tensor \"w\" has the negative extent -1");
  EXPECT_THAT(onnx_tensor_message_of(tensor_of(Proto::FLOAT, {1 << 30, 1 << 30, 1 << 30})),
              HasSubstr("more elements than fit"));
  auto unknown = tensor_of(Proto::FLOAT, {1});
  unknown.set_data_type(99);
  EXPECT_EQ(onnx_tensor_message_of(unknown), "tensor \"w\" has the unknown element type 99");
}

TEST(OnnxTensor, SpreadsSparseValues) {
  onnx::SparseTensorProto sparse;
  *sparse.mutable_values() = tensor_of(Proto::FLOAT, {2});
  sparse.mutable_values()->add_float_data(1);
  sparse.mutable_values()->add_float_data(2);
  *sparse.mutable_indices() = tensor_of(Proto::INT64, {2, 2});
  for (const int64_t index : {0, 1, 1, 2}) sparse.mutable_indices()->add_int64_data(index);
  sparse.add_dims(2);
  sparse.add_dims(3);
  ExternalData external("");
  const auto dense = decode_sparse_tensor(sparse, external);
  ASSERT_TRUE(dense) << dense.error().message;
  EXPECT_EQ(dense->name, "w");
  EXPECT_THAT(values_of<float>(dense->tensor), ElementsAre(0, 1, 0, 0, 0, 2));
  sparse.mutable_indices()->set_int64_data(3, 3);
  EXPECT_EQ(decode_sparse_tensor(sparse, external).error().message,
            "tensor \"w\" has the bad index 3");
}

class ExternalTensor : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(write_file(folder_.path() / "w.bin", "01234567890")); }

  static Proto external(const std::vector<std::pair<std::string, std::string>>& entries) {
    auto proto = tensor_of(Proto::UINT8, {4});
    proto.set_data_location(Proto::EXTERNAL);
    for (const auto& [key, value] : entries) {
      proto.add_external_data()->set_key(key);
      proto.mutable_external_data(proto.external_data_size() - 1)->set_value(value);
    }
    return proto;
  }

  std::string message_of_external(const std::vector<std::pair<std::string, std::string>>& entries) {
    const auto tensor = decode_tensor(external(entries), data_);
    return tensor ? "no error" : tensor.error().message;
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
  ExternalData data_{folder_.path()};
};

TEST_F(ExternalTensor, IsReadAtItsOffset) {
  const auto tensor =
      decode_tensor(external({{"location", "w.bin"}, {"offset", "2"}, {"length", "4"}}), data_);
  EXPECT_THAT(values_of<uint8_t>(tensor), ElementsAre('2', '3', '4', '5'));
  EXPECT_EQ(data_.file_bytes(), 11);
}

TEST_F(ExternalTensor, IsReadFromTheStartWhenNothingElseIsSaid) {
  EXPECT_THAT(values_of<uint8_t>(decode_tensor(external({{"location", "w.bin"}}), data_)),
              ElementsAre('0', '1', '2', '3'));
}

TEST_F(ExternalTensor, IsRefusedWithItsNameAndPath) {
  EXPECT_THAT(message_of_external({{"location", "none.bin"}}),
              testing::AllOf(HasSubstr("tensor \"w\""), HasSubstr("none.bin\""),
                             HasSubstr("No such file")));
  EXPECT_THAT(message_of_external({{"location", "w.bin"}, {"offset", "8"}}),
              HasSubstr("needs bytes 8 to 12 of"));
  EXPECT_THAT(message_of_external({{"location", "w.bin"}, {"offset", "99999"}}),
              HasSubstr("which has 11"));
  EXPECT_THAT(message_of_external({{"location", "w.bin"}, {"length", "3"}}),
              HasSubstr("needs 4 bytes, its external data are 3"));
  EXPECT_THAT(message_of_external({{"location", "w.bin"}, {"offset", "-1"}}),
              HasSubstr("offset \"-1\""));
  EXPECT_THAT(message_of_external({{"location", "../w.bin"}}),
              HasSubstr("outside the model's folder"));
  EXPECT_THAT(message_of_external({{"location", "/etc/passwd"}}),
              HasSubstr("outside the model's folder"));
  EXPECT_THAT(message_of_external({{"offset", "0"}}), HasSubstr("without a location"));
}

TEST_F(ExternalTensor, CountsTowardsTheModelsBytes) {
  auto proto = test::relu_model();
  *proto.mutable_graph()->add_initializer() = external({{"location", "w.bin"}});
  const std::string bytes = proto.SerializeAsString();
  const auto model = parse_onnx(bytes, "m", folder_.path());
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->file_bytes, static_cast<int64_t>(bytes.size()) + 11);
}

}  // namespace
}  // namespace opbench
