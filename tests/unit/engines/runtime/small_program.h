#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/runtime/program.h"

namespace opbench {

/// A dense float32 slot of the arena.
inline Slot arena_slot(const std::string& name, const Shape& shape, int64_t offset) {
  Slot slot;
  slot.name = name;
  slot.type = {DataType::kFloat32, shape};
  slot.physical = shape;
  slot.offset = offset;
  slot.bytes = static_cast<int64_t>(slot.type.bytes());
  return slot;
}

/// y = relu(x + w) over 6 elements in two steps of references; w lies among the weights.
inline Program small_program() {
  Program program;
  program.model = "small";
  program.slots = {arena_slot("x", {1, 6}, 0), arena_slot("w", {6}, 64),
                   arena_slot("sum", {1, 6}, 64), arena_slot("y", {1, 6}, 128)};
  program.slots[1].storage = Storage::kWeights;
  program.steps = {{0, "", "add 1x6 w:6", {0, 1}, {2}}, {1, "", "relu 1x6", {2}, {3}, {0}}};
  program.inputs = {0};
  program.outputs = {3};
  program.arena_bytes = 192;
  program.weight_bytes = 128;
  return program;
}

}  // namespace opbench
