#include "engines/opencl_device/opencl_queue.h"

#include <fmt/format.h>

#include <utility>

namespace opbench {
namespace {

// Halide's runtime asks for a context without naming who wants it.
OpenClQueue* current_queue = nullptr;  // NOLINT

}  // namespace

OpenClQueue* OpenClQueue::current() { return current_queue; }

Result<std::unique_ptr<OpenClQueue>> OpenClQueue::make(OpenClFunctions functions,
                                                       cl_device_id device) {
  std::unique_ptr<OpenClQueue> made(new OpenClQueue);
  made->cl_ = functions;
  made->device_ = device;
  cl_int code = CL_SUCCESS;
  made->context_ = made->cl_.create_context(nullptr, 1, &device, nullptr, nullptr, &code);
  if (code != CL_SUCCESS) {
    return Error{ErrorCode::kSystem, "the OpenCL device gives no context: " + opencl_error(code)};
  }
  made->queue_ = made->cl_.create_queue(made->context_, device, CL_QUEUE_PROFILING_ENABLE, &code);
  if (code != CL_SUCCESS) {
    return Error{ErrorCode::kSystem,
                 "the OpenCL device gives no queue that takes times: " + opencl_error(code)};
  }
  current_queue = made.get();
  return made;
}

OpenClQueue::~OpenClQueue() {
  if (queue_ != nullptr) cl_.finish(queue_);
  for (const cl_event event : events_) cl_.release_event(event);
  if (queue_ != nullptr) cl_.release_queue(queue_);
  if (context_ != nullptr) cl_.release_context(context_);
  if (current_queue == this) current_queue = nullptr;
}

Result<void> OpenClQueue::synchronize() {
  const cl_int finished = cl_.finish(queue_);
  cl_int failed = CL_SUCCESS;
  for (const cl_event event : std::exchange(events_, {})) {
    cl_int status = CL_COMPLETE;
    const cl_int told =
        cl_.event_info(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (told != CL_SUCCESS) failed = told;
    if (status < 0) failed = status;
    add_times(event);
    cl_.release_event(event);
  }
  if (finished != CL_SUCCESS) {
    return Error{ErrorCode::kSystem, "the device did not end its work: " + opencl_error(finished)};
  }
  if (failed != CL_SUCCESS) {
    return Error{ErrorCode::kSystem, "a launch ended with " + opencl_error(failed)};
  }
  return {};
}

void OpenClQueue::add_times(cl_event event) {
  cl_ulong begin = 0, end = 0;
  const bool is_timed =
      cl_.event_times(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr) ==
          CL_SUCCESS &&
      cl_.event_times(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr) == CL_SUCCESS;
  if (!is_timed || end < begin) return;
  constexpr double kSecondsOfTick = 1e-9;
  ++times_.launches;
  const double seconds = kSecondsOfTick * static_cast<double>(end - begin);
  times_.seconds += seconds;
  cl_command_type type = 0;
  cl_.event_info(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr);
  if (type != CL_COMMAND_NDRANGE_KERNEL) times_.copies_s += seconds;
}

LaunchTimes OpenClQueue::take_times() { return std::exchange(times_, {}); }

}  // namespace opbench
