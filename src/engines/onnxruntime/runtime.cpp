#include "engines/onnxruntime/runtime.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "engines/onnxruntime/element_types.h"
#include "engines/protocol/server.h"

namespace opbench::ort {
namespace {

constexpr size_t kLongestMessage = 1000;

bool says_unsupported(std::string_view message) {
  constexpr std::array<std::string_view, 8> kPhrases = {
      "NOT_IMPLEMENTED",  "not implemented", "not a registered function",
      "No Op registered", "Unsupported",     "unsupported",
      "not supported",    "official support"};
  return std::ranges::any_of(kPhrases, [&](std::string_view phrase) {
    return message.find(phrase) != std::string_view::npos;
  });
}

std::string trimmed(std::string_view text) {
  const size_t end = text.find_last_not_of(" \n\r\t");
  return std::string(text.substr(0, end == std::string_view::npos ? 0 : end + 1))
      .substr(0, kLongestMessage);
}

}  // namespace

Runtime::Runtime(const std::string& library) : api_(load_runtime(library)) {
  check(api_.create_env(LogLevel::kError, "opbench", &env_));
  check(api_.disable_telemetry(env_));
  check(api_.create_cpu_memory_info(AllocatorType::kArena, MemoryType::kDefault, &memory_));
  check(api_.default_allocator(&allocator_));
}

void Runtime::check(Status* status) const {
  if (status == nullptr) return;
  const Owned<Status> owned(status, api_.release_status);
  const std::string message = trimmed(api_.status_message(status));
  const bool is_unsupported =
      api_.status_code(status) == kNotImplemented || says_unsupported(message);
  throw RequestFailure(is_unsupported ? FailureKind::kUnsupported : FailureKind::kRunError,
                       message);
}

std::string Runtime::take_text(char* text) const {
  std::string copy = text;
  check(api_.free_memory(allocator_, text));
  return copy;
}

Owned<Value> Runtime::value_in(Tensor& tensor) const {
  static std::byte nothing{};  // a tensor of no elements has an address too
  const Shape& shape = tensor.type.shape;
  const int element_type = number_of(tensor.type.data_type);
  if (element_type == 0) {
    throw RequestFailure(
        FailureKind::kUnsupported,
        "tensors of type " + std::string(name_of(tensor.type.data_type)) + " cannot be passed");
  }
  Value* value = nullptr;
  check(api_.create_tensor(memory_, tensor.data.empty() ? &nothing : tensor.data.data(),
                           tensor.data.size(), shape.data(), shape.size(), element_type, &value));
  return {value, api_.release_value};
}

TensorType Runtime::type_of(const Value* value) const {
  TensorInfo* described = nullptr;
  check(api_.tensor_info(value, &described));
  const Owned<TensorInfo> info(described, api_.release_tensor_info);
  int element_type = 0;
  size_t rank = 0;
  check(api_.element_type(described, &element_type));
  check(api_.rank(described, &rank));
  TensorType type{data_type_of(element_type), Shape(rank)};
  check(api_.extents(described, type.shape.data(), rank));
  return type;
}

Tensor Runtime::copy_of(Value* value, const std::string& name) const {
  Tensor tensor = Tensor::empty(type_of(value));
  if (size_of(tensor.type.data_type) == 0) {
    throw RequestFailure(FailureKind::kUnsupported,
                         "output \"" + name + "\" has the type " +
                             std::string(name_of(tensor.type.data_type)) +
                             ", whose values cannot be passed");
  }
  void* data = nullptr;
  check(api_.tensor_data(value, &data));
  if (!tensor.data.empty()) std::memcpy(tensor.data.data(), data, tensor.data.size());
  return tensor;
}

}  // namespace opbench::ort
