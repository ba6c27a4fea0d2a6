#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opbench {

/// One field of a protobuf message as it lies in the bytes.
struct WireField {
  enum class Type : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  uint32_t number = 0;
  Type type = Type::kVarint;
  uint64_t value = 0;      ///< of every type but kBytes
  std::string_view bytes;  ///< of kBytes, inside the message
};

/// Walks over the fields of a protobuf message without copying them. That is how models beyond the
/// 2 GiB that libprotobuf accepts are read, and how weights go from the file straight to tensors.
class WireReader {
 public:
  enum class Fault : uint8_t {
    kNone,
    kTruncated,  ///< a field goes on beyond the end
    kMalformed,  ///< no protobuf message has these bytes
  };

  explicit WireReader(std::string_view message) : rest_(message) {}

  /// The next field; false at the end and at a fault.
  bool next(WireField& field);

  Fault fault() const { return fault_; }

  /// Bytes not read yet.
  size_t remaining() const { return rest_.size(); }

 private:
  bool read_varint(uint64_t& value);
  bool read_fixed(size_t size, uint64_t& value);
  bool fail(Fault fault);

  std::string_view rest_;
  Fault fault_ = Fault::kNone;
};

void append_varint(std::string& out, uint64_t value);
void append_int_field(std::string& out, uint32_t number, int64_t value);
void append_bytes_field(std::string& out, uint32_t number, std::string_view bytes);
/// What stands before the `size` bytes of such a field.
void append_bytes_head(std::string& out, uint32_t number, uint64_t size);

}  // namespace opbench
