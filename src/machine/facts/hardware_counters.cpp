#include "machine/facts/hardware_counters.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files/file.h"
#include "base/numbers/number.h"
#include "base/text/ascii.h"

namespace opbench {
namespace {

// The descriptor, or -1 with the reason in errno.
int open_counter(const CounterEvent& event, int thread) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  constexpr int kAnyCpu = -1, kNoGroup = -1;
  return static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, thread, kAnyCpu, kNoGroup, PERF_FLAG_FD_CLOEXEC));
}

std::string refusal(int error) {
  if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV) {
    return "this machine offers no hardware counters, as many virtual machines do not";
  }
  if (error == EACCES || error == EPERM) {
    const std::string level = read_file("/proc/sys/kernel/perf_event_paranoid").value_or("");
    return "the kernel refuses hardware counters (kernel.perf_event_paranoid is " +
           std::string(trimmed(level)) + "; 2 lets programs count themselves)";
  }
  if (error == ENOSYS) return "this kernel or its sandbox has no perf_event_open";
  return std::string("perf_event_open fails: ") + std::strerror(error);
}

}  // namespace

const std::vector<CounterEvent>& core_events() {
  static const std::vector<CounterEvent> kEvents = {
      {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
      {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
      {"cache_references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
      {"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}};
  return kEvents;
}

std::optional<std::string> no_counters(const std::vector<CounterEvent>& events) {
  constexpr int kThisThread = 0;
  for (const CounterEvent& event : events) {
    const int descriptor = open_counter(event, kThisThread);
    if (descriptor < 0) return refusal(errno);
    ::close(descriptor);
  }
  return std::nullopt;
}

Result<HardwareCounters> HardwareCounters::open(int pid, const std::vector<CounterEvent>& events) {
  HardwareCounters counters;
  std::error_code error;
  const std::filesystem::path tasks = "/proc/" + std::to_string(pid) + "/task";
  for (const auto& entry : std::filesystem::directory_iterator(tasks, error)) {
    const auto thread = parse_integer(entry.path().filename().string());
    if (!thread) continue;
    for (const CounterEvent& event : events) {
      const int descriptor = open_counter(event, static_cast<int>(*thread));
      if (descriptor < 0) return Error{ErrorCode::kEnvironment, refusal(errno)};
      counters.open_.push_back({event.name, descriptor});
    }
  }
  if (counters.open_.empty()) {
    return Error{ErrorCode::kEnvironment, "no process " + std::to_string(pid)};
  }
  return counters;
}

HardwareCounters::HardwareCounters(HardwareCounters&& other) noexcept
    : open_(std::exchange(other.open_, {})) {}

HardwareCounters::~HardwareCounters() {
  for (const Open& one : open_) ::close(one.descriptor);
}

std::map<std::string, double> HardwareCounters::read() const {
  std::map<std::string, double> counts;
  for (const Open& one : open_) {
    std::array<uint64_t, 3> values{};  // the count, time enabled, time running
    const auto bytes = static_cast<ssize_t>(sizeof values);
    if (::read(one.descriptor, values.data(), sizeof values) != bytes) continue;
    const double scale =
        values[2] > 0 ? static_cast<double>(values[1]) / static_cast<double>(values[2]) : 0;
    counts[one.name] += static_cast<double>(values[0]) * scale;
  }
  return counts;
}

}  // namespace opbench
