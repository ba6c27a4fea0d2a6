#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

#include "base/files/file.h"
#include "model/graph/onnx_file.h"
#include "model/graph/onnx_tensor.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kNumpyMagic = "\x93NUMPY";

Error refused(const fs::path& path, const std::string& reason) {
  return {ErrorCode::kInvalidInput, fmt::format("\"{}\" {}", path.string(), reason)};
}

struct NumpyType {
  std::string_view code;  ///< without byte order
  DataType type;
};

constexpr std::array kNumpyTypes = {
    NumpyType{"f4", DataType::kFloat32}, NumpyType{"f8", DataType::kFloat64},
    NumpyType{"f2", DataType::kFloat16}, NumpyType{"i1", DataType::kInt8},
    NumpyType{"u1", DataType::kUint8},   NumpyType{"i2", DataType::kInt16},
    NumpyType{"u2", DataType::kUint16},  NumpyType{"i4", DataType::kInt32},
    NumpyType{"u4", DataType::kUint32},  NumpyType{"i8", DataType::kInt64},
    NumpyType{"u8", DataType::kUint64},  NumpyType{"b1", DataType::kBool},
};

/// A .npy file taken apart (NumPy's NEP 1): a Python dictionary as text, then the values.
struct NumpyFile {
  std::string_view header;
  std::string_view values;
};

std::optional<NumpyFile> split_numpy(std::string_view bytes) {
  if (bytes.size() < 10) return std::nullopt;
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(bytes[i])); };
  const bool is_first_version = byte(6) == 1;  // 2 and 3 differ only in the length's width
  const size_t begin = is_first_version ? 10 : 12;
  if (byte(6) < 1 || byte(6) > 3 || bytes.size() < begin) return std::nullopt;
  size_t length = byte(8) | byte(9) << 8;
  if (!is_first_version) length |= byte(10) << 16 | byte(11) << 24;
  if (length > bytes.size() - begin) return std::nullopt;
  return NumpyFile{bytes.substr(begin, length), bytes.substr(begin + length)};
}

/// What follows `'key':` up to the comma that ends it, or to the closing bracket of a tuple.
std::string_view entry(std::string_view header, std::string_view key) {
  const size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const size_t end = rest.starts_with('(') ? rest.find(')') : rest.find_first_of(",}");
  return rest.substr(0, end);
}

std::optional<Shape> parse_shape(std::string_view text) {
  Shape shape;
  if (!text.starts_with('(')) return std::nullopt;
  text.remove_prefix(1);
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
    if (text.empty()) return shape;
    int64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc() || extent < 0) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    shape.push_back(extent);
  }
}

/// The element type of a code such as `'<f4'`.
Result<DataType> parse_code(const fs::path& path, std::string_view text) {
  if (text.size() < 3 || text.front() != '\'' || text.back() != '\'') {
    return refused(path, "holds values of a structured type");
  }
  const std::string_view code = text.substr(1, text.size() - 2);
  if (code.front() == '>' && code != ">i1" && code != ">u1" && code != ">b1") {
    return refused(path,
                   fmt::format("is big-endian (\"{}\"); only little-endian can be read", code));
  }
  std::string known;
  for (const NumpyType& row : kNumpyTypes) {
    if (row.code == code.substr(1)) return row.type;
    known += fmt::format("{}<{}", known.empty() ? "" : ", ", row.code);
  }
  return refused(path, fmt::format("holds values of the type \"{}\"", code)).with("known", known);
}

/// Bytes of a tensor, or -1 where that is beyond what can be addressed.
int64_t bytes_of(const Shape& shape, size_t size) {
  auto bytes = static_cast<int64_t>(size);
  for (const int64_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return -1;
  }
  return bytes;
}

Result<Tensor> parse_numpy(const fs::path& path, std::string_view bytes) {
  const auto file = split_numpy(bytes);
  if (!file) return refused(path, "is a NumPy file cut off in its header");
  OPBENCH_TRY(const DataType type, parse_code(path, entry(file->header, "descr")));
  if (entry(file->header, "fortran_order") != "False") {
    return refused(path, "is in Fortran order; only C order can be read");
  }
  const auto shape = parse_shape(entry(file->header, "shape"));
  if (!shape) return refused(path, "has a NumPy header without a shape");
  const int64_t needed = bytes_of(*shape, size_of(type));
  if (needed != static_cast<int64_t>(file->values.size())) {
    return refused(path,
                   fmt::format("holds {} bytes of values, {} of {} need {}", file->values.size(),
                               shape_text(*shape), name_of(type), needed));
  }
  return Tensor::of<char>(type, *shape, file->values);
}

Result<Tensor> parse_tensor_proto(const fs::path& path, std::string_view bytes) {
  onnx::TensorProto proto;
  if (bytes.size() > INT32_MAX ||
      !proto.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      !proto.has_data_type()) {
    return refused(path, "is neither an ONNX tensor (TensorProto) nor a NumPy file");
  }
  ExternalData external(path.parent_path());
  auto tensor = decode_tensor(proto, external);
  if (!tensor) return std::move(tensor).error().with("in", path.string());
  if (size_of(tensor->type.data_type) == 0) {
    return refused(path, fmt::format("holds values of the type {}, which cannot be computed on",
                                     name_of(tensor->type.data_type)));
  }
  return tensor;
}

}  // namespace

Result<Tensor> read_tensor(const fs::path& path) {
  OPBENCH_TRY(const std::string bytes, read_file(path));
  if (bytes.empty()) return refused(path, "is empty");
  try {
    if (bytes.starts_with(kNumpyMagic)) return parse_numpy(path, bytes);
    return parse_tensor_proto(path, bytes);
  } catch (const std::exception& e) {
    return refused(path, fmt::format("cannot be read: {}", e.what()));
  }
}

}  // namespace opbench
