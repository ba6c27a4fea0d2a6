#include "engines/cuda_device/cuda_queue.h"

#include "base/system/seconds.h"

namespace opbench {
namespace {

// Halide's runtime asks for a context without naming who wants it.
CudaQueue* current_cuda_queue = nullptr;  // NOLINT

Error refused_by_driver(const std::string& what, CudaCode code) {
  return Error{ErrorCode::kSystem, what + ": " + cuda_error(code)};
}

}  // namespace

CudaQueue* CudaQueue::current() { return current_cuda_queue; }

Result<std::unique_ptr<CudaQueue>> CudaQueue::make(CudaFunctions functions, int device) {
  std::unique_ptr<CudaQueue> made(new CudaQueue);
  made->cuda_ = functions;
  made->device_ = device;
  CudaCode code = functions.retain_context(&made->context_, device);
  if (code != 0) {
    made->context_ = nullptr;
    return refused_by_driver("the CUDA device gives no context", code);
  }
  code = functions.set_context(made->context_);
  if (code != 0) return refused_by_driver("the CUDA device's context cannot be used", code);
  // A stream that waits for the default one, in which Halide's runtime copies.
  code = functions.create_stream(&made->stream_, 0);
  if (code != 0) {
    made->stream_ = nullptr;
    return refused_by_driver("the CUDA device gives no stream", code);
  }
  current_cuda_queue = made.get();
  return made;
}

CudaQueue::~CudaQueue() {
  if (stream_ != nullptr && lost_.empty()) cuda_.finish(stream_);
  for (const auto& [begin, end] : commands_) {
    cuda_.destroy_event(begin);
    cuda_.destroy_event(end);
  }
  for (void* const event : free_events_) cuda_.destroy_event(event);
  if (stream_ != nullptr) cuda_.destroy_stream(stream_);
  if (context_ != nullptr) cuda_.release_context(device_);
  if (current_cuda_queue == this) current_cuda_queue = nullptr;
}

CudaCode CudaQueue::noted(CudaCode code) {
  if (ends_context(code) && lost_.empty()) {
    lost_code_ = code;
    lost_ = cuda_error(code);
  }
  return code;
}

CudaCode CudaQueue::take_event(void*& event) {
  if (free_events_.empty()) return cuda_.create_event(&event, 0);
  event = free_events_.back();
  free_events_.pop_back();
  return 0;
}

CudaCode CudaQueue::checked(const std::function<CudaCode()>& call) {
  return lost_.empty() ? noted(call()) : lost_code_;
}

CudaCode CudaQueue::timed(const std::function<CudaCode()>& command) {
  if (!lost_.empty()) return lost_code_;
  void* begin = nullptr;
  void* end = nullptr;
  CudaCode code = take_event(begin);
  if (code != 0) return noted(code);
  code = take_event(end);
  if (code == 0) code = cuda_.record(begin, stream_);
  if (code == 0) code = command();
  if (code == 0) code = cuda_.record(end, stream_);
  if (code == 0) {
    commands_.emplace_back(begin, end);
    return 0;
  }
  free_events_.push_back(begin);
  if (end != nullptr) free_events_.push_back(end);
  return noted(code);
}

Result<void> CudaQueue::synchronize() {
  if (!lost_.empty()) return Error{ErrorCode::kSystem, "the device's context was lost: " + lost_};
  const CudaCode finished = noted(cuda_.finish(stream_));
  const CudaCode timed = add_times();
  if (finished != 0) return refused_by_driver("the device did not end its work", finished);
  if (timed != 0) return refused_by_driver("the device gives no times", timed);
  return {};
}

/// Of all commands that were given; their events are free again.
CudaCode CudaQueue::add_times() {
  CudaCode failed = 0;
  for (const auto& [begin, end] : commands_) {
    float ms = 0;
    const CudaCode code = lost_.empty() ? noted(cuda_.elapsed(&ms, begin, end)) : lost_code_;
    if (code == 0) {
      ++times_.launches;
      times_.seconds += ms_to_s(static_cast<double>(ms));
    } else {
      failed = code;
    }
    free_events_.push_back(begin);
    free_events_.push_back(end);
  }
  commands_.clear();
  return failed;
}

LaunchTimes CudaQueue::take_times() { return std::exchange(times_, {}); }

}  // namespace opbench
