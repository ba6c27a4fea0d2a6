#include "engines/runtime/bound_step.h"

namespace opbench {

BoundStep::BoundStep(Kernel kernel, KernelContext* context, size_t arguments)
    : kernel_(kernel),
      context_(std::make_unique<KernelContext*>(context)),
      buffers_(arguments),
      dimensions_(arguments),
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
}

int BoundStep::run() {
  const int code =
      host_ != nullptr ? (host_->run() ? 0 : -1) : call_kernel(kernel_, arguments_.data());
  if (after_) after_();
  return code;
}

}  // namespace opbench
