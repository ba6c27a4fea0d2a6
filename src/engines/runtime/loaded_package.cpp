#include "engines/runtime/loaded_package.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

#include "base/files/file.h"
#include "engines/runtime/program_json.h"
#include "engines/runtime/slot_layout.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

Result<Program> read_program(const fs::path& folder) {
  OPBENCH_TRY(const std::string text, read_file(folder / "program.json"));
  OPBENCH_TRY(const Json json, parse_json(text, "program.json"));
  return parse_program(json);
}

/// The library of the package's kernels; null where it has none.
Result<void*> open_kernels(const fs::path& folder) {
  // The library itself: the system takes a link of a name that is open for what it named then.
  std::error_code missing;
  const fs::path path = fs::canonical(folder / "kernels.so", missing);
  if (missing) return nullptr;
  void* const library = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    return Error{ErrorCode::kInvalidInput, fmt::format("cannot load kernels: {}", ::dlerror())};
  }
  return library;
}

Result<void> check_weights(const Program& program, const WeightPages& weights) {
  for (const Slot& slot : program.slots) {
    const bool is_there =
        slot.storage != Storage::kWeights || weights.find(slot.offset, slot.bytes) != nullptr;
    if (is_there) continue;
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the weight \"{}\" lies across what is loaded", slot.name)};
  }
  return {};
}

}  // namespace

LoadedPackage::~LoadedPackage() {
  for (void* const library : libraries_) ::dlclose(library);
}

Result<std::unique_ptr<LoadedPackage>> LoadedPackage::load(const fs::path& folder,
                                                           const LoadOptions& options) {
  std::unique_ptr<LoadedPackage> package(new LoadedPackage);
  package->options_ = options;
  OPBENCH_CHECK(package->take_extents(folder));
  package->pool_ = std::make_unique<ThreadPool>(options.threads, options.cpus);
  package->context_ = std::make_unique<KernelContext>(KernelContext{&package->pool_->team()});
  return package;
}

Result<void> LoadedPackage::take_extents(const fs::path& folder) {
  OPBENCH_TRY(Program program, read_program(folder));
  OPBENCH_CHECK(weights_.read_to(folder / "weights.bin", program.weight_bytes));
  OPBENCH_CHECK(check_weights(program, weights_));
  OPBENCH_TRY(library_, open_kernels(folder));
  // The system opens a library once, and counts how often.
  const bool is_open = std::ranges::count(libraries_, library_) > 0;
  if (library_ != nullptr && is_open) ::dlclose(library_);
  if (library_ != nullptr && !is_open) libraries_.push_back(library_);
  program_ = std::move(program);
  return take_memory();
}

Result<void> LoadedPackage::take_memory() {
  if (arena_ == nullptr || arena_->bytes() < arena_size()) {
    // Where extents have grown once they may grow again: fresh pages cost more than a part of them.
    const size_t spare = arena_ == nullptr ? 0 : arena_size() / 4;
    arena_.reset();  // first, so that both are never there
    arena_ = std::make_unique<PageBuffer>(arena_size() + spare);
  }
  std::memset(arena_->data(), 0, arena_size());
  device_values_.reset();  // first, so that both are never there
  if (!program_.has_device()) return {};
  if (options_.device == nullptr) {
    return Error{ErrorCode::kInvalidInput, "the package is for a device, and this engine has none"};
  }
  OPBENCH_TRY(device_values_, DeviceValues::make(*options_.device, program_, weights_));
  return {};
}

TensorPlace LoadedPackage::place_of(const Slot& slot) const {
  if (slot.scope == MemoryScope::kDevice) return device_values_->place_of(slot);
  return {memory_of(slot)};
}

std::byte* LoadedPackage::memory_of(const Slot& slot) const {
  if (slot.storage == Storage::kWeights) return weights_.find(slot.offset, slot.bytes);
  return arena_->data() + options_.shift_bytes + slot.offset;
}

Result<BoundStep> LoadedPackage::bind(const Step& step) { return bind(step, *context_); }

Result<BoundStep> LoadedPackage::bind(const Step& step, KernelContext& context) {
  std::vector<std::byte*> memory;
  for (const int slot : step.arguments) {
    memory.push_back(memory_of(program_.slots[static_cast<size_t>(slot)]));
  }
  for (const int slot : step.results) {
    memory.push_back(memory_of(program_.slots[static_cast<size_t>(slot)]));
  }
  return bind(step, memory, context);
}

Result<BoundStep> LoadedPackage::bind(const Step& step, const std::vector<std::byte*>& memory) {
  return bind(step, memory, *context_);
}

Result<BoundStep> LoadedPackage::bind(const Step& step, const std::vector<std::byte*>& memory,
                                      KernelContext& context) {
  OPBENCH_TRY(BoundStep bound, bind_kernel(step, memory, context));
  if (on_bind_) on_bind_(step, memory[step.arguments.size()], bound);
  return bound;
}

std::vector<TensorPlace> LoadedPackage::places_of(const Step& step) const {
  std::vector<TensorPlace> places;
  for (const auto* tensors : {&step.arguments, &step.results}) {
    for (const int slot : *tensors) {
      places.push_back(place_of(program_.slots[static_cast<size_t>(slot)]));
    }
  }
  return places;
}

Result<BoundStep> LoadedPackage::bind_places(const Step& step,
                                             const std::vector<TensorPlace>& places) {
  return bind_places(step, places, *context_);
}

Result<BoundStep> LoadedPackage::bind_places(const Step& step,
                                             const std::vector<TensorPlace>& places,
                                             KernelContext& context) {
  if (step.copy != StepCopy::kNone) {
    const Slot& copied = program_.slots[static_cast<size_t>(step.results.front())];
    return BoundStep(step, places.at(0), places.at(1), copied.bytes, context);
  }
  if (step.runs_on == MemoryScope::kHost) {
    std::vector<std::byte*> memory;
    for (const TensorPlace& place : places) memory.push_back(place.host);
    return bind(step, memory, context);
  }
  if (step.repeat != CallRepeat{}) {
    return Error{ErrorCode::kInvalidInput, "no device repeats the calls of a step"}.with(
        "in", step.workload);
  }
  OPBENCH_TRY(const Kernel kernel, find_kernel(step));
  BoundStep bound(kernel, &context, places.size());
  std::vector<int> slots = step.arguments;
  slots.insert(slots.end(), step.results.begin(), step.results.end());
  for (size_t i = 0; i < places.size(); ++i) {
    const Slot& slot = program_.slots[static_cast<size_t>(slots[i])];
    OPBENCH_TRY(const DeviceMemory memory,
                places[i].block->part(places[i].offset, std::max<int64_t>(slot.bytes, 1)));
    bound.bind(i, slot, memory);
  }
  return bound;
}

Result<Kernel> LoadedPackage::find_kernel(const Step& step) const {
  const std::string symbol = step.symbol + "_argv";
  void* address = library_ == nullptr ? nullptr : ::dlsym(library_, symbol.c_str());
  if (address == nullptr) {
    return Error{ErrorCode::kInvalidInput, fmt::format("no kernel \"{}\" in the package", symbol)};
  }
  return reinterpret_cast<Kernel>(address);
}

Result<BoundStep> LoadedPackage::bind_kernel(const Step& step,
                                             const std::vector<std::byte*>& memory,
                                             KernelContext& context) {
  if (step.symbol.empty()) {
    const auto first_result = memory.begin() + std::ssize(step.arguments);
    const std::vector<void*> arguments(memory.begin(), first_result);
    const std::vector<void*> results(first_result, memory.end());
    OPBENCH_TRY(HostKernel kernel, HostKernel::make(step.workload, arguments, results));
    return BoundStep(std::move(kernel));
  }
  OPBENCH_TRY(const Kernel kernel, find_kernel(step));
  BoundStep bound(kernel, &context, memory.size());
  std::vector<int> slots = step.arguments;
  slots.insert(slots.end(), step.results.begin(), step.results.end());
  for (size_t i = 0; i < memory.size(); ++i) {
    bound.bind(i, program_.slots[static_cast<size_t>(slots[i])], memory[i]);
  }
  bound.repeat(step.repeat);
  return bound;
}

Result<void> LoadedPackage::set_input(size_t index, const Tensor& tensor) {
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

Tensor LoadedPackage::input(size_t index) const {
  const Slot& slot = program_.slots[static_cast<size_t>(program_.inputs.at(index))];
  return load_from_slot(slot, memory_of(slot));
}

Tensor LoadedPackage::output(size_t index) const {
  const Slot& slot = program_.slots[static_cast<size_t>(program_.outputs.at(index))];
  return load_from_slot(slot, memory_of(slot));
}

}  // namespace opbench
