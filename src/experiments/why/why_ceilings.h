#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "machine/ceilings/ceilings.h"
#include "machine/facts/topology.h"

namespace opbench {

/// Ceilings for splits of times.
struct WhyCeilings {
  Ceilings ceilings;
  int vector_bits = 0;      ///< of the machine, whatever OPBENCH_CPU names
  int measured_bits = 0;    ///< of the loops that the peaks are of
  std::string remark = {};  ///< empty, or what is assumed
};

/// Of these CPUs, measured or from `folder`. Where the machine hides its caches, as many virtual
/// machines do, bandwidths are measured over working sets that fit caches of 32 KiB, 512 KiB and
/// 16 MiB, and the remark says so.
Result<WhyCeilings> why_ceilings(const std::vector<int>& cpus, const Topology& topology,
                                 const std::string& machine_hash,
                                 const std::filesystem::path& folder);

/// The peak of code with vectors of so many bits over that of the machine's widest: measured on
/// these CPUs where both run here, else the ratio of the bits.
double narrow_peak_ratio(int bits, const WhyCeilings& known, const std::vector<int>& cpus);

}  // namespace opbench
