#include <fmt/format.h>

#include <thread>

#include "machine/devices/device.h"
#include "machine/facts/facts.h"

namespace opbench {
namespace {

Result<std::vector<FoundDevice>> find_cpu() {
  const std::string processors = read_text("/proc/cpuinfo").value_or("");
  FoundDevice cpu{.name = "cpu",
                  .aliases = {},
                  .description = value_of(processors, "model name").value_or("unknown CPU"),
                  .facts = {}};
  cpu.facts.push_back({"CPUs", fmt::format("{}", std::thread::hardware_concurrency())});
  cpu.facts.push_back({"target", display_text(host_target())});
  return std::vector{std::move(cpu)};
}

}  // namespace

DeviceDef cpu_device() {
  return {.name = "cpu",
          .summary = "this machine's CPUs",
          .type = DeviceType::kCpu,
          .clock = "wall",
          .find = find_cpu};
}

}  // namespace opbench
