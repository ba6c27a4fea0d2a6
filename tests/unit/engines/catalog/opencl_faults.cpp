// A layer between OpenCL's loader and its drivers ($OPENCL_LAYERS) that makes a device fail.
// $OPENCL_FAULTS says how, as words with blanks between them:
//   endless=TEXT  launches of kernels whose name holds TEXT run on the device for ever
//   memory=BYTES  buffers beyond so many bytes together are refused
//   lost=N        the Nth call and all calls after it are answered with an error
//   once=N        the Nth call alone
//   count=FILE    the number of calls of this process stands there, 8 bytes
// Calls are those that can fail while the engine works; what asks for devices and what releases
// things does not count.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <type_traits>

namespace {

constexpr cl_int kLost = CL_OUT_OF_RESOURCES;  // what drivers answer when a device has gone

struct Faults {
  std::string endless;
  size_t memory = 0;  ///< bytes; 0: as many as the device has
  int64_t lost = 0, once = 0;
  std::string count;
};

Faults read_faults() {
  Faults faults;
  const char* const text = std::getenv("OPENCL_FAULTS");
  std::istringstream words(text == nullptr ? "" : text);
  for (std::string word; words >> word;) {
    const std::string name = word.substr(0, word.find('='));
    const std::string value = word.substr(std::min(word.size(), name.size() + 1));
    if (name == "endless") faults.endless = value;
    if (name == "memory") faults.memory = std::strtoull(value.c_str(), nullptr, 10);
    if (name == "lost") faults.lost = std::atol(value.c_str());
    if (name == "once") faults.once = std::atol(value.c_str());
    if (name == "count") faults.count = value;
  }
  return faults;
}

cl_icd_dispatch below;  // the driver's functions
cl_icd_dispatch layer;  // those, with ours in the place of some

class Device {
 public:
  static Device& instance() {
    static Device device;
    return device;
  }

  bool refuses_call() {
    const int64_t call = ++*calls_;
    return call == faults_.once || (faults_.lost != 0 && call >= faults_.lost);
  }

  bool takes(size_t bytes) {
    const std::scoped_lock lock(mutex_);
    return faults_.memory == 0 || used_ + bytes <= faults_.memory;
  }
  void add(cl_mem memory, size_t bytes) {
    const std::scoped_lock lock(mutex_);
    sizes_[memory] = bytes;
    used_ += bytes;
  }
  void remove(cl_mem memory) {
    const std::scoped_lock lock(mutex_);
    const auto found = sizes_.find(memory);
    if (found == sizes_.end()) return;
    used_ -= found->second;
    sizes_.erase(found);
  }

  bool never_ends(cl_kernel kernel) const {
    if (faults_.endless.empty()) return false;
    std::array<char, 512> name = {};
    below.clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, name.size() - 1, name.data(), nullptr);
    return std::string(name.data()).find(faults_.endless) != std::string::npos;
  }

 private:
  Device() { share_count(); }

  /// In memory that a file shows: the process may be killed.
  void share_count() {
    if (faults_.count.empty()) return;
    const int file = ::open(faults_.count.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || ::ftruncate(file, sizeof own_calls_) != 0) return;
    void* const shown =
        ::mmap(nullptr, sizeof own_calls_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shown != MAP_FAILED) calls_ = static_cast<std::atomic<int64_t>*>(shown);
    *calls_ = 0;
    ::close(file);
  }

  const Faults faults_ = read_faults();
  std::atomic<int64_t> own_calls_ = 0;
  std::atomic<int64_t>* calls_ = &own_calls_;
  std::mutex mutex_;
  std::map<cl_mem, size_t> sizes_;
  size_t used_ = 0;
};

/// What a call of a lost device is answered with: the last argument of functions that make
/// something is where they put their error.
template <class Made>
Made lost(cl_int* error) {
  if (error != nullptr) *error = kLost;
  return nullptr;
}

template <class Made, class First, class... Rest>
Made lost(First /*unused*/, Rest... rest) {
  return lost<Made>(rest...);
}

template <auto Member>
struct Counted;

template <class Answer, class... Arguments,
          Answer (CL_API_CALL* cl_icd_dispatch::*Member)(Arguments...)>
struct Counted<Member> {
  static Answer CL_API_CALL call(Arguments... arguments) {
    if (!Device::instance().refuses_call()) return (below.*Member)(arguments...);
    if constexpr (std::is_same_v<Answer, cl_int>) {
      return kLost;
    } else {
      return lost<Answer>(arguments...);
    }
  }
};

template <auto... Members>
void count_calls() {
  ((layer.*Members = &Counted<Members>::call), ...);
}

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host,
                                 cl_int* error) {
  Device& device = Device::instance();
  if (device.refuses_call()) return lost<cl_mem>(error);
  if (!device.takes(bytes)) {
    if (error != nullptr) *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return nullptr;
  }
  const cl_mem made = below.clCreateBuffer(context, flags, bytes, host, error);
  if (made != nullptr) device.add(made, bytes);
  return made;
}

cl_int CL_API_CALL release_memory(cl_mem memory) {
  Device::instance().remove(memory);
  return below.clReleaseMemObject(memory);
}

/// A kernel that really runs and does not end, in the queue that the other one was for.
cl_int launch_endless(cl_command_queue queue, cl_kernel instead_of, cl_event* event) {
  constexpr const char* kSource =
      "kernel void endless(global volatile int* ends) { while (*ends == 0); }";
  cl_context context = nullptr;
  below.clGetKernelInfo(instead_of, CL_KERNEL_CONTEXT, sizeof context, static_cast<void*>(&context),
                        nullptr);
  const char* source = kSource;
  const cl_program program = below.clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  const cl_int built = below.clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  if (built != CL_SUCCESS) return built;
  const cl_kernel kernel = below.clCreateKernel(program, "endless", nullptr);
  int zero = 0;
  const cl_mem ends = below.clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                           sizeof zero, &zero, nullptr);
  below.clSetKernelArg(kernel, 0, sizeof ends, static_cast<const void*>(&ends));
  const size_t one = 1;
  return below.clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, event);
}

cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                          const size_t* offset, const size_t* global, const size_t* local,
                          cl_uint waits, const cl_event* wait_list, cl_event* event) {
  Device& device = Device::instance();
  if (device.refuses_call()) return kLost;
  if (device.never_ends(kernel)) return launch_endless(queue, kernel, event);
  return below.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, waits,
                                      wait_list, event);
}

}  // namespace

// Names and signatures are those of OpenCL's layers.
extern "C" {

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what,
                                                                         size_t size, void* value,
                                                                         size_t* needed) {
  if (what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
  constexpr cl_layer_api_version kVersion = CL_LAYER_API_VERSION_100;
  if (value != nullptr && size < sizeof kVersion) return CL_INVALID_VALUE;
  if (value != nullptr) *static_cast<cl_layer_api_version*>(value) = kVersion;
  if (needed != nullptr) *needed = sizeof kVersion;
  return CL_SUCCESS;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL
clInitLayer(cl_uint entries, const cl_icd_dispatch* target, cl_uint* entries_made,
            const cl_icd_dispatch** made) {
  if (entries < sizeof below / sizeof(void*)) return CL_INVALID_VALUE;
  below = *target;
  layer = below;
  using Functions = cl_icd_dispatch;
  count_calls<
      &Functions::clCreateContext, &Functions::clCreateCommandQueue, &Functions::clCreateSubBuffer,
      &Functions::clCreateProgramWithSource, &Functions::clBuildProgram, &Functions::clCreateKernel,
      &Functions::clSetKernelArg, &Functions::clEnqueueWriteBuffer, &Functions::clEnqueueReadBuffer,
      &Functions::clFinish, &Functions::clGetEventInfo, &Functions::clGetEventProfilingInfo>();
  layer.clCreateBuffer = create_buffer;
  layer.clReleaseMemObject = release_memory;
  layer.clEnqueueNDRangeKernel = launch;
  *made = &layer;
  *entries_made = sizeof layer / sizeof(void*);
  return CL_SUCCESS;
}

}  // extern "C"
