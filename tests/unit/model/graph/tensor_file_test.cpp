#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <filesystem>

#include "base/files/file.h"
#include "model/graph/onnx_file.h"

namespace opbench {
namespace {

class TensorFile : public testing::Test {
 protected:
  /// The result of reading a file of this content.
  Result<Tensor> read(const std::string& content) {
    const auto path = folder_.path() / "x.npy";
    EXPECT_TRUE(write_file(path, content));
    return read_tensor(path);
  }

  std::string message_of(const std::string& content) {
    const auto tensor = read(content);
    return tensor ? "" : tensor.error().message;
  }

  static std::string numpy(char version, const std::string& header, const std::string& values) {
    std::string file = "\x93NUMPY";
    file += version;
    file += '\0';
    const auto size = static_cast<uint32_t>(header.size());
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>(size >> (8 * i));
    return file + header + values;
  }

  template <class T>
  static std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
  }

  TemporaryFolder folder_ = TemporaryFolder::make().value();
};

const std::string kFloats = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }  \n";

TEST_F(TensorFile, ReadsEveryVersionOfNumPyFiles) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6};
  for (const char version : std::string("\1\2\3")) {
    const auto tensor = read(numpy(version, kFloats, bytes_of(values)));
    ASSERT_TRUE(tensor) << tensor.error().message;
    EXPECT_EQ(*tensor, Tensor::of<float>(DataType::kFloat32, {2, 3}, values));
  }
}

TEST_F(TensorFile, ReadsNumPyScalarsAndVectors) {
  const auto scalar = read(numpy(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (), }\n",
                                 bytes_of<int64_t>({-7})));
  ASSERT_TRUE(scalar) << scalar.error().message;
  EXPECT_EQ(scalar->type, (TensorType{DataType::kInt64, {}}));
  EXPECT_EQ(integers(*scalar), std::vector<int64_t>{-7});
  const auto vector = read(numpy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }\n",
                                 std::string("\1\0", 2)));
  ASSERT_TRUE(vector) << vector.error().message;
  EXPECT_EQ(vector->type, (TensorType{DataType::kBool, {2}}));
}

TEST_F(TensorFile, RefusesNumPyFilesItCannotRead) {
  const std::string values = bytes_of(std::vector<float>{1, 2, 3, 4, 5, 6});
  const auto with = [&](const std::string& descr, const std::string& order) {
    return message_of(
        numpy(1, "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': (2, 3), }\n",
              values));
  };
  EXPECT_NE(with("'<f4'", "True").find("Fortran order"), std::string::npos);
  EXPECT_NE(with("'>f4'", "False").find("big-endian (\">f4\")"), std::string::npos);
  EXPECT_NE(with("'<c8'", "False").find("the type \"<c8\""), std::string::npos);
  EXPECT_NE(with("[('a', '<f4')]", "False").find("structured"), std::string::npos);
  EXPECT_NE(message_of(numpy(1, kFloats, values.substr(1))).find("holds 23 bytes"),
            std::string::npos);
  EXPECT_NE(message_of(numpy(1, kFloats, values).substr(0, 30)).find("cut off"), std::string::npos);
}

TEST_F(TensorFile, ReadsATensorProto) {
  onnx::TensorProto proto;
  proto.set_data_type(onnx::TensorProto::FLOAT);
  proto.add_dims(2);
  proto.add_float_data(1);
  proto.add_float_data(2);
  const auto tensor = read(proto.SerializeAsString());
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(*tensor, Tensor::of<float>(DataType::kFloat32, {2}, std::vector<float>{1, 2}));
}

TEST_F(TensorFile, QuotesThePathOfWhatIsNoTensor) {
  EXPECT_NE(message_of("some text").find("x.npy\" is neither"), std::string::npos);
  EXPECT_NE(message_of("").find("x.npy\" is empty"), std::string::npos);
  EXPECT_NE(read_tensor("/nowhere/y.pb").error().message.find("/nowhere/y.pb"), std::string::npos);
}

}  // namespace
}  // namespace opbench
