#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/tensors/tensor.h"

namespace onnx {
class SparseTensorProto;
class TensorProto;
}  // namespace onnx

namespace opbench {

/// The element type that ONNX numbers `number`; kUndefined for numbers unknown here.
DataType data_type_of_onnx(int32_t number);

/// ONNX's number. `kInvalidInput` for types of which only the width is kept (8-bit floats, …).
Result<int32_t> onnx_number_of(DataType type);

/// Reads the values of tensors that lie beside a model.
class ExternalData {
 public:
  /// `folder` is where the model lies.
  explicit ExternalData(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// A tensor of this type from what `proto` points at. `kInvalidInput` naming tensor and path: no
  /// or unreadable file, too short, outside the model's folder, a length that is not the tensor's;
  /// then no memory is taken.
  Result<Tensor> read(const onnx::TensorProto& proto, TensorType type);

  /// Bytes of all files read from.
  int64_t file_bytes() const;

 private:
  std::filesystem::path folder_;
  std::map<std::filesystem::path, int64_t> sizes_;
};

/// The tensor in any of ONNX's encodings. Types that cannot be computed on (strings, …) keep only
/// their type. `kInvalidInput` naming the tensor: missing, short or surplus values; bad extents.
Result<Tensor> decode_tensor(const onnx::TensorProto& proto, ExternalData& external);

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// The same from a serialised TensorProto, whose raw values are copied only once.
Result<NamedTensor> decode_tensor(std::string_view message, ExternalData& external);

/// The dense form. `kInvalidInput` naming the tensor: indices outside it, data that do not fit.
Result<NamedTensor> decode_sparse_tensor(const onnx::SparseTensorProto& proto,
                                         ExternalData& external);

}  // namespace opbench
