#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "machine/facts/energy_meter.h"
#include "machine/facts/facts.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

const std::string kNoFrequency = "the kernel offers no frequency control here";

/// The word in brackets: `always [madvise] never`.
std::optional<std::string> chosen_word(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const size_t begin = text->find('[');
  const size_t end = text->find(']');
  if (begin == std::string::npos || end == std::string::npos) return text;
  return text->substr(begin + 1, end - begin - 1);
}

std::optional<double> state_facts_number_in(const fs::path& path) {
  const auto text = read_text(path);
  if (!text || text->empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  if (end == text->c_str()) return std::nullopt;
  return value;
}

std::vector<fs::path> entries_of(const fs::path& folder, const std::string& start) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with(start)) entries.push_back(entry.path());
  }
  std::ranges::sort(entries);
  return entries;
}

/// The different texts of one file of every frequency policy, `performance,powersave`.
std::optional<std::string> over_policies(const fs::path& cpus, const char* file) {
  std::set<std::string> texts;
  for (const fs::path& policy : entries_of(cpus / "cpufreq", "policy")) {
    if (const auto text = read_text(policy / file)) texts.insert(*text);
  }
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ",") + text;
  return joined.empty() ? std::nullopt : std::optional(joined);
}

std::optional<std::string> boost_of(const fs::path& cpus) {
  if (const auto text = read_text(cpus / "cpufreq/boost")) return *text == "0" ? "off" : "on";
  const auto no_turbo = read_text(cpus / "intel_pstate/no_turbo");
  if (no_turbo) return *no_turbo == "0" ? "on" : "off";
  return std::nullopt;
}

void add_frequency(StateFacts& state, const fs::path& root) {
  const fs::path cpus = root / "sys/devices/system/cpu";
  set_fact(state.governor, over_policies(cpus, "scaling_governor"), kNoFrequency);
  set_fact(state.scaling_driver, over_policies(cpus, "scaling_driver"), kNoFrequency);
  set_fact(state.energy_preference, over_policies(cpus, "energy_performance_preference"),
           kNoFrequency);
  const fs::path policy = cpus / "cpufreq/policy0";
  const auto megahertz = [&](Known<double>& fact, const char* file) {
    auto value = state_facts_number_in(policy / file);
    if (value) *value /= 1000;
    set_fact(fact, value, kNoFrequency);
  };
  megahertz(state.frequency_min_mhz, "scaling_min_freq");
  megahertz(state.frequency_max_mhz, "scaling_max_freq");
  megahertz(state.frequency_now_mhz, "scaling_cur_freq");
  set_fact(state.boost, boost_of(cpus), kNoFrequency);
  set_fact(state.smt_control, read_text(cpus / "smt/control"), "no SMT switch here");
  set_fact(state.isolated_cpus, read_text(cpus / "isolated"), "the kernel does not say");
}

void add_kernel_settings(StateFacts& state, const fs::path& root) {
  const fs::path huge = root / "sys/kernel/mm/transparent_hugepage";
  const std::string no_huge = "the kernel has no transparent huge pages";
  set_fact(state.transparent_hugepages, chosen_word(read_text(huge / "enabled")), no_huge);
  set_fact(state.transparent_hugepages_defrag, chosen_word(read_text(huge / "defrag")), no_huge);
  const fs::path kernel = root / "proc/sys/kernel";
  set_fact(state.aslr, state_facts_number_in(kernel / "randomize_va_space"), "not readable");
  set_fact(state.perf_event_paranoid, state_facts_number_in(kernel / "perf_event_paranoid"),
           "the kernel has no performance events");
  set_fact(state.clocksource,
           read_text(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"),
           "not readable");
  set_fact(state.irq_default_affinity, read_text(root / "proc/irq/default_smp_affinity"),
           "not readable");
  NamedTexts mitigations;
  for (const fs::path& path : entries_of(root / "sys/devices/system/cpu/vulnerabilities", "")) {
    mitigations[path.filename().string()] = read_text(path).value_or("");
  }
  set_fact(state.mitigations, std::optional(mitigations), "the kernel does not list them");
}

std::vector<double> load_of(const fs::path& root) {
  std::istringstream stream(read_text(root / "proc/loadavg").value_or(""));
  std::vector<double> load;
  for (double value = 0; load.size() < 3 && stream >> value;) load.push_back(value);
  return load;
}

/// `some avg10=1.5 avg60=… avg300=… total=…` → 1.5
std::optional<double> pressure_of(const fs::path& root) {
  const std::string text = read_text(root / "proc/pressure/cpu").value_or("");
  const size_t begin = text.find("avg10=");
  if (begin == std::string::npos) return std::nullopt;
  return std::strtod(text.c_str() + begin + 6, nullptr);
}

/// The eighth number of the `cpu` line of /proc/stat, in hundredths of a second.
std::optional<double> steal_seconds_of(const fs::path& root) {
  std::istringstream stream(read_text(root / "proc/stat").value_or(""));
  std::string word;
  double value = 0;
  if (!(stream >> word) || word != "cpu") return std::nullopt;
  for (int i = 0; i < 8; ++i) {
    if (!(stream >> value)) return std::nullopt;
  }
  return value / 100;
}

std::optional<double> hottest(const fs::path& root) {
  std::optional<double> hottest;
  for (const fs::path& zone : entries_of(root / "sys/class/thermal", "thermal_zone")) {
    const auto value = state_facts_number_in(zone / "temp");
    if (value) hottest = std::max(hottest.value_or(*value / 1000), *value / 1000);
  }
  return hottest;
}

std::optional<double> throttle_count(const fs::path& root) {
  std::optional<double> count;
  for (const fs::path& cpu : entries_of(root / "sys/devices/system/cpu", "cpu")) {
    const auto value = state_facts_number_in(cpu / "thermal_throttle/core_throttle_count");
    if (value) count = count.value_or(0) + *value;
  }
  return count;
}

std::optional<std::string> power_of(const fs::path& root) {
  for (const fs::path& supply : entries_of(root / "sys/class/power_supply", "")) {
    if (read_text(supply / "type") != "Mains") continue;
    return read_text(supply / "online") == "1" ? "mains" : "battery";
  }
  return std::nullopt;
}

void add_energy_meter(StateFacts& state, const fs::path& root) {
  const Result<EnergyMeter> meter = find_energy_meter(root / "sys/class/powercap");
  const std::optional<std::string> name = meter ? std::optional(name_of(*meter)) : std::nullopt;
  set_fact(state.energy_meter, name, meter ? "" : meter.error().message);
}

void add_load(StateFacts& state, const fs::path& root) {
  set_fact(state.load_average, std::optional(load_of(root)), "no /proc/loadavg");
  set_fact(state.cpu_pressure_percent, pressure_of(root), "the kernel measures no pressure");
  set_fact(state.steal_s, steal_seconds_of(root), "not in /proc/stat");
  set_fact(state.temperature_c, hottest(root), "no thermal zone is visible");
  set_fact(state.throttle_count, throttle_count(root), "the kernel counts no throttling here");
  set_fact(state.power, power_of(root), "no mains supply is visible");
}

}  // namespace

StateFacts state_facts(const fs::path& root) {
  StateFacts state;
  add_frequency(state, root);
  add_kernel_settings(state, root);
  add_load(state, root);
  add_energy_meter(state, root);
  return state;
}

}  // namespace opbench
