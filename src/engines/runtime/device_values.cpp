#include "engines/runtime/device_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace opbench {

Result<DeviceValues> DeviceValues::make(DeviceApi& api, const Program& program,
                                        const WeightPages& weights) {
  DeviceValues values;
  OPBENCH_TRY(values.arena_, api.allocate(std::max<int64_t>(program.device_arena_bytes, 1)));
  for (const Slot& slot : program.slots) {
    if (slot.scope != MemoryScope::kDevice) continue;
    if (slot.storage == Storage::kArena && slot.offset % api.alignment() != 0) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("value \"{}\" lies at byte {} of the device's memory", slot.name,
                               slot.offset)}
          .with("valid", fmt::format("multiples of {} on this device", api.alignment()));
    }
    if (slot.storage == Storage::kArena || values.weights_.contains(slot.offset)) continue;
    OPBENCH_TRY(auto block, api.allocate(std::max<int64_t>(slot.bytes, 1)));
    OPBENCH_CHECK(block->write(0, weights.find(slot.offset, slot.bytes), slot.bytes));
    values.weights_.emplace(slot.offset, std::move(block));
  }
  return values;
}

TensorPlace DeviceValues::place_of(const Slot& slot) const {
  if (slot.storage == Storage::kArena) return {nullptr, arena_.get(), slot.offset};
  return {nullptr, weights_.at(slot.offset).get(), 0};
}

}  // namespace opbench
