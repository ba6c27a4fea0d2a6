#pragma once

#include <string>

#include "kernels/schedules/schedule.h"
#include "machine/ceilings/ceilings.h"
#include "machine/target/parse_target.h"

namespace opbench {

/// The default kernel of a workload for an AVX-512 machine, 4-D operands that are no weights and
/// the output in blocks of `block` channels.
inline KernelSpec default_kernel(const std::string& text, int block, int threads = 1) {
  KernelSpec spec;
  spec.workload = *parse_workload(text);
  spec.target = *parse_target("llvm -mcpu=skylake-avx512");
  spec.threads = threads;
  const Graph& graph = spec.workload.graph;
  for (const Value& input : graph.inputs) {
    const bool is_image =
        !spec.workload.is_weight(input.name) && graph.types.at(input.name).shape.size() == 4;
    spec.layouts.push_back({is_image ? block : 0});
  }
  spec.layouts.push_back({graph.types.at("y").shape.size() == 4 ? block : 0});
  choose_schedule(spec);
  return spec;
}

/// A machine of round numbers: 100 GFLOP/s; 32 KiB, 1 MiB and 32 MiB of cache.
inline Ceilings round_ceilings() {
  Ceilings ceilings;
  ceilings.cpus = {0};
  ceilings.isa = "avx512";
  ceilings.peak_one_thread = 100;
  ceilings.peak_all_threads = 200;
  ceilings.bandwidth = {{"L1", 16 << 10, 400, 800},
                        {"L2", 512 << 10, 200, 400},
                        {"L3", 4 << 20, 50, 100},
                        {"DRAM", 64 << 20, 10, 20}};
  return ceilings;
}

}  // namespace opbench
