#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "machine/ceilings/ceilings.h"
#include "prediction/costs/roofline.h"
#include "prediction/workloads/kernel_work.h"

namespace opbench {

/// What is known of a unit before it runs: its workload, the kernel that it gets and how that lies
/// between the ceilings of the machine. The one definition for all that learns from times of units.
struct UnitFeatures {
  std::string kind;           ///< operator of the anchor; `elementwise`, `layout`, `reference`
  std::string schedule;       ///< empty: the operators' references run
  std::vector<float> values;  ///< by unit_feature_names()
  std::map<std::string, float> knobs;  ///< of the schedule's config, log2(1 + value)
  KernelWork work;
  RooflineTime roofline;  ///< of what the kernel really computes and reads
  double bound_s = 0;     ///< the roofline's, at least kLeastBound: what times are told relative to
};

/// Shorter bounds say nothing: a call alone takes longer.
constexpr double kLeastBound = 1e-7;

/// Extents, counts and bytes are logarithms to base 2 (of 1 + the number); of what a workload does
/// not have, 0. docs/reference/predictors.md lists them.
const std::vector<std::string>& unit_feature_names();

/// A value of unit_feature_names()[index] as a person reads it, logarithms undone: `16.8 MB`,
/// `512`.
std::string unit_feature_text(size_t index, double feature);

/// The kind of a unit, for which there is a predictor of its own.
std::string unit_kind(const KernelSpec& spec);

/// Of a unit whose kernel is chosen: plan_layouts tells it without compiling anything.
UnitFeatures unit_features(const KernelSpec& spec, const Ceilings& ceilings);

}  // namespace opbench
