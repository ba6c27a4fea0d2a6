#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"

namespace opbench {

/// Element types, those of ONNX up to IR 13; all can be read, those with a size can be computed on.
enum class DataType : uint8_t {
  kUndefined,
  kFloat32,
  kFloat64,
  kFloat16,
  kBFloat16,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kBool,
  kString,
  kComplex64,
  kComplex128,
  kFloat8,   ///< any of the 8-bit floats
  kSubByte,  ///< any type of fewer than 8 bits
};

/// numpy's word: `float32`, `int64`, `bool`.
std::string_view name_of(DataType type);

/// `kInvalidInput` with the known words.
Result<DataType> parse_data_type(std::string_view text);

/// Bytes of one element; 0 for those that cannot be computed on.
size_t size_of(DataType type);

using Shape = std::vector<int64_t>;

/// Product of the extents; 1 for a scalar.
int64_t element_count(const Shape& shape);

/// `1x64x56x56`; `scalar` for rank 0.
std::string shape_text(const Shape& shape);

/// What a tensor is without its values.
struct TensorType {
  DataType data_type = DataType::kFloat32;
  Shape shape;
  int64_t size() const { return element_count(shape); }
  size_t bytes() const { return static_cast<size_t>(size()) * size_of(data_type); }
  bool operator==(const TensorType&) const = default;
};

/// Allocates on 64-byte boundaries and leaves elements as they are (no zeroing).
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};
  AlignedAllocator() = default;
  template <class U>
  explicit AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kAlignment)); }
  void deallocate(T* p, size_t) { ::operator delete(p, kAlignment); }
  template <class U>
  void construct(U* p) noexcept {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
  bool operator==(const AlignedAllocator&) const { return true; }
};

using Bytes = std::vector<std::byte, AlignedAllocator<std::byte>>;

/// A tensor with its values, dense, row-major.
struct Tensor {
  TensorType type;
  Bytes data;

  /// `type.bytes()` bytes, not initialised.
  static Tensor empty(TensorType type) {
    Tensor tensor{std::move(type), {}};
    tensor.data.resize(tensor.type.bytes());
    return tensor;
  }
  template <class T>
  static Tensor of(DataType data_type, Shape shape, std::span<const T> values) {
    Tensor tensor = empty({data_type, std::move(shape)});
    if (!values.empty()) std::memcpy(tensor.data.data(), values.data(), values.size_bytes());
    return tensor;
  }
  template <class T>
  std::span<T> as() {
    return {reinterpret_cast<T*>(data.data()), data.size() / sizeof(T)};
  }
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data.data()), data.size() / sizeof(T)};
  }
  bool operator==(const Tensor&) const = default;
};

/// All elements of an integer or boolean tensor, widened. Empty for other types.
std::vector<int64_t> integers(const Tensor& tensor);

}  // namespace opbench
