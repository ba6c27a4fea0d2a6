#pragma once

#include <optional>

#include "base/errors/failure.h"
#include "machine/ceilings/ceilings.h"
#include "measuring/results/profile_result.h"
#include "model/graph/graph.h"

namespace opbench {

/// No kernel is known that needs fewer multiplications than the definition by a larger factor than
/// Winograd's F(6×6, 3×3): 36 · 9 / 64 (Lavin and Gray, 2016).
constexpr double kLeastMultiplications = 5.0625;
/// What tile instructions multiply of 8-bit integers in the time of a float32 multiply-add (AMX:
/// 2048 operations a cycle beside 64).
constexpr double kNarrowSpeed = 32;
/// How far a measured peak may lie below the true one: a neighbour on the same core may halve all
/// of its bursts, and the clock may have risen since.
constexpr double kCeilingError = 3;

/// The seconds below which so many FLOPs are impossible on `threads` threads, whatever the kernel.
/// `is_narrow`: some operands have less than 32 bits. 0: the peak is not known.
double physical_floor_s(double flops, bool is_narrow, const Ceilings& ceilings, int threads);

/// kWrongResult for a row whose time alone is below its floor, and what that says. The shapes or
/// workload of the row tell whether it is narrow.
std::optional<Failure> impossible_time(const UnitResult& unit, const EngineResult& engine,
                                       const Ceilings& ceilings);

/// The same for a model's time from end to end, by the FLOPs of its convolutions and matrix
/// products whose operands are not all constants; others may be computed before the run.
std::optional<Failure> impossible_model_time(const Model& model, double seconds,
                                             const Ceilings& ceilings, int threads);

}  // namespace opbench
