#include "machine/facts/topology.h"

#include <hwloc.h>

#include <algorithm>
#include <memory>

namespace opbench {
namespace {

struct Destroy {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Handle = std::unique_ptr<hwloc_topology, Destroy>;

Handle make_handle() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return nullptr;
  return Handle(topology);
}

std::vector<int> numbers_of(hwloc_const_cpuset_t set) {
  std::vector<int> numbers;
  for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) {
    numbers.push_back(cpu);
  }
  return numbers;
}

/// The CPUs below `object` in hwloc's order.
std::vector<int> cpus_below(hwloc_topology_t topology, hwloc_obj_t object) {
  std::vector<int> cpus;
  hwloc_obj_t cpu = nullptr;
  while ((cpu = hwloc_get_next_obj_inside_cpuset_by_type(topology, object->cpuset, HWLOC_OBJ_PU,
                                                         cpu)) != nullptr) {
    cpus.push_back(static_cast<int>(cpu->os_index));
  }
  return cpus;
}

void read_kind(hwloc_topology_t topology, hwloc_obj_t object, Core& core) {
  const int index = hwloc_cpukinds_get_by_cpuset(topology, object->cpuset, 0);
  if (index < 0 || hwloc_cpukinds_get_nr(topology, 0) < 2) return;
  int efficiency = -1;
  unsigned count = 0;
  hwloc_info_s* infos = nullptr;
  const auto kind = static_cast<unsigned>(index);
  if (hwloc_cpukinds_get_info(topology, kind, nullptr, &efficiency, &count, &infos, 0) != 0) return;
  core.efficiency = std::max(efficiency, 0);
  for (unsigned i = 0; i < count; ++i) {
    if (std::string_view(infos[i].name) == "CoreType") core.kind = infos[i].value;
  }
}

/// Where hwloc knows no cores (some virtual machines), every CPU is one.
std::vector<Core> read_cores(hwloc_topology_t topology) {
  const bool known = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0;
  const hwloc_obj_type_t type = known ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  std::vector<Core> cores;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr) {
    Core core;
    core.cpus = cpus_below(topology, object);
    const hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, object);
    core.package = package == nullptr ? 0 : static_cast<int>(package->logical_index);
    core.numa_node = std::max(0, hwloc_bitmap_first(object->nodeset));
    read_kind(topology, object, core);
    cores.push_back(std::move(core));
  }
  return cores;
}

std::vector<Cache> read_caches(hwloc_topology_t topology) {
  std::vector<Cache> caches;
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2CACHE,
                                      HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE}) {
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr) {
      const auto& attributes = object->attr->cache;
      caches.push_back({.level = static_cast<int>(attributes.depth),
                        .instruction = attributes.type == HWLOC_OBJ_CACHE_INSTRUCTION,
                        .bytes = static_cast<int64_t>(attributes.size),
                        .line_bytes = static_cast<int>(attributes.linesize),
                        .ways = attributes.associativity,
                        .cpus = numbers_of(object->cpuset)});
    }
  }
  return caches;
}

void read_distances(hwloc_topology_t topology, std::vector<NumaNode>& nodes) {
  unsigned count = 1;
  hwloc_distances_s* distances = nullptr;
  const unsigned long kind = HWLOC_DISTANCES_KIND_FROM_OS | HWLOC_DISTANCES_KIND_MEANS_LATENCY;
  const int status =
      hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &count, &distances, kind, 0);
  if (status != 0 || count == 0 || distances == nullptr) return;
  const size_t size = distances->nbobjs;
  for (size_t i = 0; i < std::min(size, nodes.size()); ++i) {
    nodes[i].distances.assign(distances->values + i * size, distances->values + (i + 1) * size);
  }
  hwloc_distances_release(topology, distances);
}

std::vector<NumaNode> read_numa_nodes(hwloc_topology_t topology) {
  std::vector<NumaNode> nodes;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, object)) != nullptr) {
    nodes.push_back({.number = static_cast<int>(object->os_index),
                     .bytes = static_cast<int64_t>(object->attr->numanode.local_memory),
                     .cpus = numbers_of(object->cpuset),
                     .distances = {}});
  }
  read_distances(topology, nodes);
  return nodes;
}

Topology read_all(hwloc_topology_t topology) {
  Topology result;
  result.packages = std::max(1, hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE));
  result.cores = read_cores(topology);
  result.caches = read_caches(topology);
  result.numa_nodes = read_numa_nodes(topology);
  return result;
}

}  // namespace

std::vector<int> Topology::cpus() const {
  std::vector<int> result;
  for (const Core& core : cores) result.insert(result.end(), core.cpus.begin(), core.cpus.end());
  std::ranges::sort(result);
  return result;
}

int64_t Topology::cache_bytes(int level, int cpu) const {
  for (const Cache& cache : caches) {
    if (cache.level != level || cache.instruction) continue;
    if (std::ranges::find(cache.cpus, cpu) != cache.cpus.end()) return cache.bytes;
  }
  return 0;
}

bool Topology::share_cache(int first, int second) const {
  return std::ranges::any_of(caches, [&](const Cache& cache) {
    const auto has = [&](int cpu) {
      return std::ranges::find(cache.cpus, cpu) != cache.cpus.end();
    };
    return !cache.instruction && has(first) && has(second);
  });
}

Result<Topology> this_topology() {
  const Handle handle = make_handle();
  const Error failed{ErrorCode::kSystem, "hwloc cannot read this machine's topology"};
  if (!handle) return failed;
  // Without this, hwloc moves the calling thread over every CPU to read CPUID.
  hwloc_topology_set_flags(handle.get(), HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  hwloc_topology_set_type_filter(handle.get(), HWLOC_OBJ_L1ICACHE, HWLOC_TYPE_FILTER_KEEP_ALL);
  if (hwloc_topology_load(handle.get()) != 0) return failed;
  return read_all(handle.get());
}

Result<Topology> read_topology(const std::string& xml, std::string_view what) {
  const Handle handle = make_handle();
  const Error failed{ErrorCode::kInvalidInput,
                     "\"" + std::string(what) + "\" is not an hwloc XML topology"};
  if (!handle) return failed;
  const int size = static_cast<int>(xml.size()) + 1;  // with the terminating zero
  if (hwloc_topology_set_xmlbuffer(handle.get(), xml.c_str(), size) != 0) return failed;
  if (hwloc_topology_load(handle.get()) != 0) return failed;
  return read_all(handle.get());
}

}  // namespace opbench
