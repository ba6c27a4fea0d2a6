#include "kernel_harness.h"

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "base/files/file.h"
#include "base/numbers/hash.h"
#include "base/tensors/half.h"
#include "base/tensors/tensor_difference.h"
#include "engines/runtime/bound_step.h"
#include "engines/runtime/page_buffer.h"
#include "engines/runtime/teams/thread_pool.h"
#include "kernels_not_run.h"
#include "machine/target/parse_target.h"

namespace opbench {
namespace {

constexpr size_t kRedZone = 4096;  // bytes before and after the output
constexpr std::byte kGuard{0xA7};
constexpr std::byte kUnwritten{0xFF};  // a float of such bytes is NaN
constexpr uint32_t kUnwrittenFloat = 0xFFFFFFFF;
constexpr float kIdleLane = 3.5f;

Slot slot_of(const Shape& physical, DataType type) {
  Slot slot;
  slot.physical = physical;
  slot.bytes = element_count(physical) * static_cast<int64_t>(size_of(type));
  return slot;
}

std::unique_ptr<ThreadPool>& pool() {
  static auto instance = std::make_unique<ThreadPool>(1, std::vector<int>());
  return instance;
}

/// With $OPBENCH_TEST_KERNELS an object that lies in that folder is taken, and a new one is left
/// there: under an emulator compiling takes long, and running does not.
Result<void> compile_or_take(const KernelSpec& spec, const std::string& function,
                             const std::filesystem::path& object) {
  const char* folder = std::getenv("OPBENCH_TEST_KERNELS");
  if (folder == nullptr) return compile_kernel(spec, function, object);
  const std::filesystem::path kept =
      std::filesystem::path(folder) / (sha256(function + text_of(spec)) + ".o");
  std::error_code error;
  if (std::filesystem::copy_file(kept, object, error)) return {};
  OPBENCH_CHECK(compile_kernel(spec, function, object));
  OPBENCH_TRY(const std::string code, read_file(object));
  return write_file(kept, code);
}

/// Calls `visit(logical offset, physical offset)` for every element of a tensor.
template <class Visit>
void for_each_element(const Shape& shape, Layout layout, const Visit& visit) {
  const int64_t count = element_count(shape);
  if (layout.block == 0) {
    for (int64_t i = 0; i < count; ++i) visit(static_cast<size_t>(i), static_cast<size_t>(i));
    return;
  }
  const int64_t channels = shape[1];
  const int64_t inner = count / (shape[0] * channels);
  const int64_t blocks = (channels + layout.block - 1) / layout.block;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t n = i / (inner * channels);
    const int64_t c = i / inner % channels;
    const int64_t physical =
        ((n * blocks + c / layout.block) * inner + i % inner) * layout.block + c % layout.block;
    visit(static_cast<size_t>(i), static_cast<size_t>(physical));
  }
}

Bytes in_layout(const Tensor& tensor, Layout layout) {
  if (layout.block == 0) return tensor.data;
  const int64_t size = element_count(physical_shape(tensor.type.shape, layout));
  const size_t width = size_of(tensor.type.data_type);
  Bytes bytes(static_cast<size_t>(size) * width);
  std::ranges::fill(bytes, std::byte{3});
  if (tensor.type.data_type == DataType::kFloat32)
    std::fill_n(reinterpret_cast<float*>(bytes.data()), size, kIdleLane);
  for_each_element(tensor.type.shape, layout, [&](size_t l, size_t p) {
    std::memcpy(bytes.data() + p * width, tensor.data.data() + l * width, width);
  });
  return bytes;
}

const TensorType& input_type(const Workload& workload, size_t index) {
  return workload.graph.types.at(workload.graph.inputs[index].name);
}

/// A shared object with a kernel, and how long its compilation took.
struct KernelLibrary {
  std::filesystem::path file;
  double compile_seconds = 0;
};

Result<KernelLibrary> build_library(const LoadedKernel::Compile& compile,
                                    const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path object = folder / (name + ".o");
  KernelLibrary library{.file = folder / (name + ".so")};
  const auto start = std::chrono::steady_clock::now();
  OPBENCH_CHECK(compile("kernel", object));
  library.compile_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string link = "ld -shared -o " + library.file.string() + " " + object.string();
  if (std::system(link.c_str()) != 0)
    return Error{ErrorCode::kSystem, "ld refused " + object.string()};
  std::filesystem::remove(object);
  return library;
}

/// Kernels that this process has compiled: tests run some of them on other inputs or threads.
class CompiledKernels {
 public:
  Result<KernelLibrary> library_of(const KernelSpec& spec) {
    const std::string key = text_of(spec);
    if (const auto known = libraries_.find(key); known != libraries_.end()) return known->second;
    if (!folder_) {
      OPBENCH_TRY(TemporaryFolder made, TemporaryFolder::make());
      folder_.emplace(std::move(made));
    }
    const auto compile = [&](const std::string& function, const std::filesystem::path& object) {
      return compile_or_take(spec, function, object);
    };
    OPBENCH_TRY(KernelLibrary library,
                build_library(compile, folder_->path(), std::to_string(libraries_.size())));
    return libraries_.emplace(key, std::move(library)).first->second;
  }

 private:
  std::optional<TemporaryFolder> folder_;
  std::map<std::string, KernelLibrary> libraries_;
};

}  // namespace

void set_kernel_threads(int threads) {
  pool() = std::make_unique<ThreadPool>(threads, std::vector<int>());
}

struct LoadedKernel::State {
  explicit State(KernelSpec kernel) : spec(std::move(kernel)) {}

  /// The kernel of this library, whose file may go from then on.
  Result<void> open(const KernelLibrary& from) {
    compile_seconds = from.compile_seconds;
    library.reset(::dlopen(from.file.c_str(), RTLD_NOW | RTLD_LOCAL));
    if (library == nullptr) return Error{ErrorCode::kSystem, ::dlerror()};
    function = reinterpret_cast<Kernel>(::dlsym(library.get(), "kernel_argv"));
    if (function == nullptr) return Error{ErrorCode::kSystem, "no kernel_argv"};
    return {};
  }

  KernelSpec spec;
  std::unique_ptr<void, int (*)(void*)> library{nullptr, ::dlclose};
  Kernel function = nullptr;
  double compile_seconds = 0;
  std::vector<PageBuffer> inputs;
  std::vector<PageBuffer> outputs;  ///< with their red zones
  KernelContext context;
  std::optional<BoundStep> step;

  const std::string& output_name(size_t index) const {
    return spec.workload.graph.outputs.at(index).name;
  }
  const TensorType& output_type(size_t index) const {
    return spec.workload.graph.types.at(output_name(index));
  }
  Shape output_shape(size_t index) const {
    return physical_shape(output_type(index).shape, index == 0 ? spec.output_layout() : Layout{});
  }
};

LoadedKernel::LoadedKernel(std::unique_ptr<State> state) : state_(std::move(state)) {}
LoadedKernel::LoadedKernel(LoadedKernel&&) noexcept = default;
LoadedKernel& LoadedKernel::operator=(LoadedKernel&&) noexcept = default;
LoadedKernel::~LoadedKernel() = default;

Result<LoadedKernel> LoadedKernel::load(const KernelSpec& spec) {
  static CompiledKernels compiled;
  OPBENCH_TRY(const KernelLibrary library, compiled.library_of(spec));
  auto state = std::make_unique<State>(spec);
  OPBENCH_CHECK(state->open(library));
  return LoadedKernel(std::move(state));
}

Result<LoadedKernel> LoadedKernel::load(const KernelSpec& spec, const Compile& compile) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  OPBENCH_TRY(const KernelLibrary library, build_library(compile, folder.path(), "kernel"));
  auto state = std::make_unique<State>(spec);
  OPBENCH_CHECK(state->open(library));
  return LoadedKernel(std::move(state));
}

Result<void> LoadedKernel::bind(const std::vector<Tensor>& inputs) {
  const KernelSpec& spec = state_->spec;
  OPBENCH_TRY(const ScheduleDef* def, schedule_table().find(spec.schedule));
  const size_t outputs = spec.workload.graph.outputs.size();
  BoundStep& step =
      state_->step.emplace(state_->function, &state_->context, inputs.size() + outputs);
  state_->inputs.clear();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool is_packed =
        def->pack != nullptr && spec.workload.is_weight(spec.workload.graph.inputs[i].name);
    Shape shape = physical_shape(inputs[i].type.shape, spec.layouts[i]);
    Bytes bytes;
    if (is_packed) {
      OPBENCH_TRY(Tensor packed, pack_weight(spec, i, inputs[i]));
      shape = packed.type.shape;
      bytes = std::move(packed.data);
    } else {
      bytes = in_layout(inputs[i], spec.layouts[i]);
    }
    PageBuffer& memory = state_->inputs.emplace_back(bytes.size());
    std::ranges::copy(bytes, memory.data());
    step.bind(i, slot_of(shape, inputs[i].type.data_type), memory.data());
  }
  state_->outputs.clear();
  for (size_t i = 0; i < outputs; ++i) bind_output(i, inputs.size() + i);
  step.repeat(repeat_of(spec));
  return {};
}

void LoadedKernel::bind_output(size_t index, size_t position) {
  const DataType type = state_->output_type(index).data_type;
  const Shape shape = state_->output_shape(index);
  const size_t bytes = TensorType{type, shape}.bytes();
  PageBuffer& buffer = state_->outputs.emplace_back(bytes + 2 * kRedZone);
  std::fill_n(buffer.data(), bytes + 2 * kRedZone, kGuard);
  std::fill_n(buffer.data() + kRedZone, bytes, kUnwritten);
  state_->step->bind(position, slot_of(shape, type), buffer.data() + kRedZone);
}

void LoadedKernel::take(const Workload& workload) { state_->spec.workload = workload; }

int LoadedKernel::call() {
  state_->context.team = &pool()->team();
  return state_->step->run();
}

Result<void> LoadedKernel::guarded_call() {
  KernelContext& context = state_->context;
  context.guard = true;
  const int code = call();
  context.guard = false;
  if (code != 0) return Error{ErrorCode::kSystem, "the kernel returned " + std::to_string(code)};
  if (context.overrun)
    return Error{ErrorCode::kSystem, "the kernel wrote outside its scratch memory"};
  return {};
}

Result<Tensor> LoadedKernel::output(size_t index, bool is_finite) const {
  const TensorType& type = state_->output_type(index);
  const TensorType physical{type.data_type, state_->output_shape(index)};
  const std::byte* memory = state_->outputs.at(index).data();
  const std::byte* values = memory + kRedZone;
  const auto is_guard = [](std::byte value) { return value == kGuard; };
  if (!std::all_of(memory, values, is_guard) ||
      !std::all_of(values + physical.bytes(), values + physical.bytes() + kRedZone, is_guard))
    return Error{ErrorCode::kSystem, "the kernel wrote outside its output"};
  const auto* floats = reinterpret_cast<const float*>(values);
  const auto is_result = [&](float value) {
    return is_finite ? std::isfinite(value) : std::bit_cast<uint32_t>(value) != kUnwrittenFloat;
  };
  if (type.data_type == DataType::kFloat32 &&
      !std::all_of(floats, floats + physical.size(), is_result))
    return Error{ErrorCode::kSystem, "the kernel left elements unwritten or not finite"};
  Tensor result = Tensor::empty(type);
  const size_t width = size_of(type.data_type);
  const Layout layout = index == 0 ? state_->spec.output_layout() : Layout{};
  for_each_element(type.shape, layout, [&](size_t l, size_t p) {
    std::memcpy(result.data.data() + l * width, values + p * width, width);
  });
  return result;
}

double LoadedKernel::compile_seconds() const { return state_->compile_seconds; }

Result<KernelSpec> kernel_spec(const std::string& workload, const std::string& target,
                               const std::string& schedule, bool is_blocked, int threads) {
  KernelSpec spec;
  spec.threads = threads;
  OPBENCH_TRY(spec.workload, parse_workload(workload));
  OPBENCH_TRY(spec.target, parse_target(target));
  const int block = float_lanes(spec.target);
  const auto layout_of = [&](const std::string& name) {
    const Shape& shape = spec.workload.graph.types.at(name).shape;
    const bool takes =
        is_blocked && shape.size() == 4 && shape[1] >= block && !spec.workload.is_weight(name);
    return Layout{takes ? block : 0};
  };
  for (const Value& input : spec.workload.graph.inputs)
    spec.layouts.push_back(layout_of(input.name));
  spec.layouts.push_back(layout_of(spec.workload.graph.outputs[0].name));
  if (schedule.empty()) {
    if (!choose_schedule(spec))
      return Error{ErrorCode::kInvalidInput, "no schedule takes " + workload};
    return spec;
  }
  OPBENCH_TRY(const ScheduleDef* def, schedule_table().find(schedule));
  std::optional<Config> config = def->default_config(spec);
  if (!config)
    return Error{ErrorCode::kInvalidInput, "schedule " + schedule + " does not take " + workload};
  spec.schedule = schedule;
  spec.config = *std::move(config);
  return spec;
}

/// Numbers of the tensor's type: truths, integers up to 1000 or those of a byte, or in [-1, 1].
void fill_randomly(Tensor& tensor, std::mt19937_64& engine) {
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::uniform_int_distribution<int> byte(0, 255), integer(-1000, 1000), truth(0, 1);
  const auto fill = [&](auto zero, auto draw) {
    for (auto& value : tensor.as<decltype(zero)>()) value = static_cast<decltype(zero)>(draw());
  };
  switch (tensor.type.data_type) {
    case DataType::kBool:
      return fill(uint8_t{}, [&] { return truth(engine); });
    case DataType::kInt8:
    case DataType::kUint8:
      return fill(uint8_t{}, [&] { return byte(engine); });
    case DataType::kInt32:
      return fill(int32_t{}, [&] { return integer(engine); });
    case DataType::kInt64:
      return fill(int64_t{}, [&] { return integer(engine); });
    case DataType::kFloat64:
      return fill(double{}, [&] { return uniform(engine); });
    case DataType::kFloat16:
      return fill(Float16{}, [&] { return uniform(engine); });
    case DataType::kBFloat16:
      return fill(BFloat16{}, [&] { return uniform(engine); });
    default:
      return fill(float{}, [&] { return uniform(engine); });
  }
}

std::vector<Tensor> random_inputs(const Workload& workload, uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < workload.graph.inputs.size(); ++i) {
    inputs.push_back(Tensor::empty(input_type(workload, i)));
    fill_randomly(inputs.back(), engine);
  }
  return inputs;
}

Result<double> kernel_error(const KernelSpec& spec, uint64_t seed) {
  return kernel_error(spec, random_inputs(spec.workload, seed));
}

Result<double> kernel_error(const KernelSpec& spec, const std::vector<Tensor>& inputs) {
  OPBENCH_TRY(LoadedKernel kernel, LoadedKernel::load(spec));
  if (!runs_kernels_of(spec.target)) return 0.0;
  OPBENCH_CHECK(kernel.bind(inputs));
  OPBENCH_CHECK(kernel.guarded_call());
  OPBENCH_TRY(const std::vector<Tensor> references, run_references(spec.workload, inputs));
  double most = 0;
  for (size_t i = 0; i < references.size(); ++i) {
    OPBENCH_TRY(const Tensor result, kernel.output(i));
    most = std::max(most, max_relative_error(result, references[i]));
  }
  return most;
}

}  // namespace opbench
