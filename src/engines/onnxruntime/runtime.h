#pragma once

#include <memory>
#include <string>

#include "base/tensors/tensor.h"
#include "engines/onnxruntime/runtime_api.h"

namespace opbench::ort {

/// Something that ONNX Runtime made and one of its functions releases.
template <class T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

/// ONNX Runtime, loaded and ready. What fails is thrown as RequestFailure with its message:
/// `unsupported` where it lacks a kernel or type, else `run_error`.
class Runtime {
 public:
  /// `library` is the path of libonnxruntime.so.
  explicit Runtime(const std::string& library);

  const RuntimeApi& api() const { return api_; }
  const Env* env() const { return env_; }
  Allocator* allocator() const { return allocator_; }

  /// Throws unless `status` is null.
  void check(Status* status) const;

  /// A text that the library allocated; frees it.
  std::string take_text(char* text) const;

  /// A tensor that reads and writes the memory of `tensor`, which must outlive it.
  /// `unsupported` for element types that have no size.
  Owned<Value> value_in(Tensor& tensor) const;

  /// What a tensor of the library is; the data type is kUndefined where OpBench has none.
  TensorType type_of(const Value* value) const;

  /// A copy of its values. `unsupported` for types that cannot be passed, naming `name`.
  Tensor copy_of(Value* value, const std::string& name) const;

 private:
  RuntimeApi api_;
  Env* env_ = nullptr;
  MemoryInfo* memory_ = nullptr;
  Allocator* allocator_ = nullptr;
};

}  // namespace opbench::ort
