#include "engines/runtime/unit_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/numbers/random.h"
#include "base/system/monotonic_clock.h"
#include "base/tensors/half.h"
#include "engines/runtime/device_runs.h"
#include "engines/runtime/slot_layout.h"

namespace opbench {
namespace {

template <class T>
void fill_reals(std::byte* memory, int64_t bytes) {
  Random random(17);
  const std::span values(reinterpret_cast<T*>(memory), static_cast<size_t>(bytes) / sizeof(T));
  if constexpr (std::is_same_v<T, float>) return random.fill_uniform(values, -1, 1);
  for (T& value : values) value = static_cast<T>(2 * random.uniform() - 1);
}

// Numbers in -1 … 1: with zeros some kernels take other times. Integers are 0, as they may be
// positions.
void fill_random(std::byte* memory, const Slot& slot) {
  switch (slot.type.data_type) {
    case DataType::kFloat32:
      return fill_reals<float>(memory, slot.bytes);
    case DataType::kFloat64:
      return fill_reals<double>(memory, slot.bytes);
    case DataType::kFloat16:
      return fill_reals<Float16>(memory, slot.bytes);
    case DataType::kBFloat16:
      return fill_reals<BFloat16>(memory, slot.bytes);
    default:
      std::memset(memory, 0, static_cast<size_t>(slot.bytes));
  }
}

size_t rounded(int64_t bytes) { return (static_cast<size_t>(bytes) + 63) / 64 * 64; }

tl::unexpected<Failure> run_error(std::string text) {
  return tl::make_unexpected(Failure{FailureKind::kRunError, std::move(text)});
}

}  // namespace

Result<BoundStep*> UnitBench::isolated(size_t index) {
  const Program& program = package_.program();
  isolated_.resize(program.steps.size());
  if (index >= isolated_.size()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("no unit {} among {}", index, isolated_.size())};
  }
  if (isolated_[index] != nullptr) return &isolated_[index]->step;
  auto made = make_isolated(index);
  if (!made && made.error().code == ErrorCode::kSystem && package_.device() != nullptr) {
    // A device may have room for one step and not for all.
    for (auto& other : isolated_) other.reset();
    made = make_isolated(index);
  }
  if (!made) return made.error();
  isolated_[index] = std::move(*made);
  return &isolated_[index]->step;
}

Result<std::unique_ptr<UnitBench::Isolated>> UnitBench::make_isolated(size_t index) const {
  const Program& program = package_.program();
  const Step& step = program.steps[index];
  std::vector<int> slots = step.arguments;
  slots.insert(slots.end(), step.results.begin(), step.results.end());
  const size_t shift = package_.options().shift_bytes;
  size_t bytes = 64 + shift;
  for (const int slot : slots) bytes += rounded(program.slots[static_cast<size_t>(slot)].bytes);
  PageBuffer buffer(bytes);
  std::byte* next = buffer.data() + shift;
  std::vector<TensorPlace> places;
  std::vector<std::unique_ptr<DeviceBlock>> blocks;
  for (const int index_of_slot : slots) {
    const Slot& slot = program.slots[static_cast<size_t>(index_of_slot)];
    if (slot.storage == Storage::kWeights) {
      places.push_back(package_.place_of(slot));
      continue;
    }
    fill_random(next, slot);
    places.push_back({next});
    if (slot.scope == MemoryScope::kDevice) {
      OPBENCH_TRY(auto block, package_.device()->allocate(std::max<int64_t>(slot.bytes, 1)));
      OPBENCH_CHECK(block->write(0, next, slot.bytes));
      places.back() = {nullptr, block.get(), 0};
      blocks.push_back(std::move(block));
    }
    next += rounded(slot.bytes);
  }
  OPBENCH_TRY(BoundStep bound, package_.bind_places(step, places));
  return std::make_unique<Isolated>(
      Isolated{std::move(buffer), std::move(blocks), std::move(bound)});
}

std::span<const std::byte> UnitBench::memory_of(size_t step) const {
  if (step >= isolated_.size() || isolated_[step] == nullptr) return {};
  return {isolated_[step]->memory.data(), isolated_[step]->memory.bytes()};
}

/// Memory of one value between two guards. That of a device is filled here and written there, and
/// read back.
class UnitCall::GuardedBuffer {
 public:
  explicit GuardedBuffer(const Slot& slot)
      : buffer_(rounded(slot.bytes) + 2 * kGuardBytes), bytes_(slot.bytes) {
    write_guard(buffer_.data());
    write_guard(data() + bytes_);
  }

  std::byte* data() const { return buffer_.data() + kGuardBytes; }
  bool is_intact() const { return guard_holds(buffer_.data()) && guard_holds(data() + bytes_); }

  /// From now on the value lies on the device.
  Result<void> move_to(DeviceApi& device) {
    OPBENCH_TRY(block_, device.allocate(static_cast<int64_t>(buffer_.bytes())));
    return block_->write(0, buffer_.data(), static_cast<int64_t>(buffer_.bytes()));
  }
  Result<void> read_back() {
    if (block_ == nullptr) return {};
    return block_->read(0, buffer_.data(), static_cast<int64_t>(buffer_.bytes()));
  }
  TensorPlace place() const {
    if (block_ == nullptr) return {data()};
    return {nullptr, block_.get(), kGuardBytes};
  }

 private:
  PageBuffer buffer_;
  int64_t bytes_;
  std::unique_ptr<DeviceBlock> block_;
};

UnitCall::UnitCall(LoadedPackage& package) : package_(package) {}
UnitCall::~UnitCall() = default;

Outcome<std::unique_ptr<UnitCall>> UnitCall::make(LoadedPackage& package, size_t index,
                                                  const std::vector<Tensor>& operands) {
  const Program& program = package.program();
  const Step& step = program.steps.at(index);
  std::unique_ptr<UnitCall> call(new UnitCall(package));
  std::vector<TensorPlace> places;
  const auto reserve = [&](const Slot& slot) {
    call->buffers_.push_back(std::make_unique<GuardedBuffer>(slot));
    return call->buffers_.back()->data();
  };
  const auto place = [&](const Slot& slot) -> Result<void> {
    GuardedBuffer& buffer = *call->buffers_.back();
    if (slot.scope == MemoryScope::kDevice) OPBENCH_CHECK(buffer.move_to(*package.device()));
    places.push_back(buffer.place());
    return {};
  };
  size_t operand = 0;
  for (const int argument : step.arguments) {
    const Slot& slot = program.slots[static_cast<size_t>(argument)];
    if (slot.storage == Storage::kWeights) {
      places.push_back(package.place_of(slot));
      continue;
    }
    if (operand >= operands.size() || operands[operand].type != slot.type) {
      return run_error(fmt::format("operand {} of unit {} must be \"{}\", {} {}", operand, index,
                                   slot.name, name_of(slot.type.data_type),
                                   shape_text(slot.type.shape)));
    }
    store_in_slot(slot, operands[operand++], reserve(slot));
    if (const auto placed = place(slot); !placed) return run_error(placed.error().message);
  }
  for (const int result : step.results) {
    const Slot& slot = program.slots[static_cast<size_t>(result)];
    std::byte* const memory = reserve(slot);
    std::memset(memory, 0xFF, static_cast<size_t>(slot.bytes));
    call->results_.emplace_back(&slot, memory);
    if (const auto placed = place(slot); !placed) return run_error(placed.error().message);
  }
  auto bound = package.bind_places(step, places);
  if (!bound) return run_error(bound.error().message);
  call->bound_.emplace(std::move(*bound));
  return call;
}

int UnitCall::run() {
  const int code = bound_->run();
  return code != 0 ? code : finish_on_device(package_);
}

bool UnitCall::is_intact() {
  return std::ranges::all_of(
      buffers_, [](const auto& buffer) { return buffer->read_back() && buffer->is_intact(); });
}

std::vector<Tensor> UnitCall::results() const {
  std::vector<Tensor> results;
  for (const auto& [slot, memory] : results_) results.push_back(load_from_slot(*slot, memory));
  return results;
}

Outcome<std::vector<Tensor>> UnitBench::run_checked(size_t index,
                                                    const std::vector<Tensor>& operands,
                                                    double* cpu_s) {
  const auto call = UnitCall::make(package_, index, operands);
  if (!call) return tl::make_unexpected(call.error());
  KernelContext& context = package_.context();
  context.guard = true;
  context.overrun = false;
  const double begin = thread_cpu_s();
  const int code = (*call)->run();
  if (cpu_s != nullptr) *cpu_s = thread_cpu_s() - begin;
  context.guard = false;
  if (code != 0) return run_error(take_failure(context, code));
  if (context.overrun || !(*call)->is_intact()) return run_error("wrote outside of its buffers");
  return (*call)->results();
}

}  // namespace opbench
