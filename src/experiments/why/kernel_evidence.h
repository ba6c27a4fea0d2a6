#pragma once

#include <filesystem>
#include <optional>

#include "experiments/sessions/engine_run.h"
#include "kernels/schedules/kernel_spec.h"
#include "prediction/why/unit_evidence.h"

namespace opbench {

/// The kernel that a unit of this engine run got, as the package chose it; nothing where its
/// operators' references run, or where the engine takes no packages.
std::optional<KernelSpec> kernel_spec_of(const EngineRun& engine_run, const PreparedUnit& unit);

/// What the kernel computes, how far its tiles reach, and what its instructions say. They are read
/// from the object in the kernel `cache`.
KernelEvidence kernel_evidence(const KernelSpec& spec, const std::filesystem::path& cache);

/// Bytes that the kernel's dense operands and result are read and written with beside it, if its
/// unit takes and gives dense tensors and the kernel other layouts.
double converted_bytes(const KernelSpec& spec);

}  // namespace opbench
