#include "engines/runtime/bound_step.h"

namespace opbench {
namespace {

/// The numbers of halide_type_code_t.
uint8_t type_code(DataType type) {
  switch (type) {
    case DataType::kInt8:
    case DataType::kInt16:
    case DataType::kInt32:
    case DataType::kInt64:
      return 0;
    case DataType::kFloat16:
    case DataType::kFloat32:
    case DataType::kFloat64:
      return 2;
    case DataType::kBFloat16:
      return 4;
    default:
      return 1;
  }
}

}  // namespace

BoundStep::BoundStep(Kernel kernel, KernelContext* context, size_t arguments)
    : kernel_(kernel),
      context_(std::make_unique<KernelContext*>(context)),
      buffers_(arguments),
      dimensions_(arguments),
      bytes_(arguments),
      arguments_(arguments + 1) {
  arguments_[0] = context_.get();
  for (size_t i = 0; i < arguments; ++i) arguments_[i + 1] = &buffers_[i];
}

BoundStep::BoundStep(HostKernel kernel) : host_(std::make_unique<HostKernel>(std::move(kernel))) {}

BoundStep::BoundStep(const Step& step, const TensorPlace& from, const TensorPlace& to,
                     int64_t bytes, KernelContext& context)
    : copy_(std::make_unique<Copy>(Copy{step.copy, from, to, bytes, &context})) {}

KernelBuffer& BoundStep::bind_dimensions(size_t index, const Slot& slot) {
  auto& dimensions = dimensions_.at(index);
  dimensions.clear();
  int32_t stride = 1;
  for (auto extent = slot.physical.rbegin(); extent != slot.physical.rend(); ++extent) {
    dimensions.push_back({0, static_cast<int32_t>(*extent), stride, 0});
    stride *= static_cast<int32_t>(*extent);
  }
  KernelBuffer& buffer = buffers_.at(index);
  buffer.dimensions = static_cast<int32_t>(dimensions.size());
  buffer.dim = dimensions.data();
  bytes_.at(index) = slot.bytes;
  return buffer;
}

void BoundStep::bind(size_t index, const Slot& slot, std::byte* memory) {
  bind_dimensions(index, slot).host = reinterpret_cast<uint8_t*>(memory);
}

// Kernels for devices check the types of their buffers.
void BoundStep::bind(size_t index, const Slot& slot, const DeviceMemory& memory) {
  KernelBuffer& buffer = bind_dimensions(index, slot);
  buffer.device = memory.handle;
  buffer.device_interface = memory.interface;
  buffer.flags = kDeviceIsNewer;
  buffer.type_code = type_code(slot.type.data_type);
  const bool is_packed = slot.storage == Storage::kWeights && slot.physical != slot.type.shape;
  buffer.type_bits = is_packed ? 32 : static_cast<uint8_t>(8 * size_of(slot.type.data_type));
}

void BoundStep::repeat(const CallRepeat& repeat) {
  count_ = repeat.count;
  for (const int position : repeat.moving) {
    KernelBuffer& buffer = buffers_.at(static_cast<size_t>(position));
    const int64_t bytes = bytes_.at(static_cast<size_t>(position));
    const int64_t part = bytes / count_;
    const bool is_backward = repeat.is_backward;
    moving_.push_back(
        {&buffer, buffer.host + (is_backward ? bytes - part : 0), is_backward ? -part : part});
  }
  for (const CallRepeat::Feed& feed : repeat.feeds) {
    KernelBuffer& argument = buffers_.at(static_cast<size_t>(feed.to));
    fed_.push_back({&argument, argument.host, &buffers_.at(static_cast<size_t>(feed.from))});
  }
}

int BoundStep::call_all() {
  for (const Moving& moving : moving_) moving.buffer->host = moving.first;
  for (const Fed& fed : fed_) fed.argument->host = fed.first;
  for (int64_t i = 0; i < count_; ++i) {
    const int code = call_kernel(kernel_, arguments_.data());
    if (code != 0) return code;
    for (const Fed& fed : fed_) fed.argument->host = fed.result->host;
    for (const Moving& moving : moving_) moving.buffer->host += moving.stride;
  }
  return 0;
}

int BoundStep::Copy::run() const {
  const bool is_upload = direction == StepCopy::kToDevice;
  const Result<void> done = is_upload ? to.block->write(to.offset, from.host, bytes)
                                      : from.block->read(from.offset, to.host, bytes);
  if (done) return 0;
  context->failure = done.error().message;
  return -1;
}

int BoundStep::run() {
  int code = 0;
  if (kernel_ != nullptr) {
    code = call_all();
  } else if (host_ != nullptr) {
    code = host_->run() ? 0 : -1;
  } else {
    code = copy_->run();
  }
  if (after_) after_();
  return code;
}

}  // namespace opbench
