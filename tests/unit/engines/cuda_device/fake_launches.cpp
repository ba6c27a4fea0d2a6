#include "fake_launches.h"

#include <dlfcn.h>

#include <cstdlib>
#include <memory>
#include <sstream>

#include "base/files/file.h"
#include "device_text.h"
#include "engines/cuda_device/cuda_device_api.h"
#include "engines/runtime/kernel_call.h"
#include "engines/runtime/kernel_runtime.h"

namespace opbench {
namespace {

/// A tensor in the device's memory alone.
class FakeTensor {
 public:
  static Result<std::unique_ptr<FakeTensor>> make(DeviceApi& device, const TensorType& type) {
    auto made = std::make_unique<FakeTensor>();
    OPBENCH_TRY(made->block_, device.allocate(type.bytes()));
    OPBENCH_TRY(const DeviceMemory memory, made->block_->part(0, type.bytes()));
    int32_t stride = 1;
    for (auto extent = type.shape.rbegin(); extent != type.shape.rend(); ++extent) {
      made->dimensions_.push_back({0, static_cast<int32_t>(*extent), stride, 0});
      stride *= static_cast<int32_t>(*extent);
    }
    made->buffer.device = memory.handle;
    made->buffer.device_interface = memory.interface;
    made->buffer.flags = kDeviceIsNewer;
    made->buffer.dimensions = static_cast<int32_t>(made->dimensions_.size());
    made->buffer.dim = made->dimensions_.data();
    return made;
  }

  KernelBuffer buffer;

 private:
  std::unique_ptr<DeviceBlock> block_;
  std::vector<KernelDimension> dimensions_;
};

Result<void> read_log(const std::filesystem::path& file, FakeRun& run) {
  OPBENCH_TRY(const std::string text, read_file(file));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word, kernel, label;
    words >> word;
    if (word == "module" && !line.ends_with("registers none")) ++run.module_limits;
    if (word != "launch") continue;
    FakeLaunch launch;
    words >> kernel >> label >> launch.grid[0] >> launch.grid[1] >> launch.grid[2] >> label >>
        launch.block[0] >> launch.block[1] >> launch.block[2] >> label >> launch.shared_bytes;
    if (!words) return Error{ErrorCode::kSystem, "the driver's log says \"" + line + "\""};
    run.launches.push_back(launch);
  }
  return {};
}

Result<void> call_once(const KernelSpec& spec, const std::filesystem::path& library) {
  void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) return Error{ErrorCode::kSystem, ::dlerror()};
  auto* const kernel = reinterpret_cast<Kernel>(::dlsym(loaded, "kernel_argv"));
  if (kernel == nullptr) return Error{ErrorCode::kSystem, "no kernel_argv"};
  OPBENCH_TRY(const auto device, open_cuda_device(0, kFakeCuda));
  const Graph& graph = spec.workload.graph;
  std::vector<std::unique_ptr<FakeTensor>> tensors;
  for (const auto* values : {&graph.inputs, &graph.outputs}) {
    for (const Value& value : *values) {
      OPBENCH_TRY(auto tensor, FakeTensor::make(*device, graph.types.at(value.name)));
      tensors.push_back(std::move(tensor));
    }
  }
  KernelContext context;
  KernelContext* user_context = &context;
  std::vector<void*> arguments = {static_cast<void*>(&user_context)};
  for (const auto& tensor : tensors) arguments.push_back(&tensor->buffer);
  const int code = call_kernel(kernel, arguments.data());
  tensors.clear();
  if (code == 0) return device->synchronize();
  return Error{ErrorCode::kSystem, "the kernel returned " + std::to_string(code)}.with(
      "reason", context.failure);
}

}  // namespace

Result<FakeRun> run_on_fake_driver(const KernelSpec& spec) {
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const std::filesystem::path object = folder.path() / "kernel.o";
  const std::filesystem::path library = folder.path() / "kernel.so";
  const std::filesystem::path log = folder.path() / "log";
  OPBENCH_CHECK(compile_kernel(spec, "kernel", object));
  const std::string link = "ld -shared -o " + library.string() + " " + object.string();
  if (std::system(link.c_str()) != 0) return Error{ErrorCode::kSystem, "ld refused the kernel"};
  FakeRun run;
  OPBENCH_TRY(run.ptx, ptx_text_of(object));
  ::setenv("FAKE_CUDA_LOG", log.c_str(), 1);
  const Result<void> called = call_once(spec, library);
  ::unsetenv("FAKE_CUDA_LOG");
  if (!called) return called.error();
  OPBENCH_CHECK(read_log(log, run));
  return run;
}

}  // namespace opbench
