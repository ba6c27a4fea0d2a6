#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/compare/compare_scope.h"
#include "experiments/sessions/engine_run.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/sessions/request/variant.h"
#include "measuring/results/compare_result.h"

namespace opbench {

/// One side of a comparison: a variant of a model, and the build that prepares it.
struct VariantRequest {
  ModelSpec model;
  Variant variant;
  MeasureOptions measure;
  RunHooks hooks;
  RecordNotes notes;
  std::filesystem::path build;  ///< of the `opbench` that prepares it; empty: this one
  std::string build_name;       ///< what reports call it; empty: its path
  std::string commit;           ///< that it was built from, if that is known beforehand
};

/// The request's first engine at its first thread count, prepared by this build.
VariantRequest variant_of(ProfileRequest request);

/// The variant alone, as `profile` measures it.
ProfileRequest profile_of(const VariantRequest& side);

/// Processes of each side, at first and at most. What differs from process to process decides how
/// wide intervals are, and with few of them Student's factor does, too; more take longer to start
/// than they are worth.
constexpr int kComparedProcesses = 8;
constexpr int kMostComparedProcesses = 16;

/// Processes of each side at first where the budget is small: one for four seconds, three at least.
/// Starting more would take longer than what they measure.
int compared_processes(double budget_s);

struct JudgeInputs;
class Session;

/// All that determines a `compare`.
struct CompareRequest {
  std::vector<VariantRequest> sides;  ///< the base first; at least two
  UnitKind units = UnitKind::kOwn;
  double margin = 0.02;     ///< a smaller difference does not matter
  double precision = 0.01;  ///< half-width of a ratio's interval at which it is good enough
  double budget_s = 65;     ///< to measure at most, for each side beside the base
  uint64_t seed = 0;        ///< of the order of the measurements
  CompareScope scope;
  bool is_forced = false;  ///< compare what is not comparable
  std::vector<std::string> argv;
  RunHooks hooks;
  /// Looks at each session of this build once its variants are checked, with the numbers of their
  /// sides; its error ends the comparison. May be empty.
  std::function<Result<void>(Session&, const std::vector<size_t>& sides)> prepared;
  /// Called with what is about to be judged, for those who judge it again; may be empty.
  std::function<void(const JudgeInputs&)> measured;
};

/// Measures the sides in turn and judges each against the base. Nothing is timed of a unit whose
/// result is wrong on a side. `kInvalidInput`: as run_profile; sides that do not compute the same
/// (unless forced), naming the fields. `kEnvironment`: an engine or build cannot be used here.
/// `kInterrupted`: cancelled before anything was measured.
Result<CompareResult> run_compare(const CompareRequest& request);

}  // namespace opbench
