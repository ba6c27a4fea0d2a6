#include "model/graph/proto_wire.h"

namespace opbench {

bool WireReader::fail(Fault fault) {
  fault_ = fault;
  return false;
}

bool WireReader::read_varint(uint64_t& value) {
  constexpr size_t kLongest = 10;
  value = 0;
  for (size_t i = 0; i < kLongest; ++i) {
    if (i == rest_.size()) return fail(Fault::kTruncated);
    const auto byte = static_cast<unsigned char>(rest_[i]);
    value |= static_cast<uint64_t>(byte & 0x7fU) << (7 * i);
    if (byte < 0x80) {
      rest_.remove_prefix(i + 1);
      return true;
    }
  }
  return fail(Fault::kMalformed);
}

bool WireReader::read_fixed(size_t size, uint64_t& value) {
  if (rest_.size() < size) return fail(Fault::kTruncated);
  value = 0;
  for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(rest_[i]);
  rest_.remove_prefix(size);
  return true;
}

bool WireReader::next(WireField& field) {
  if (rest_.empty() || fault_ != Fault::kNone) return false;
  uint64_t key = 0;
  if (!read_varint(key)) return false;
  if (key >> 3 == 0 || key >> 32 != 0) return fail(Fault::kMalformed);
  field = {.number = static_cast<uint32_t>(key >> 3)};
  switch (key & 7) {
    case 0:
      field.type = WireField::Type::kVarint;
      return read_varint(field.value);
    case 1:
      field.type = WireField::Type::kFixed64;
      return read_fixed(8, field.value);
    case 2: {
      field.type = WireField::Type::kBytes;
      uint64_t size = 0;
      if (!read_varint(size)) return false;
      if (size > rest_.size()) return fail(Fault::kTruncated);
      field.bytes = rest_.substr(0, size);
      rest_.remove_prefix(size);
      return true;
    }
    case 5:
      field.type = WireField::Type::kFixed32;
      return read_fixed(4, field.value);
    default:
      return fail(Fault::kMalformed);
  }
}

void append_varint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void append_int_field(std::string& out, uint32_t number, int64_t value) {
  append_varint(out, uint64_t{number} << 3);
  append_varint(out, static_cast<uint64_t>(value));
}

void append_bytes_head(std::string& out, uint32_t number, uint64_t size) {
  append_varint(out, uint64_t{number} << 3 | 2);
  append_varint(out, size);
}

void append_bytes_field(std::string& out, uint32_t number, std::string_view bytes) {
  append_bytes_head(out, number, bytes.size());
  out += bytes;
}

}  // namespace opbench
