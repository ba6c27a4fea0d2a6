#pragma once

#include <cstddef>

#include "engines/runtime/program.h"

namespace opbench {

/// Copies a dense row-major tensor into the slot's layout. Padding lanes become 0.
void store_in_slot(const Slot& slot, const Tensor& tensor, std::byte* memory);

/// Copies the tensor in a slot's memory into dense row-major form.
Tensor load_from_slot(const Slot& slot, const std::byte* memory);

/// Swaps channels 0 and 1 (dimension 1). Does nothing to a tensor of fewer than two channels.
void swap_channels(const Slot& slot, std::byte* memory);

}  // namespace opbench
