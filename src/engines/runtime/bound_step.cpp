#include "engines/runtime/bound_step.h"

namespace opbench {

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

void BoundStep::bind(size_t index, const Slot& slot, std::byte* memory) {
  auto& dimensions = dimensions_.at(index);
  dimensions.clear();
  int32_t stride = 1;
  for (auto extent = slot.physical.rbegin(); extent != slot.physical.rend(); ++extent) {
    dimensions.push_back({0, static_cast<int32_t>(*extent), stride, 0});
    stride *= static_cast<int32_t>(*extent);
  }
  KernelBuffer& buffer = buffers_.at(index);
  buffer.host = reinterpret_cast<uint8_t*>(memory);
  buffer.dimensions = static_cast<int32_t>(dimensions.size());
  buffer.dim = dimensions.data();
  bytes_.at(index) = slot.bytes;
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

int BoundStep::run() {
  const int code = host_ != nullptr ? (host_->run() ? 0 : -1) : call_all();
  if (after_) after_();
  return code;
}

}  // namespace opbench
