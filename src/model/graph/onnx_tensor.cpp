#include "model/graph/onnx_tensor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <onnx/onnx_pb.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

#include "base/system/memory.h"
#include "model/graph/proto_wire.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

static_assert(std::endian::native == std::endian::little, "ONNX's raw data are little-endian");

struct TypeNumber {
  int32_t number;
  DataType type;
};

// Those without a constant in the headers are of later IR versions.
constexpr std::array kTypeNumbers = {
    TypeNumber{onnx::TensorProto::FLOAT, DataType::kFloat32},
    TypeNumber{onnx::TensorProto::UINT8, DataType::kUint8},
    TypeNumber{onnx::TensorProto::INT8, DataType::kInt8},
    TypeNumber{onnx::TensorProto::UINT16, DataType::kUint16},
    TypeNumber{onnx::TensorProto::INT16, DataType::kInt16},
    TypeNumber{onnx::TensorProto::INT32, DataType::kInt32},
    TypeNumber{onnx::TensorProto::INT64, DataType::kInt64},
    TypeNumber{onnx::TensorProto::STRING, DataType::kString},
    TypeNumber{onnx::TensorProto::BOOL, DataType::kBool},
    TypeNumber{onnx::TensorProto::FLOAT16, DataType::kFloat16},
    TypeNumber{onnx::TensorProto::DOUBLE, DataType::kFloat64},
    TypeNumber{onnx::TensorProto::UINT32, DataType::kUint32},
    TypeNumber{onnx::TensorProto::UINT64, DataType::kUint64},
    TypeNumber{onnx::TensorProto::COMPLEX64, DataType::kComplex64},
    TypeNumber{onnx::TensorProto::COMPLEX128, DataType::kComplex128},
    TypeNumber{onnx::TensorProto::BFLOAT16, DataType::kBFloat16},
    TypeNumber{17, DataType::kFloat8},   // FLOAT8E4M3FN
    TypeNumber{18, DataType::kFloat8},   // FLOAT8E4M3FNUZ
    TypeNumber{19, DataType::kFloat8},   // FLOAT8E5M2
    TypeNumber{20, DataType::kFloat8},   // FLOAT8E5M2FNUZ
    TypeNumber{21, DataType::kSubByte},  // UINT4
    TypeNumber{22, DataType::kSubByte},  // INT4
    TypeNumber{23, DataType::kSubByte},  // FLOAT4E2M1
    TypeNumber{24, DataType::kFloat8},   // FLOAT8E8M0
    TypeNumber{25, DataType::kSubByte},  // UINT2
    TypeNumber{26, DataType::kSubByte},  // INT2
};

template <class... Args>
Error tensor_error(const onnx::TensorProto& proto, fmt::format_string<Args...> text,
                   Args&&... args) {
  return {ErrorCode::kInvalidInput, fmt::format("tensor \"{}\" ", proto.name()) +
                                        fmt::format(text, std::forward<Args>(args)...)};
}

/// `kEnvironment` when a tensor that lies elsewhere, or is written out, has no room.
Result<void> check_room_of(const onnx::TensorProto& proto, const TensorType& type) {
  return check_room(static_cast<double>(type.bytes()),
                    fmt::format("tensor \"{}\" of {}", proto.name(), shape_text(type.shape)));
}

/// The type that `proto` declares, with a size in bytes that fits.
Result<TensorType> declared_type(const onnx::TensorProto& proto) {
  TensorType type{data_type_of_onnx(proto.data_type()), {}};
  if (type.data_type == DataType::kUndefined) {
    return tensor_error(proto, "has the unknown element type {}", proto.data_type());
  }
  int64_t count = 1;
  for (const int64_t extent : proto.dims()) {
    if (extent < 0) return tensor_error(proto, "has the negative extent {}", extent);
    // Beside an extent of 0 the others must be sane too: strides are products of them.
    if (extent > 0 && count > std::numeric_limits<int64_t>::max() / 16 / extent) {
      return tensor_error(proto, "has more elements than fit in memory");
    }
    count *= std::max<int64_t>(extent, 1);
    type.shape.push_back(extent);
  }
  return type;
}

template <class Stored, class Field>
Result<Tensor> from_field(const onnx::TensorProto& proto, TensorType type, const Field& field) {
  if (type.size() != field.size()) {
    return tensor_error(proto, "of {} holds {} of {} values", shape_text(type.shape), field.size(),
                        type.size());
  }
  Tensor tensor = Tensor::empty(std::move(type));
  std::ranges::transform(field, tensor.as<Stored>().begin(),
                         [](auto value) { return static_cast<Stored>(value); });
  return tensor;
}

/// Values in the field that ONNX assigns to the type.
Result<Tensor> from_typed_field(const onnx::TensorProto& proto, TensorType type) {
  switch (type.data_type) {
    case DataType::kFloat32:
      return from_field<float>(proto, std::move(type), proto.float_data());
    case DataType::kFloat64:
      return from_field<double>(proto, std::move(type), proto.double_data());
    case DataType::kInt64:
      return from_field<int64_t>(proto, std::move(type), proto.int64_data());
    case DataType::kUint64:
      return from_field<uint64_t>(proto, std::move(type), proto.uint64_data());
    case DataType::kUint32:
      return from_field<uint32_t>(proto, std::move(type), proto.uint64_data());
    case DataType::kInt32:
      return from_field<int32_t>(proto, std::move(type), proto.int32_data());
    case DataType::kInt16:
      return from_field<int16_t>(proto, std::move(type), proto.int32_data());
    case DataType::kUint16:
    case DataType::kFloat16:
    case DataType::kBFloat16:
      return from_field<uint16_t>(proto, std::move(type), proto.int32_data());
    case DataType::kInt8:
      return from_field<int8_t>(proto, std::move(type), proto.int32_data());
    default:  // bool, uint8
      return from_field<uint8_t>(proto, std::move(type), proto.int32_data());
  }
}

/// `raw` are the raw values where they do not lie in `proto` itself.
Result<Tensor> decode(const onnx::TensorProto& proto, std::optional<std::string_view> raw,
                      ExternalData& external) {
  OPBENCH_TRY(TensorType type, declared_type(proto));
  if (proto.has_segment()) return tensor_error(proto, "is one segment of a split tensor");
  if (size_of(type.data_type) == 0) return Tensor{std::move(type), {}};
  if (proto.data_location() == onnx::TensorProto::EXTERNAL) {
    OPBENCH_CHECK(check_room_of(proto, type));
    return external.read(proto, std::move(type));
  }
  if (!raw && proto.has_raw_data()) raw = proto.raw_data();
  if (!raw) return from_typed_field(proto, std::move(type));
  if (raw->size() != type.bytes()) {
    return tensor_error(proto, "of {} needs {} bytes and holds {}", shape_text(type.shape),
                        type.bytes(), raw->size());
  }
  Tensor tensor = Tensor::empty(std::move(type));
  if (!raw->empty()) std::memcpy(tensor.data.data(), raw->data(), raw->size());
  return tensor;
}

/// Where the values of a tensor lie beside the model.
struct Location {
  std::string file;
  int64_t offset = 0;
  int64_t length = -1;  ///< -1: not said
};

Result<Location> location_of(const onnx::TensorProto& proto) {
  Location location;
  for (const auto& entry : proto.external_data()) {
    const std::string& text = entry.value();
    if (entry.key() == "location") location.file = text;
    if (entry.key() != "offset" && entry.key() != "length") continue;
    int64_t& number = entry.key() == "offset" ? location.offset : location.length;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0) {
      return tensor_error(proto, "has external data with the {} \"{}\"", entry.key(), text);
    }
  }
  if (location.file.empty()) return tensor_error(proto, "has external data without a location");
  return location;
}

bool stays_inside(const fs::path& path) {
  return path.is_relative() &&
         std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

Result<void> read_at(int fd, int64_t offset, std::span<std::byte> values) {
  while (!values.empty()) {
    const ssize_t got = ::pread(fd, values.data(), values.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Error{ErrorCode::kInvalidInput, got < 0 ? std::strerror(errno) : "short"};
    values = values.subspan(static_cast<size_t>(got));
    offset += got;
  }
  return {};
}

/// Sets the elements of `dense` that `indices` name; `bytes` is the size of one.
Result<void> scatter(const onnx::TensorProto& proto, const Tensor& values,
                     const std::vector<int64_t>& indices, Tensor& dense) {
  const size_t bytes = size_of(dense.type.data_type);
  const Shape& shape = dense.type.shape;
  const auto count = static_cast<size_t>(values.type.size());
  const size_t rank = indices.size() == count ? 1 : shape.size();
  if (count * rank != indices.size()) return tensor_error(proto, "has indices of another count");
  for (size_t i = 0; i < count; ++i) {
    int64_t position = 0;
    for (size_t d = 0; d < rank; ++d) {
      const int64_t limit = rank == 1 ? dense.type.size() : shape[d];
      const int64_t index = indices[i * rank + d];
      if (index < 0 || index >= limit) return tensor_error(proto, "has the bad index {}", index);
      position = position * limit + index;
    }
    std::memcpy(dense.data.data() + static_cast<size_t>(position) * bytes,
                values.data.data() + i * bytes, bytes);
  }
  return {};
}

}  // namespace

DataType data_type_of_onnx(int32_t number) {
  const auto it = std::ranges::find(kTypeNumbers, number, &TypeNumber::number);
  return it == kTypeNumbers.end() ? DataType::kUndefined : it->type;
}

Result<int32_t> onnx_number_of(DataType type) {
  if (type == DataType::kUndefined) return 0;
  const auto it = std::ranges::find(kTypeNumbers, type, &TypeNumber::type);
  if (it->number > onnx::TensorProto::BFLOAT16) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("values of type {} cannot be written", name_of(type))};
  }
  return it->number;
}

Result<Tensor> ExternalData::read(const onnx::TensorProto& proto, TensorType type) {
  OPBENCH_TRY(const Location location, location_of(proto));
  if (!stays_inside(location.file)) {
    return tensor_error(proto, "has external data outside the model's folder: \"{}\"",
                        location.file);
  }
  const auto size = static_cast<int64_t>(type.bytes());
  if (location.length >= 0 && location.length != size) {
    return tensor_error(proto, "needs {} bytes, its external data are {}", size, location.length);
  }
  const fs::path path = folder_ / location.file;
  // A pipe would let the program wait for its other end.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return tensor_error(proto, "has its data in \"{}\", which cannot be read: {}", path.string(),
                        std::strerror(errno));
  }
  struct stat info {};
  ::fstat(fd, &info);
  sizes_[path] = info.st_size;
  Result<Tensor> result = Tensor{};
  if (!S_ISREG(info.st_mode)) {
    result = tensor_error(proto, "has its data in \"{}\", which is no file", path.string());
  } else if (location.offset > info.st_size || size > info.st_size - location.offset) {
    const auto end = static_cast<uint64_t>(location.offset) + static_cast<uint64_t>(size);
    result = tensor_error(proto, "needs bytes {} to {} of \"{}\", which has {}", location.offset,
                          end, path.string(), info.st_size);
  } else {
    *result = Tensor::empty(std::move(type));
    const auto done = read_at(fd, location.offset, result->data);
    if (!done) {
      result = tensor_error(proto, "cannot be read from \"{}\": {}", path.string(),
                            done.error().message);
    }
  }
  ::close(fd);
  return result;
}

int64_t ExternalData::file_bytes() const {
  int64_t sum = 0;
  for (const auto& [path, size] : sizes_) sum += size;
  return sum;
}

Result<Tensor> decode_tensor(const onnx::TensorProto& proto, ExternalData& external) {
  return decode(proto, std::nullopt, external);
}

Result<NamedTensor> decode_tensor(std::string_view message, ExternalData& external) {
  std::string others;
  std::optional<std::string_view> raw;
  const char* unread = message.data();
  WireReader reader(message);
  for (WireField field; reader.next(field);) {
    const char* end = message.data() + (message.size() - reader.remaining());
    if (field.number == onnx::TensorProto::kRawDataFieldNumber &&
        field.type == WireField::Type::kBytes) {
      raw = field.bytes;
    } else {
      others.append(unread, end);
    }
    unread = end;
  }
  onnx::TensorProto proto;
  if (reader.fault() != WireReader::Fault::kNone || others.size() > INT32_MAX ||
      !proto.ParsePartialFromString(others)) {
    return Error{ErrorCode::kInvalidInput, "an initialiser is no valid TensorProto"};
  }
  OPBENCH_TRY(Tensor tensor, decode(proto, raw, external));
  return NamedTensor{proto.name(), std::move(tensor)};
}

Result<NamedTensor> decode_sparse_tensor(const onnx::SparseTensorProto& proto,
                                         ExternalData& external) {
  OPBENCH_TRY(const Tensor values, decode_tensor(proto.values(), external));
  OPBENCH_TRY(const Tensor indices, decode_tensor(proto.indices(), external));
  onnx::TensorProto head;
  head.set_name(proto.values().name());
  head.set_data_type(proto.values().data_type());
  *head.mutable_dims() = proto.dims();
  OPBENCH_TRY(TensorType type, declared_type(head));
  if (size_of(type.data_type) == 0) {
    return tensor_error(head, "is sparse and of type {}", name_of(type.data_type));
  }
  OPBENCH_CHECK(check_room_of(head, type));
  Tensor dense = Tensor::empty(std::move(type));
  std::ranges::fill(dense.data, std::byte{0});
  OPBENCH_CHECK(scatter(head, values, integers(indices), dense));
  return NamedTensor{head.name(), std::move(dense)};
}

}  // namespace opbench
