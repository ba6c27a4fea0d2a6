#include "engines/runtime/slot_layout.h"

#include <algorithm>
#include <cstring>

namespace opbench {
namespace {

// Calls visit(dense index, blocked index) for every element of a [N, C, inner...] tensor whose
// channels are split into blocks.
template <class Visit>
void for_each_blocked(const Slot& slot, Visit visit) {
  const int64_t batch = slot.type.shape[0];
  const int64_t channels = slot.type.shape[1];
  const int64_t inner = slot.type.size() / (batch * channels);
  const int64_t width = slot.layout.block;
  const int64_t blocks = channel_blocks(channels, slot.layout);
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t c = 0; c < channels; ++c) {
      for (int64_t i = 0; i < inner; ++i) {
        const int64_t block = ((n * blocks + c / width) * inner + i) * width;
        visit(static_cast<size_t>((n * channels + c) * inner + i),
              static_cast<size_t>(block + c % width));
      }
    }
  }
}

}  // namespace

void store_in_slot(const Slot& slot, const Tensor& tensor, std::byte* memory) {
  if (slot.layout.is_dense() || tensor.type.size() == 0) {
    std::memcpy(memory, tensor.data.data(), tensor.data.size());
    return;
  }
  std::memset(memory, 0, static_cast<size_t>(slot.bytes));
  const size_t width = size_of(slot.type.data_type);
  for_each_blocked(slot, [&](size_t from, size_t to) {
    std::memcpy(memory + to * width, tensor.data.data() + from * width, width);
  });
}

Tensor load_from_slot(const Slot& slot, const std::byte* memory) {
  Tensor tensor = Tensor::empty(slot.type);
  if (slot.layout.is_dense() || tensor.type.size() == 0) {
    std::memcpy(tensor.data.data(), memory, tensor.data.size());
    return tensor;
  }
  const size_t width = size_of(slot.type.data_type);
  for_each_blocked(slot, [&](size_t to, size_t from) {
    std::memcpy(tensor.data.data() + to * width, memory + from * width, width);
  });
  return tensor;
}

void swap_channels(const Slot& slot, std::byte* memory) {
  const Shape& shape = slot.type.shape;
  if (shape.size() < 2 || shape[0] < 1 || shape[1] < 2) return;
  Tensor tensor = load_from_slot(slot, memory);
  const size_t image = tensor.data.size() / static_cast<size_t>(shape[0]);
  const size_t channel = image / static_cast<size_t>(shape[1]);
  for (size_t at = 0; at < tensor.data.size(); at += image) {
    std::byte* const first = tensor.data.data() + at;
    std::swap_ranges(first, first + channel, first + channel);
  }
  store_in_slot(slot, tensor, memory);
}

}  // namespace opbench
