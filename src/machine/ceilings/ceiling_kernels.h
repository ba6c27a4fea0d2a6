#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

/// The loops that ceilings.cpp times. Compiled with -O2 whatever the build type.
namespace opbench {

enum class KernelIsa { kPortable, kAvx2, kAvx512 };

/// `sse2` (on x86, for kPortable), `avx2`, `avx512`.
std::string_view name_of(KernelIsa isa);

/// The widest that this CPU runs and $OPBENCH_CPU lets stand.
KernelIsa widest_isa();

/// Floating-point operations of one round of run_multiply_adds: 2 a multiply-add and lane.
double flops_of_round(KernelIsa isa);

/// Rounds of independent float32 multiply-adds in registers: enough chains to hide their latency
/// on two pipes (4 to 5 cycles × 2). Returns their sum, so that none is dropped.
float run_multiply_adds(KernelIsa isa, int64_t rounds);

/// Reads `bytes` (a multiple of 512) at `data` (64-byte aligned) in order, `times` times. Returns
/// the OR of all words.
uint64_t run_reads(KernelIsa isa, const std::byte* data, size_t bytes, int64_t times);

/// a[i] = b[i] + 0.5 c[i] for `floats` elements (a multiple of 64) at 64-byte aligned places,
/// `times` times.
void run_triads(KernelIsa isa, float* a, const float* b, const float* c, size_t floats,
                int64_t times);

}  // namespace opbench
