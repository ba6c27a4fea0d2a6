#include "machine/resources/pinning.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

#include "machine/facts/cpu_list.h"
#include "machine/facts/topology.h"

namespace opbench {
namespace {

constexpr size_t kMostCpus = size_t{1} << 16;

/// A CPU set of any size: the fixed cpu_set_t ends at 1024.
class CpuSet {
 public:
  CpuSet() : set_(CPU_ALLOC(kMostCpus)) { CPU_ZERO_S(size(), get()); }
  static size_t size() { return CPU_ALLOC_SIZE(kMostCpus); }
  cpu_set_t* get() const { return set_.get(); }

 private:
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  std::unique_ptr<cpu_set_t, Free> set_;
};

}  // namespace

std::vector<int> current_affinity() {
  const CpuSet set;
  std::vector<int> cpus;
  if (sched_getaffinity(0, CpuSet::size(), set.get()) != 0) return cpus;
  for (size_t cpu = 0; cpu < kMostCpus; ++cpu) {
    if (CPU_ISSET_S(cpu, CpuSet::size(), set.get())) cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

Result<void> pin_this_thread(const std::vector<int>& cpus) {
  const CpuSet set;
  for (const int cpu : cpus) {
    const auto number = static_cast<size_t>(std::max(cpu, 0));
    if (number < kMostCpus) CPU_SET_S(number, CpuSet::size(), set.get());
  }
  if (sched_setaffinity(0, CpuSet::size(), set.get()) == 0) return {};
  const std::string reason = std::generic_category().message(errno);
  return Error{ErrorCode::kInvalidInput, "cannot pin to CPUs \"" + cpu_list_text(cpus) + "\""}
      .with("reason", reason)
      .with("allowed", cpu_list_text(current_affinity()));
}

}  // namespace opbench
