#include "opencl_harness.h"

#include <dlfcn.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/files/file.h"
#include "base/tensors/tensor_difference.h"
#include "engines/runtime/kernel_call.h"
#include "engines/runtime/kernel_runtime.h"
#include "kernel_harness.h"
#include "kernels/schedules/codegen/runtime_object.h"

namespace {

/// Only -dev packages bring the name without a number, which Halide asks for.
void* opencl_library() {
  static void* const kLibrary = ::dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  return kLibrary;
}

using EnqueueKernel = int (*)(void* queue, void* kernel, unsigned dimensions, const size_t* offset,
                              const size_t* global, const size_t* local, unsigned events,
                              void* const* wait, void** event);

/// What launches answer in the place of the driver; 0: the driver's own answer.
int& launch_answer() {
  static int answer = 0;
  return answer;
}

int enqueue_or_fail(void* queue, void* kernel, unsigned dimensions, const size_t* offset,
                    const size_t* global, const size_t* local, unsigned events, void* const* wait,
                    void** event) {
  if (launch_answer() != 0) return launch_answer();
  static auto* const kEnqueue =
      reinterpret_cast<EnqueueKernel>(::dlsym(opencl_library(), "clEnqueueNDRangeKernel"));
  return kEnqueue(queue, kernel, dimensions, offset, global, local, events, wait, event);
}

}  // namespace

// Halide's runtime, whose own one is weak, asks for its symbols here.
extern "C" __attribute__((visibility("default"), used)) void* halide_opencl_get_symbol(
    void* /*user_context*/, const char* name) {
  if (opencl_library() == nullptr) return nullptr;
  if (std::strcmp(name, "clEnqueueNDRangeKernel") == 0)
    return reinterpret_cast<void*>(enqueue_or_fail);
  return ::dlsym(opencl_library(), name);
}

// Halide's own one ends the process; here the kernel's answer tells.
extern "C" __attribute__((visibility("default"), used)) void halide_error(void* /*user_context*/,
                                                                          const char* /*text*/) {}

namespace opbench {
namespace {

using CopyToHost = int (*)(void* user_context, KernelBuffer* buffer);
using FreeDevice = int (*)(void* user_context, KernelBuffer* buffer);
constexpr uint64_t kHostDirty = 1;

std::string find_missing() {
  if (opencl_library() == nullptr) return "there is no libOpenCL.so.1";
  using GetPlatforms = int (*)(unsigned, void**, unsigned*);
  auto* get = reinterpret_cast<GetPlatforms>(::dlsym(opencl_library(), "clGetPlatformIDs"));
  unsigned count = 0;
  if (get == nullptr || get(0, nullptr, &count) != 0 || count == 0) {
    return "OpenCL knows no driver";
  }
  return "";
}

Result<void> link_shared(const std::filesystem::path& object, const std::filesystem::path& file) {
  const std::string link = "ld -shared -o " + file.string() + " " + object.string();
  if (std::system(link.c_str()) != 0)
    return Error{ErrorCode::kSystem, "ld refused " + object.string()};
  return {};
}

Result<void*> open_library(const std::filesystem::path& file, int visibility) {
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | visibility);
  if (library == nullptr) return Error{ErrorCode::kSystem, ::dlerror()};
  return library;
}

/// Halide's runtime and the kernels, which this process never unloads: drivers keep pointers.
class OpenClKernels {
 public:
  static OpenClKernels& instance() {
    static OpenClKernels kernels;
    return kernels;
  }

  Result<Kernel> kernel_of(const KernelSpec& spec) {
    OPBENCH_CHECK(load_runtime(spec.target));
    const std::string key = text_of(spec);
    if (const auto known = kernels_.find(key); known != kernels_.end()) return known->second;
    const std::string name = "opencl" + std::to_string(kernels_.size());
    const std::filesystem::path object = folder_->path() / (name + ".o");
    OPBENCH_CHECK(compile_kernel(spec, "kernel", object));
    const std::filesystem::path file = folder_->path() / (name + ".so");
    OPBENCH_CHECK(link_shared(object, file));
    OPBENCH_TRY(void* const library, open_library(file, RTLD_LOCAL));
    auto* kernel = reinterpret_cast<Kernel>(::dlsym(library, "kernel_argv"));
    if (kernel == nullptr) return Error{ErrorCode::kSystem, "no kernel_argv"};
    return kernels_.emplace(key, kernel).first->second;
  }

  CopyToHost copy_to_host = nullptr;
  FreeDevice free_device = nullptr;

 private:
  Result<void> load_runtime(const Target& target) {
    if (copy_to_host != nullptr) return {};
    OPBENCH_TRY(TemporaryFolder made, TemporaryFolder::make());
    folder_.emplace(std::move(made));
    ::setenv("POCL_CACHE_DIR", folder_->path().c_str(), 1);
    const std::filesystem::path object = folder_->path() / "runtime.o";
    const std::filesystem::path file = folder_->path() / "runtime.so";
    OPBENCH_CHECK(write_runtime_object(target, object));
    OPBENCH_CHECK(link_shared(object, file));
    OPBENCH_TRY(void* const library, open_library(file, RTLD_GLOBAL));
    copy_to_host = reinterpret_cast<CopyToHost>(::dlsym(library, "halide_copy_to_host"));
    free_device = reinterpret_cast<FreeDevice>(::dlsym(library, "halide_device_free"));
    return {};
  }

  std::optional<TemporaryFolder> folder_;
  std::map<std::string, Kernel> kernels_;
};

/// A tensor in host memory on a boundary of 64 bytes, and on the device once a kernel has put it
/// there.
struct DeviceTensor {
  explicit DeviceTensor(const Tensor& tensor) {
    memory.resize((tensor.data.size() + 2 * kAlign) / sizeof(double) + 1);
    auto* first = reinterpret_cast<uint8_t*>(memory.data());
    buffer.host = first + (kAlign - std::bit_cast<uintptr_t>(first) % kAlign);
    std::ranges::copy(tensor.data, reinterpret_cast<std::byte*>(buffer.host));
    int32_t stride = 1;
    const Shape& shape = tensor.type.shape;
    for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent) {
      dimensions.push_back({0, static_cast<int32_t>(*extent), stride, 0});
      stride *= static_cast<int32_t>(*extent);
    }
    const DataType type = tensor.type.data_type;
    const bool is_signed =
        type == DataType::kInt8 || type == DataType::kInt32 || type == DataType::kInt64;
    buffer.type_code = type == DataType::kFloat32 ? 2 : (is_signed ? 0 : 1);
    buffer.type_bits = static_cast<uint8_t>(8 * size_of(type));
    buffer.dimensions = static_cast<int32_t>(dimensions.size());
    buffer.dim = dimensions.data();
  }
  DeviceTensor(const DeviceTensor&) = delete;
  DeviceTensor& operator=(const DeviceTensor&) = delete;
  ~DeviceTensor() {
    if (buffer.device != 0) OpenClKernels::instance().free_device(nullptr, &buffer);
  }

  static constexpr size_t kAlign = 64;
  std::vector<double> memory;
  std::vector<KernelDimension> dimensions;
  KernelBuffer buffer;
};

struct Called {
  int code = 0;
  std::optional<Tensor> output;
};

Result<Called> call_on_device(const KernelSpec& spec, const std::vector<Tensor>& inputs) {
  if (spec.workload.graph.outputs.size() != 1)
    return Error{ErrorCode::kInvalidInput, "more than one output"};
  OpenClKernels& kernels = OpenClKernels::instance();
  OPBENCH_TRY(const Kernel kernel, kernels.kernel_of(spec));
  const ScheduleDef& schedule = **schedule_table().find(spec.schedule);
  std::vector<std::unique_ptr<DeviceTensor>> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const bool is_packed =
        schedule.pack != nullptr && spec.workload.is_weight(spec.workload.graph.inputs[i].name);
    if (is_packed) {
      OPBENCH_TRY(const Tensor packed, pack_weight(spec, i, inputs[i]));
      tensors.push_back(std::make_unique<DeviceTensor>(packed));
    } else {
      tensors.push_back(std::make_unique<DeviceTensor>(inputs[i]));
    }
    tensors.back()->buffer.flags = kHostDirty;
  }
  Tensor output =
      Tensor::empty(spec.workload.graph.types.at(spec.workload.graph.outputs.front().name));
  std::ranges::fill(output.data, std::byte{0xFF});  // floats of such bytes are NaN
  tensors.push_back(std::make_unique<DeviceTensor>(output));
  tensors.back()->buffer.flags = kHostDirty;  // so that unwritten elements show
  KernelContext context;
  KernelContext* user_context = &context;
  std::vector<void*> arguments = {static_cast<void*>(&user_context)};
  for (const auto& tensor : tensors) arguments.push_back(&tensor->buffer);
  Called called{.code = call_kernel(kernel, arguments.data()), .output = {}};
  if (called.code != 0) return called;
  KernelBuffer& result = tensors.back()->buffer;
  if (const int code = kernels.copy_to_host(&context, &result); code != 0)
    return Error{ErrorCode::kSystem, "copying back failed: " + std::to_string(code)};
  std::memcpy(output.data.data(), result.host, output.data.size());
  called.output = std::move(output);
  return called;
}

}  // namespace

const std::string& opencl_missing() {
  static const std::string kMissing = find_missing();
  return kMissing;
}

Result<double> opencl_error(const KernelSpec& spec, uint64_t seed) {
  const std::vector<Tensor> inputs = random_inputs(spec.workload, seed);
  OPBENCH_TRY(const Called called, call_on_device(spec, inputs));
  if (called.code != 0)
    return Error{ErrorCode::kSystem, "the kernel returned " + std::to_string(called.code)};
  OPBENCH_TRY(const Tensor reference, run_reference(spec.workload, inputs));
  return max_relative_error(*called.output, reference);
}

Result<int> opencl_return(const KernelSpec& spec, int answer) {
  launch_answer() = answer;
  const auto called = call_on_device(spec, random_inputs(spec.workload, 1));
  launch_answer() = 0;
  if (!called) return called.error();
  return called->code;
}

}  // namespace opbench
