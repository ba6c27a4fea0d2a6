#include "engines/runtime/executor.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>

#include "base/files/file.h"
#include "base/numbers/random.h"
#include "base/system/monotonic_clock.h"
#include "engines/runtime/extra_work.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

Result<std::unique_ptr<PageBuffer>> read_pages(const fs::path& path, size_t bytes) {
  auto buffer = std::make_unique<PageBuffer>(bytes + 64);
  if (bytes == 0) return buffer;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  size_t done = 0;
  while (fd >= 0 && done < bytes) {
    const ssize_t got = ::read(fd, buffer->data() + done, bytes - done);
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  if (fd >= 0) ::close(fd);
  if (done < bytes) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("cannot read weights \"{}\"", path.string())};
  }
  return buffer;
}

void fill_random(std::byte* memory, const Slot& slot) {
  if (slot.type.data_type != DataType::kFloat32) {
    std::memset(memory, 0, static_cast<size_t>(slot.bytes));
    return;
  }
  Random random(17);
  const size_t count = static_cast<size_t>(slot.bytes) / sizeof(float);
  auto* values = reinterpret_cast<float*>(memory);
  random.fill_uniform({values, count}, -1.0F, 1.0F);
}

void misbehave(Fault fault, const Slot& slot, std::byte* result) {
  const int64_t bytes = slot.bytes;
  if (fault == Fault::kCrash) ::raise(SIGSEGV);
  while (fault == Fault::kHang) ::pause();
  if (fault == Fault::kOutOfMemory) exhaust_memory();
  if (fault == Fault::kOutOfBounds) std::memset(result + bytes, 0, 64);
  if (fault == Fault::kWrong) {
    const int64_t half = bytes / 8 * 4;
    std::swap_ranges(result, result + half, result + bytes - half);
  }
  if (fault == Fault::kSwapChannels) swap_channels(slot, result);
}

size_t rounded(int64_t bytes) { return (static_cast<size_t>(bytes) + 63) / 64 * 64; }

}  // namespace

Fault parse_fault(std::string_view word) {
  if (word == "crash") return Fault::kCrash;
  if (word == "hang") return Fault::kHang;
  if (word == "out-of-bounds") return Fault::kOutOfBounds;
  if (word == "out-of-memory") return Fault::kOutOfMemory;
  if (word == "swap-channels") return Fault::kSwapChannels;
  if (slow_share(word) > 0) return Fault::kSlow;
  return word == "wrong" ? Fault::kWrong : Fault::kNone;
}

BoundStep::BoundStep(Kernel kernel, KernelContext* context, size_t arguments)
    : kernel_(kernel),
      context_(std::make_unique<KernelContext*>(context)),
      buffers_(arguments),
      dimensions_(arguments),
      arguments_(arguments + 1) {
  arguments_[0] = context_.get();
  for (size_t i = 0; i < arguments; ++i) arguments_[i + 1] = &buffers_[i];
}

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
  if (extra_steps_ > 0) work_extra(extra_steps_);
  if (fault_ != Fault::kNone) misbehave(fault_, *result_, result_memory_);
  return code;
}

void BoundStep::inject(Fault fault, const Slot& result, std::byte* memory) {
  fault_ = fault;
  result_ = &result;
  result_memory_ = memory;
}

struct Executor::Alone {
  PageBuffer memory;
  std::unique_ptr<BoundStep> step;
};

Executor::~Executor() {
  steps_.clear();
  alone_.clear();
  if (library_ != nullptr) ::dlclose(library_);
}

Result<std::unique_ptr<Executor>> Executor::load(const fs::path& package,
                                                 const ExecutorOptions& options) {
  OPBENCH_TRY(const std::string text, read_file(package / "program.json"));
  OPBENCH_TRY(const Json json, parse_json(text, "program.json"));
  std::unique_ptr<Executor> executor(new Executor);
  OPBENCH_TRY(executor->program_, parse_program(json));
  executor->options_ = options;
  executor->pool_ = std::make_unique<ThreadPool>(options.threads, options.cpus);
  executor->context_ = std::make_unique<KernelContext>(KernelContext{executor->pool_.get()});
  const Program& program = executor->program_;
  executor->arena_ = std::make_unique<PageBuffer>(static_cast<size_t>(program.arena_bytes) +
                                                  options.shift_bytes + 64);
  std::memset(executor->arena_->data(), 0, executor->arena_->bytes());
  OPBENCH_TRY(executor->weights_,
              read_pages(package / "weights.bin", static_cast<size_t>(program.weight_bytes)));
  OPBENCH_CHECK(executor->load_kernels(package));
  for (const Step& step : program.steps) {
    std::vector<std::byte*> memory;
    for (const int slot : step.arguments) {
      memory.push_back(executor->memory_of(program.slots[static_cast<size_t>(slot)]));
    }
    memory.push_back(executor->memory_of(program.slots[static_cast<size_t>(step.result)]));
    OPBENCH_TRY(BoundStep bound, executor->bind(step, memory));
    executor->steps_.push_back(std::move(bound));
  }
  executor->alone_.resize(program.steps.size());
  OPBENCH_CHECK(executor->slow_down_a_step());
  return executor;
}

// Once, before anything is measured; from then on the amount of work is fixed.
Result<void> Executor::slow_down_a_step() {
  if (options_.fault != Fault::kSlow) return {};
  for (size_t i = 0; i < program_.steps.size(); ++i) {
    if (program_.steps[i].unit != options_.fault_step) continue;
    OPBENCH_TRY(BoundStep* const step, alone(i));
    extra_steps_ = calibrate_extra_work(
        options_.slow_share, [step] { step->run(); }, work_extra, monotonic_s);
    step->slow_down(extra_steps_);
    steps_[i].slow_down(extra_steps_);
  }
  return {};
}

Result<void> Executor::load_kernels(const fs::path& package) {
  const fs::path path = fs::absolute(package / "kernels.so");
  if (!fs::exists(path)) return {};
  library_ = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library_ == nullptr) {
    return Error{ErrorCode::kInvalidInput, fmt::format("cannot load kernels: {}", ::dlerror())};
  }
  return {};
}

std::byte* Executor::memory_of(const Slot& slot) const {
  if (slot.storage == Storage::kWeights) return weights_->data() + slot.offset;
  return arena_->data() + options_.shift_bytes + slot.offset;
}

Result<BoundStep> Executor::bind(const Step& step, const std::vector<std::byte*>& memory) {
  OPBENCH_TRY(BoundStep bound, bind_kernel(step, memory));
  if (step.unit == options_.fault_step) {
    bound.slow_down(extra_steps_);
    bound.inject(options_.fault, program_.slots[static_cast<size_t>(step.result)], memory.back());
  }
  return bound;
}

Result<BoundStep> Executor::bind_kernel(const Step& step, const std::vector<std::byte*>& memory) {
  if (step.symbol.empty()) {
    BoundStep bound(nullptr, nullptr, 0);
    const std::vector<void*> arguments(memory.begin(), memory.end() - 1);
    OPBENCH_TRY(HostKernel kernel, HostKernel::make(step.workload, arguments, memory.back()));
    bound.bind_host(std::move(kernel));
    return bound;
  }
  const std::string symbol = step.symbol + "_argv";
  void* address = library_ == nullptr ? nullptr : ::dlsym(library_, symbol.c_str());
  if (address == nullptr) {
    return Error{ErrorCode::kInvalidInput, fmt::format("no kernel \"{}\" in the package", symbol)};
  }
  BoundStep bound(reinterpret_cast<Kernel>(address), context_.get(), memory.size());
  for (size_t i = 0; i < memory.size(); ++i) {
    const int slot = i < step.arguments.size() ? step.arguments[i] : step.result;
    bound.bind(i, program_.slots[static_cast<size_t>(slot)], memory[i]);
  }
  return bound;
}

Result<void> Executor::set_input(size_t index, const Tensor& tensor) {
  const Slot& slot = program_.slots[static_cast<size_t>(program_.inputs.at(index))];
  if (tensor.type != slot.type) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("input \"{}\" is {} {}, got {} {}", slot.name,
                             name_of(slot.type.data_type), shape_text(slot.type.shape),
                             name_of(tensor.type.data_type), shape_text(tensor.type.shape))};
  }
  store_in_slot(slot, tensor, memory_of(slot));
  return {};
}

Tensor Executor::input(size_t index) const {
  const Slot& slot = program_.slots[static_cast<size_t>(program_.inputs.at(index))];
  return load_from_slot(slot, memory_of(slot));
}

Tensor Executor::output(size_t index) const {
  const Slot& slot = program_.slots[static_cast<size_t>(program_.outputs.at(index))];
  return load_from_slot(slot, memory_of(slot));
}

int Executor::run() {
  int failure = 0;
  for (BoundStep& step : steps_) {
    const int code = step.run();
    if (failure == 0) failure = code;
  }
  return failure;
}

int Executor::run_timed(std::span<double> step_s) {
  int failure = 0;
  double before = monotonic_s();
  for (size_t i = 0; i < steps_.size(); ++i) {
    const int code = steps_[i].run();
    if (failure == 0) failure = code;
    const double after = monotonic_s();
    step_s[i] = after - before;
    before = after;
  }
  return failure;
}

Result<BoundStep*> Executor::alone(size_t index) {
  if (index >= alone_.size()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("no unit {} among {}", index, alone_.size())};
  }
  if (alone_[index] != nullptr) return alone_[index]->step.get();
  const Step& step = program_.steps[index];
  std::vector<int> slots = step.arguments;
  slots.push_back(step.result);
  size_t bytes = 64 + options_.shift_bytes;
  for (const int slot : slots) bytes += rounded(program_.slots[static_cast<size_t>(slot)].bytes);
  auto alone = std::make_unique<Alone>(Alone{PageBuffer(bytes), nullptr});
  std::byte* next = alone->memory.data() + options_.shift_bytes;
  std::vector<std::byte*> memory;
  for (const int index_of_slot : slots) {
    const Slot& slot = program_.slots[static_cast<size_t>(index_of_slot)];
    if (slot.storage == Storage::kWeights) {
      memory.push_back(memory_of(slot));
      continue;
    }
    fill_random(next, slot);
    memory.push_back(next);
    next += rounded(slot.bytes);
  }
  OPBENCH_TRY(BoundStep bound, bind(step, memory));
  alone->step = std::make_unique<BoundStep>(std::move(bound));
  alone_[index] = std::move(alone);
  return alone_[index]->step.get();
}

std::span<const std::byte> Executor::activations(std::optional<size_t> step) const {
  if (!step) return {arena_->data(), arena_->bytes()};
  if (*step >= alone_.size() || alone_[*step] == nullptr) return {};
  return {alone_[*step]->memory.data(), alone_[*step]->memory.bytes()};
}

Outcome<Tensor> Executor::run_checked(size_t index, const std::vector<Tensor>& operands,
                                      double* cpu_s) {
  const Step& step = program_.steps.at(index);
  std::vector<PageBuffer> buffers;
  std::vector<std::byte*> memory;
  std::vector<std::byte*> guards;
  size_t operand = 0;
  for (size_t i = 0; i <= step.arguments.size(); ++i) {
    const bool is_result = i == step.arguments.size();
    const int slot_index = is_result ? step.result : step.arguments[i];
    const Slot& slot = program_.slots[static_cast<size_t>(slot_index)];
    if (slot.storage == Storage::kWeights) {
      memory.push_back(memory_of(slot));
      continue;
    }
    const size_t bytes = rounded(slot.bytes);
    buffers.emplace_back(bytes + 2 * kGuardBytes);
    std::byte* start = buffers.back().data() + kGuardBytes;
    write_guard(start - kGuardBytes);
    write_guard(start + slot.bytes);
    guards.insert(guards.end(), {start - kGuardBytes, start + slot.bytes});
    memory.push_back(start);
    if (is_result) {
      std::memset(start, 0xFF, static_cast<size_t>(slot.bytes));
    } else if (operand < operands.size() && operands[operand].type == slot.type) {
      store_in_slot(slot, operands[operand++], start);
    } else {
      const std::string wanted =
          fmt::format("{} {}", name_of(slot.type.data_type), shape_text(slot.type.shape));
      return tl::make_unexpected(
          Failure{FailureKind::kRunError, fmt::format("operand {} of unit {} must be \"{}\", {}",
                                                      operand, index, slot.name, wanted)});
    }
  }
  auto bound = bind(step, memory);
  if (!bound) return tl::make_unexpected(Failure{FailureKind::kRunError, bound.error().message});
  context_->guard = true;
  context_->overrun = false;
  const double begin = thread_cpu_s();
  const int code = bound->run();
  if (cpu_s != nullptr) *cpu_s = thread_cpu_s() - begin;
  context_->guard = false;
  if (code != 0) {
    return tl::make_unexpected(
        Failure{FailureKind::kRunError, fmt::format("kernel returned {}", code)});
  }
  bool intact = !context_->overrun;
  for (const std::byte* guard : guards) intact = intact && guard_holds(guard);
  if (!intact) {
    return tl::make_unexpected(Failure{FailureKind::kRunError, "wrote outside of its buffers"});
  }
  return load_from_slot(program_.slots[static_cast<size_t>(step.result)], memory.back());
}

}  // namespace opbench
