#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/schedules/kernel_choice.h"
#include "planning/together/arrangement.h"

namespace opbench {

/// The choice for a set of two units: how they share two workers, and the kernel of each.
struct KeptSet {
  Arrangement arrangement = Arrangement::kSequential;
  std::array<KernelChoice, 2> kernels;  ///< in the order of the units that were asked for
  std::string baseline;                 ///< the better one: `sequential`, …
  double speedup = 1;                   ///< measured, over it; 1: it is the choice
  std::string timestamp;
  std::string target = {};
  bool operator==(const KeptSet&) const = default;
};

/// Names a set whatever the order of its units: both workloads with their layouts, the target, this
/// machine and the version of the schedules. 24 hex digits.
std::string set_key(const std::array<KernelSpec, 2>& units);

/// `STORE/_together/KEY.json`, form `opbench.kept-set/1`. A name with _ is OpBench's own in a
/// store.
std::filesystem::path kept_set_file(const std::filesystem::path& store, const std::string& key);

/// Writes the choice; a reader sees the old one or the new. `kSystem` as write_file.
Result<void> keep_set(const std::filesystem::path& store, const std::array<KernelSpec, 2>& units,
                      const KeptSet& choice);

/// The choices of a store, and of files that cannot be read why.
struct KeptSets {
  std::map<std::string, KeptSet> sets;  ///< by key
  std::vector<std::string> warnings;
};

/// Those for the target, this machine and this version of the schedules; others are left aside.
KeptSets kept_sets(const std::filesystem::path& store, const Target& target);

/// The choice for these units; nothing where none is kept. `kInvalidInput` for a file that cannot
/// be read.
Result<std::optional<KeptSet>> kept_set(const std::filesystem::path& store,
                                        const std::array<KernelSpec, 2>& units);

}  // namespace opbench
