#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/json/json.h"
#include "kernels/schedules/kernel_spec.h"

namespace opbench {

/// True if tensor `tensor` (a graph input; the number of inputs: the output) has a free axis.
bool has_free_axis(const KernelSpec& spec, size_t tensor);

/// True if axis `axis` of operand `operand` of the unit's first node is free.
bool is_free(const KernelSpec& spec, size_t operand, size_t axis);

/// True if every free extent is that of an input which is no weight: a kernel reads it there.
bool are_free_axes_read(const KernelSpec& spec);

/// The axes along which two workloads have other extents: axes with the same pair of extents are
/// one free extent. Nothing where the workloads differ in anything else.
std::optional<FreeAxes> differing_axes(const Workload& least, const Workload& other);

/// True if the kernel of `spec` computes `workload`. The two must be equal but for the free
/// extents: these must be as large or larger, and equal where the spec says so.
bool fits_free_axes(const KernelSpec& spec, const Workload& workload);

/// The field `free` of a kernel spec's JSON; empty when there is none. `kInvalidInput` unless it
/// has a number of at least 0 for every axis of the workload's inputs and output.
Result<FreeAxes> parse_free_axes(const Json& spec, const Workload& workload);

}  // namespace opbench
