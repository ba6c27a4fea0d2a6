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

void add_processor(Json& machine, const fs::path& root) {
  const std::string cpu = first_cpu(root);
  const std::string why = "not in /proc/cpuinfo";
  const auto add = [&](const char* name, const char* key) {
    add_fact(machine, name, value_of(cpu, key), why);
  };
  add("cpu_vendor", "vendor_id");
  add("cpu_model", "model name");
  add("cpu_family", "cpu family");
  add("cpu_model_number", "model");
  add("cpu_stepping", "stepping");
  add("microcode", "microcode");
  const bool is_here = root == "/";
  const std::set<std::string> flags = is_here ? cpu_flags() : cpu_flags_of(cpu);
  add_json_fact(machine, "isa_flags", Json(flags), why);
  // Only where there is one, so that other machines keep their hash.
  if (const auto cap = cpu_cap(); is_here && cap) machine["cpu_cap"] = *cap;
  auto hypervisor = read_text(root / "sys/hypervisor/type");
  if (!hypervisor && flags.contains("hypervisor")) hypervisor = hypervisor_signature();
  if (hypervisor) hypervisor = hypervisor_name(*hypervisor);
  add_fact(machine, "hypervisor", hypervisor, "no sign of one: this looks like bare metal");
}

Json kinds_of(const Topology& topology) {
  std::map<std::pair<int, std::string>, int> cores;
  for (const Core& core : topology.cores) ++cores[{core.efficiency, core.kind}];
  Json kinds = Json::array();
  for (const auto& [kind, count] : cores) {
    kinds.push_back({{"kind", kind.second}, {"efficiency", kind.first}, {"cores", count}});
  }
  return kinds.size() > 1 ? kinds : Json();
}

/// Equal caches once, with their number.
Json caches_of(const Topology& topology) {
  std::map<std::tuple<int, bool, int64_t, int, int, size_t>, int> counts;
  for (const Cache& cache : topology.caches) {
    ++counts[{cache.level, cache.instruction, cache.bytes, cache.line_bytes, cache.ways,
              cache.cpus.size()}];
  }
  Json caches = Json::array();
  for (const auto& [cache, count] : counts) {
    const auto& [level, instruction, bytes, line, ways, sharers] = cache;
    caches.push_back({{"level", level},
                      {"instruction", instruction},
                      {"bytes", bytes},
                      {"line_bytes", line},
                      {"ways", ways},
                      {"cpus_sharing", sharers},
                      {"count", count}});
  }
  return caches;
}

Json numa_of(const Topology& topology) {
  Json nodes = Json::array();
  for (const NumaNode& node : topology.numa_nodes) {
    nodes.push_back({{"node", node.number},
                     {"memory_bytes", node.bytes},
                     {"cpus", cpu_list_text(node.cpus)},
                     {"distances", node.distances}});
  }
  return nodes;
}

void add_topology(Json& machine, const Result<Topology>& topology) {
  const std::string why = topology ? "hwloc does not know" : topology.error().message;
  const Topology known = topology ? *topology : Topology{};
  const auto number = [&](size_t count) { return topology ? Json(count) : Json(); };
  add_json_fact(machine, "packages", number(static_cast<size_t>(known.packages)), why);
  add_json_fact(machine, "cores", number(known.cores.size()), why);
  add_json_fact(machine, "cpus", number(known.cpus().size()), why);
  const bool smt =
      std::ranges::any_of(known.cores, [](const Core& c) { return c.cpus.size() > 1; });
  add_json_fact(machine, "smt", topology ? Json(smt) : Json(), why);
  add_json_fact(machine, "core_kinds", kinds_of(known), topology ? "all cores are alike" : why);
  add_json_fact(machine, "caches", caches_of(known), why);
  add_json_fact(machine, "numa_nodes", numa_of(known), why);
}

void add_memory_and_board(Json& machine, const fs::path& root) {
  const auto total = value_of(read_text(root / "proc/meminfo").value_or(""), "MemTotal");
  const Json bytes = total ? Json(std::strtoll(total->c_str(), nullptr, 10) * 1024) : Json();
  add_json_fact(machine, "memory_bytes", bytes, "not in /proc/meminfo");
  add_fact(machine, "memory_speed_mt_per_s", std::optional<double>(),
           "only the firmware's tables tell, which need root");
  const fs::path dmi = root / "sys/class/dmi/id";
  const std::string no_dmi = "no /sys/class/dmi/id here";
  add_fact(machine, "system_vendor", read_text(dmi / "sys_vendor"), no_dmi);
  add_fact(machine, "system_product", read_text(dmi / "product_name"), no_dmi);
  auto gpu = read_text(root / "proc/driver/nvidia/version");
  if (gpu) gpu = gpu->substr(0, gpu->find('\n'));
  add_fact(machine, "gpu_driver", gpu, "no NVIDIA driver is loaded");
}

void add_limits(Json& machine, const fs::path& root) {
  const CgroupLimits limits = cgroup_limits(root);
  const std::string why = limits.version == 0 ? "no cgroup is mounted" : "the cgroups set no limit";
  add_fact(machine, "cpu_quota", limits.cpu_quota, why);
  add_fact(machine, "cpuset", limits.cpuset, "no cpuset cgroup is mounted");
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

Json machine_facts(const fs::path& root, const Result<Topology>& topology) {
  Json machine;
#if defined(__x86_64__)
  machine["architecture"] = "x86_64";
#elif defined(__aarch64__)
  machine["architecture"] = "aarch64";
#else
  machine["architecture"] = nullptr;
  machine["architecture_reason"] = "not x86_64 or aarch64";
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
