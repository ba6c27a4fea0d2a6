#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "machine/facts/cgroup.h"
#include "machine/facts/cpu_list.h"
#include "machine/facts/facts.h"
#include "machine/target/cpu_cap.h"
#include "machine/target/cpu_features.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

/// The block of the first CPU: reading all of /proc/cpuinfo asks every core for its frequency.
std::string first_cpu(const fs::path& root) {
  const std::string text = read_text(root / "proc/cpuinfo").value_or("");
  return text.substr(0, text.find("\n\n"));
}

/// CPUID leaf 0x40000000 (Linux: Documentation/virt/kvm/x86/cpuid.rst).
std::string hypervisor_signature() {
#if defined(__x86_64__)
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  __cpuid(0x40000000, a, b, c, d);
  std::string text;
  for (const unsigned word : {b, c, d}) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char letter = static_cast<char>((word >> shift) & 0xff);
      if (letter >= ' ' && letter <= '~') text += letter;
    }
  }
  return text;
#else
  return "";
#endif
}

void add_processor(MachineFacts& machine, const fs::path& root) {
  const std::string cpu = first_cpu(root);
  const std::string why = "not in /proc/cpuinfo";
  const auto add = [&](Known<std::string>& fact, const char* key) {
    set_fact(fact, value_of(cpu, key), why);
  };
  add(machine.cpu_vendor, "vendor_id");
  add(machine.cpu_model, "model name");
  add(machine.cpu_family, "cpu family");
  add(machine.cpu_model_number, "model");
  add(machine.cpu_stepping, "stepping");
  add(machine.microcode, "microcode");
  const bool is_here = root == "/";
  const std::set<std::string> flags = is_here ? cpu_flags() : cpu_flags_of(cpu);
  set_fact(machine.isa_flags, std::optional(std::vector(flags.begin(), flags.end())), why);
  // Only where there is one, so that other machines keep their hash.
  if (const auto cap = cpu_cap(); is_here && cap) set_fact(machine.cpu_cap, std::string(*cap));
  auto hypervisor = read_text(root / "sys/hypervisor/type");
  if (!hypervisor && flags.contains("hypervisor")) hypervisor = hypervisor_signature();
  if (hypervisor) hypervisor = hypervisor_name(*hypervisor);
  set_fact(machine.hypervisor, hypervisor, "no sign of one: this looks like bare metal");
}

/// Nothing where all are alike.
std::vector<CoreKindFacts> kinds_of(const Topology& topology) {
  std::map<std::pair<int, std::string>, int64_t> cores;
  for (const Core& core : topology.cores) ++cores[{core.efficiency, core.kind}];
  std::vector<CoreKindFacts> kinds;
  for (const auto& [kind, count] : cores) kinds.push_back({kind.second, kind.first, count});
  return kinds.size() > 1 ? kinds : std::vector<CoreKindFacts>();
}

/// Equal caches once, with their number.
std::vector<CacheFacts> caches_of(const Topology& topology) {
  std::map<std::tuple<int, bool, int64_t, int, int, size_t>, int64_t> counts;
  for (const Cache& cache : topology.caches) {
    ++counts[{cache.level, cache.instruction, cache.bytes, cache.line_bytes, cache.ways,
              cache.cpus.size()}];
  }
  std::vector<CacheFacts> caches;
  for (const auto& [cache, count] : counts) {
    const auto& [level, instruction, bytes, line, ways, sharers] = cache;
    caches.push_back({.level = level,
                      .instruction = instruction,
                      .bytes = bytes,
                      .line_bytes = line,
                      .ways = ways,
                      .cpus_sharing = static_cast<int64_t>(sharers),
                      .count = count});
  }
  return caches;
}

std::vector<NumaFacts> numa_of(const Topology& topology) {
  std::vector<NumaFacts> nodes;
  for (const NumaNode& node : topology.numa_nodes) {
    nodes.push_back({node.number, node.bytes, cpu_list_text(node.cpus), node.distances});
  }
  return nodes;
}

void add_topology(MachineFacts& machine, const Result<Topology>& topology) {
  const std::string why = topology ? "hwloc does not know" : topology.error().message;
  const Topology known = topology ? *topology : Topology{};
  const auto set_count = [&](Known<int64_t>& fact, size_t count) {
    set_fact(fact, topology ? std::optional(static_cast<int64_t>(count)) : std::nullopt, why);
  };
  set_count(machine.packages, static_cast<size_t>(known.packages));
  set_count(machine.cores, known.cores.size());
  set_count(machine.cpus, known.cpus().size());
  const bool smt =
      std::ranges::any_of(known.cores, [](const Core& c) { return c.cpus.size() > 1; });
  set_fact(machine.smt, topology ? std::optional(smt) : std::nullopt, why);
  set_fact(machine.core_kinds, std::optional(kinds_of(known)),
           topology ? "all cores are alike" : why);
  set_fact(machine.caches, std::optional(caches_of(known)), why);
  set_fact(machine.numa_nodes, std::optional(numa_of(known)), why);
}

void add_memory_and_board(MachineFacts& machine, const fs::path& root) {
  const auto total = value_of(read_text(root / "proc/meminfo").value_or(""), "MemTotal");
  std::optional<int64_t> bytes;
  if (total) bytes = std::strtoll(total->c_str(), nullptr, 10) * 1024;
  set_fact(machine.memory_bytes, bytes, "not in /proc/meminfo");
  set_fact(machine.memory_speed_mt_per_s, std::optional<double>(),
           "only the firmware's tables tell, which need root");
  const fs::path dmi = root / "sys/class/dmi/id";
  const std::string no_dmi = "no /sys/class/dmi/id here";
  set_fact(machine.system_vendor, read_text(dmi / "sys_vendor"), no_dmi);
  set_fact(machine.system_product, read_text(dmi / "product_name"), no_dmi);
  auto gpu = read_text(root / "proc/driver/nvidia/version");
  if (gpu) gpu = gpu->substr(0, gpu->find('\n'));
  set_fact(machine.gpu_driver, gpu, "no NVIDIA driver is loaded");
}

void add_limits(MachineFacts& machine, const fs::path& root) {
  const CgroupLimits limits = cgroup_limits(root);
  const std::string why = limits.version == 0 ? "no cgroup is mounted" : "the cgroups set no limit";
  set_fact(machine.cpu_quota, limits.cpu_quota, why);
  set_fact(machine.cpuset, limits.cpuset, "no cpuset cgroup is mounted");
}

double rounded_gib(const Json& bytes) {
  return std::round(bytes.get<double>() / (1024.0 * 1024.0 * 1024.0));
}

}  // namespace

std::string hypervisor_name(const std::string& signature) {
  static const std::map<std::string, std::string> names = {
      {"ACRNACRNACRN", "ACRN"},       {"Jailhouse", "Jailhouse"},  {"KVMKVMKVM", "KVM"},
      {"Linux KVM Hv", "KVM"},        {"Microsoft Hv", "Hyper-V"}, {"TCGTCGTCGTCG", "QEMU"},
      {"VBoxVBoxVBox", "VirtualBox"}, {"VMwareVMware", "VMware"},  {"XenVMMXenVMM", "Xen"},
      {"bhyve bhyve", "bhyve"},       {"prl hyperv", "Parallels"}, {"xen", "Xen"}};
  const size_t first = signature.find_first_not_of(' ');
  if (first == std::string::npos) return "an unnamed hypervisor";
  const auto known =
      names.find(signature.substr(first, signature.find_last_not_of(' ') + 1 - first));
  return known == names.end() ? signature : known->second;
}

MachineFacts machine_facts(const fs::path& root, const Result<Topology>& topology) {
  MachineFacts machine;
#if defined(__x86_64__)
  set_fact(machine.architecture, std::string("x86_64"));
#elif defined(__aarch64__)
  set_fact(machine.architecture, std::string("aarch64"));
#else
  set_fact(machine.architecture, std::optional<std::string>(), "not x86_64 or aarch64");
#endif
  add_processor(machine, root);
  add_topology(machine, topology);
  add_memory_and_board(machine, root);
  add_limits(machine, root);
  return machine;
}

Json stable_part(const Json& machine) {
  Json stable = machine;
  if (stable.contains("memory_bytes") && stable["memory_bytes"].is_number()) {
    stable["memory_bytes"] = rounded_gib(stable["memory_bytes"]);
  }
  if (!stable.contains("numa_nodes") || !stable["numa_nodes"].is_array()) return stable;
  for (Json& node : stable["numa_nodes"]) node.erase("memory_bytes");
  return stable;
}

}  // namespace opbench
