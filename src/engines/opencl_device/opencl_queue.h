#pragma once

#include <string>
#include <vector>

#include "engines/opencl_device/opencl_functions.h"
#include "engines/runtime/device_api.h"

namespace opbench {

/// A context and a queue on one device, and the events of what was given to it.
class OpenClQueue {
 public:
  static Result<std::unique_ptr<OpenClQueue>> make(OpenClFunctions functions, cl_device_id device);
  OpenClQueue(const OpenClQueue&) = delete;
  OpenClQueue& operator=(const OpenClQueue&) = delete;
  ~OpenClQueue();

  const OpenClFunctions& cl() const { return cl_; }
  cl_device_id device() const { return device_; }
  cl_context context() const { return context_; }
  cl_command_queue queue() const { return queue_; }

  /// Takes the event of a command; it is released when its times are read.
  void take(cl_event event) { events_.push_back(event); }
  Result<void> synchronize();
  LaunchTimes take_times();

  /// The queue that Halide's runtime in this process uses; null: none.
  static OpenClQueue* current();

 private:
  OpenClQueue() = default;
  void add_times(cl_event event);

  OpenClFunctions cl_;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::vector<cl_event> events_;
  LaunchTimes times_;
};

}  // namespace opbench
