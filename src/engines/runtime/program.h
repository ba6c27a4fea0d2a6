#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/tensors/layout.h"
#include "base/tensors/tensor.h"
#include "model/operators/workloads/call_repeat.h"

namespace opbench {

/// Where a tensor lies during a run: in the arena, which steps reuse, or among the weights.
enum class Storage { kArena, kWeights };

/// Whose memory a tensor lies in, and who runs a step: the host, or the engine's device.
enum class MemoryScope { kHost, kDevice };

/// The direction of a step that copies its argument from one memory to the other.
enum class StepCopy { kNone, kToDevice, kToHost };

/// A tensor of a program.
struct Slot {
  std::string name;  ///< the graph's value
  TensorType type;   ///< as ONNX defines it
  Shape physical;    ///< extents as they lie in memory, outermost first
  Layout layout;
  Storage storage = Storage::kArena;
  int64_t offset = 0;  ///< bytes
  int64_t bytes = 0;
  MemoryScope scope = MemoryScope::kHost;  ///< of the arena or the weights that it is in
  bool operator==(const Slot&) const = default;
};

/// One kernel call, the calls of a repeated step, or a copy between memories.
struct Step {
  int unit = 0;
  std::string symbol;          ///< in kernels.so; empty: the operators' references run on the host
  std::string workload;        ///< canonical text
  std::vector<int> arguments;  ///< slots of the workload's inputs in order
  std::vector<int> results;    ///< slots of its outputs
  std::vector<int> needs;      ///< earlier steps whose results it reads
  std::vector<int> reuses;     ///< earlier steps that use memory which it overwrites
  CallRepeat repeat = {};      ///< positions count `arguments`, then `results`
  MemoryScope runs_on = MemoryScope::kHost;  ///< all its tensors lie there; copies have both
  StepCopy copy = StepCopy::kNone;
  bool operator==(const Step&) const = default;
};

/// A step as a team of workers runs it.
struct TeamStep {
  int step = 0;
  std::vector<int> workers;  ///< the first leads; the others help, and may come late
  std::vector<int> waits;    ///< steps that must have ended before the leader starts
  bool operator==(const TeamStep&) const = default;
};

/// A static program for each worker: a worker runs the team steps that name it, in their order.
struct TeamProgram {
  int workers = 0;
  std::vector<TeamStep> steps;  ///< each step of the program once; empty: there is none
  bool operator==(const TeamProgram&) const = default;
};

/// What an executor runs: slots, and steps. Step i is unit i of the model. A step may start when
/// all steps that it needs and all whose memory it reuses have ended; the order of the list is one
/// such order.
///
/// A package is a folder: program.json (this), kernels.so, weights.bin.
struct Program {
  std::string model;
  std::vector<Slot> slots;
  std::vector<Step> steps;
  std::vector<int> inputs;         ///< slots; these keep their bytes from run to run
  std::vector<int> outputs;        ///< slots; these are not reused after they are made
  int64_t arena_bytes = 0;         ///< of the host
  int64_t device_arena_bytes = 0;  ///< 0: no step runs on a device
  int64_t weight_bytes = 0;
  TeamProgram teams = {};  ///< which workers run which steps, when some run side by side
  bool operator==(const Program&) const = default;

  bool has_device() const;  ///< some slot lies in a device's memory
};

inline bool Program::has_device() const {
  return std::ranges::any_of(slots,
                             [](const Slot& slot) { return slot.scope == MemoryScope::kDevice; });
}

}  // namespace opbench
