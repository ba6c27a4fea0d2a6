#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/schedules/kernel_choice.h"

namespace opbench {

struct PlanFile;
struct UnitPlacement;

/// A plan that an executor follows.
struct PlanChoice {
  std::string file;    ///< of opbench.plan/1; empty: none
  std::string sha256;  ///< of that file's text; empty: any
  /// The plan itself, if there is no file; then `file` is what messages call it.
  std::shared_ptr<const PlanFile> value;
};

/// How an engine runs a model, beside the number of its threads.
struct RunSettings {
  std::vector<int> cpus;  ///< where threads run, in order; empty: chosen by topology
  std::string target = "host";
  std::string device;  ///< that runs the target's code, by name; empty: the first of its kind
  std::string executor = "default";
  std::string parallel = "full";  ///< of a model on several threads: `full`, every unit on all of
                                  ///< them; `stream`, each on one, others beside it by a plan
  bool is_fused = true;           ///< false: of our own engine, every node a unit
  PlanChoice plan;
  /// Which units run on the host beside the device, on the first of two CPUs; null: none but those
  /// without a kernel for the device. No part of a record.
  std::shared_ptr<const UnitPlacement> placement = {};
  /// Settings of the machine by name, set for the run and put back afterwards: {"cpu.governor":
  /// "performance"}.
  std::map<std::string, std::string> machine;
  std::vector<KernelChoice> kernels;  ///< of our own engine, in place of the default configs
  /// Of a tuning log: those that are not slower here than the default become `kernels` before
  /// anything else is measured (kernel_decision.h). No part of a record.
  std::vector<KernelChoice> candidates;
  std::string tuning;  ///< which log that was, by its name and by what it offered; empty: none
};

/// Whether units run beside each other, each on one thread: that needs a plan.
inline bool has_streams(const RunSettings& settings) { return settings.parallel == "stream"; }

}  // namespace opbench
