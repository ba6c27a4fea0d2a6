#include "engines/runtime/loaded_package.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cstring>

#include "base/files/file.h"
#include "engines/runtime/program_json.h"
#include "engines/runtime/slot_layout.h"

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

}  // namespace

LoadedPackage::~LoadedPackage() {
  if (library_ != nullptr) ::dlclose(library_);
}

Result<std::unique_ptr<LoadedPackage>> LoadedPackage::load(const fs::path& folder,
                                                           const LoadOptions& options) {
  OPBENCH_TRY(const std::string text, read_file(folder / "program.json"));
  OPBENCH_TRY(const Json json, parse_json(text, "program.json"));
  std::unique_ptr<LoadedPackage> package(new LoadedPackage);
  OPBENCH_TRY(package->program_, parse_program(json));
  package->options_ = options;
  package->pool_ = std::make_unique<ThreadPool>(options.threads, options.cpus);
  package->context_ = std::make_unique<KernelContext>(KernelContext{&package->pool_->team()});
  const Program& program = package->program_;
  package->arena_ = std::make_unique<PageBuffer>(static_cast<size_t>(program.arena_bytes) +
                                                 options.shift_bytes + 64);
  std::memset(package->arena_->data(), 0, package->arena_->bytes());
  OPBENCH_TRY(package->weights_,
              read_pages(folder / "weights.bin", static_cast<size_t>(program.weight_bytes)));
  OPBENCH_CHECK(package->load_kernels(folder));
  return package;
}

Result<void> LoadedPackage::load_kernels(const fs::path& folder) {
  const fs::path path = fs::absolute(folder / "kernels.so");
  if (!fs::exists(path)) return {};
  library_ = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library_ == nullptr) {
    return Error{ErrorCode::kInvalidInput, fmt::format("cannot load kernels: {}", ::dlerror())};
  }
  return {};
}

std::byte* LoadedPackage::memory_of(const Slot& slot) const {
  if (slot.storage == Storage::kWeights) return weights_->data() + slot.offset;
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
  const std::string symbol = step.symbol + "_argv";
  void* address = library_ == nullptr ? nullptr : ::dlsym(library_, symbol.c_str());
  if (address == nullptr) {
    return Error{ErrorCode::kInvalidInput, fmt::format("no kernel \"{}\" in the package", symbol)};
  }
  BoundStep bound(reinterpret_cast<Kernel>(address), &context, memory.size());
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
