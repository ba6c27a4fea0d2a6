#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/cuda_device/cuda_functions.h"
#include "engines/runtime/device_api.h"

namespace opbench {

/// The context of one device and a stream there, with events around each command of the stream. The
/// context is the thread's current one.
class CudaQueue {
 public:
  static Result<std::unique_ptr<CudaQueue>> make(CudaFunctions functions, int device);
  CudaQueue(const CudaQueue&) = delete;
  CudaQueue& operator=(const CudaQueue&) = delete;
  ~CudaQueue();

  const CudaFunctions& cuda() const { return cuda_; }
  int device() const { return device_; }
  void* context() const { return context_; }
  void* stream() const { return stream_; }

  /// Gives a command to the stream, between two events. Its code, or that of an event; a lost
  /// context gets no command.
  CudaCode timed(const std::function<CudaCode()>& command);
  /// The same for a call that gives the stream nothing.
  CudaCode checked(const std::function<CudaCode()>& call);

  Result<void> synchronize();
  LaunchTimes take_times();

  /// What ended the context; empty as long as it works.
  const std::string& lost() const { return lost_; }

  /// Of the kernel that Halide's runtime was called by last: its user context.
  void* caller() const { return caller_; }
  void set_caller(void* user_context) { caller_ = user_context; }

  /// The queue that Halide's runtime in this process uses; null: none.
  static CudaQueue* current();

 private:
  CudaQueue() = default;
  CudaCode noted(CudaCode code);
  CudaCode take_event(void*& event);
  CudaCode add_times();

  CudaFunctions cuda_;
  int device_ = 0;
  void* context_ = nullptr;
  void* stream_ = nullptr;
  std::vector<std::pair<void*, void*>> commands_;  ///< events before and after
  std::vector<void*> free_events_;
  CudaCode lost_code_ = 0;
  std::string lost_;
  LaunchTimes times_;
  void* caller_ = nullptr;
};

}  // namespace opbench
