#include "presentation/report/text/machine_text.h"

#include <fmt/format.h>

#include "base/errors/suggestion.h"
#include "base/text/display_width.h"

namespace opbench {
namespace {

std::string fact_text(const std::optional<std::string>& value) {
  return value ? printable(*value) : "";
}

std::string fact_text(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "";
}

std::string machine_text_bytes_text(int64_t bytes) {
  constexpr double kKibi = 1024;
  double value = static_cast<double>(bytes);
  for (const char* unit : {"B", "KiB", "MiB"}) {
    if (value < kKibi) return fmt::format("{:.4g} {}", value, unit);
    value /= kKibi;
  }
  return fmt::format("{:.4g} GiB", value);
}

/// `L1 32 KiB, L2 1 MiB`: the data caches of one CPU.
std::string caches_text(const MachineFacts& machine) {
  std::vector<std::string> parts;
  for (const CacheFacts& cache : machine.caches.value.value_or(std::vector<CacheFacts>())) {
    if (cache.instruction) continue;
    const std::string part =
        fmt::format("L{} {}", cache.level, machine_text_bytes_text(cache.bytes));
    if (parts.empty() || parts.back() != part) parts.push_back(part);
  }
  return join(parts);
}

void add(std::vector<std::string>& parts, const std::string& before, const std::string& text,
         const std::string& after = "") {
  if (!text.empty()) parts.push_back(before + text + after);
}

std::string hardware_line(const MachineFacts& machine) {
  std::vector<std::string> parts;
  add(parts, "", fact_text(machine.cpu_model.value));
  add(parts, "capped to ", fact_text(machine.cpu_cap.value), " by OPBENCH_CPU");
  const std::string cores = fact_text(machine.cores.value);
  const std::string cpus = fact_text(machine.cpus.value);
  add(parts, "", cores, cores == "1" ? " core" : " cores");
  if (cpus != cores) add(parts, "", cpus, " CPUs");
  add(parts, "", caches_text(machine));
  const auto bytes = machine.memory_bytes.value;
  if (bytes) add(parts, "memory ", machine_text_bytes_text(*bytes));
  return join(parts);
}

std::string system_line(const MachineFacts& machine, const StateFacts& state,
                        const SoftwareFacts& software) {
  std::vector<std::string> parts;
  add(parts, "", fact_text(software.distribution.value));
  add(parts, "kernel ", fact_text(software.kernel.value));
  add(parts, "in ", fact_text(software.container.value));
  add(parts, "on ", fact_text(machine.hypervisor.value));
  const std::optional<double>& quota = machine.cpu_quota.value;
  add(parts, "quota of ", quota ? fmt::format("{}", *quota) : "", " CPUs");
  add(parts, "governor ", fact_text(state.governor.value));
  return join(parts);
}

}  // namespace

std::vector<std::string> machine_lines(const Environment& environment) {
  const MachineFacts machine = environment.machine.value_or(MachineFacts());
  const StateFacts state = environment.state.value_or(StateFacts());
  const SoftwareFacts software = environment.software.value_or(SoftwareFacts());
  std::vector<std::string> lines;
  for (const std::string& line : {hardware_line(machine), system_line(machine, state, software)}) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace opbench
