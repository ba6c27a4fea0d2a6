#include "machine/ceilings/ceiling_kernels.h"

#include <set>
#include <string>

#include "machine/target/cpu_cap.h"

namespace opbench {
namespace {

constexpr int kChains = 12;
constexpr float kFactor = 0.5F;  // x → x / 2 + 1 stays near 2: no overflow, no denormals
constexpr float kTerm = 1.0F;
constexpr size_t kCeilingKernelsStep = 512;
constexpr size_t kTriadStep = 64;

/// Keeps the compiler from knowing a value.
template <class T>
void hide(T& value) {
  asm volatile("" : "+m"(value));
}

/// One loop over all repetitions: a loop around a short one costs a mispredicted branch each time.
size_t steps_of(size_t bytes, int64_t times) {
  return bytes / kCeilingKernelsStep * static_cast<size_t>(times);
}

size_t next_step(size_t at, size_t bytes) {
  return at + kCeilingKernelsStep == bytes ? 0 : at + kCeilingKernelsStep;
}

using Floats16 = float __attribute__((vector_size(16)));
using Floats32 = float __attribute__((vector_size(32)));
using Floats64 = float __attribute__((vector_size(64)));
using Words16 = uint64_t __attribute__((vector_size(16)));
using Words32 = uint64_t __attribute__((vector_size(32)));
using Words64 = uint64_t __attribute__((vector_size(64)));

// Inlined into a function for each instruction set, a loop becomes that set's instructions.

template <class Floats>
[[gnu::always_inline]] inline float multiply_adds(int64_t rounds) {
  float factor_value = kFactor;
  float term_value = kTerm;
  hide(factor_value);
  hide(term_value);
  const Floats factor = Floats{} + factor_value;
  const Floats term = Floats{} + term_value;
  Floats sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = Floats{} + static_cast<float>(i);
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (Floats& sum : sums) sum = sum * factor + term;
  }
  Floats total{};
  for (const Floats& sum : sums) total += sum;
  float result = 0;
  for (size_t lane = 0; lane < sizeof(Floats) / sizeof(float); ++lane) result += total[lane];
  return result;
}

template <class Words>
[[gnu::always_inline]] inline uint64_t reads(const std::byte* data, size_t bytes, int64_t times) {
  Words seen[8] = {};
  size_t at = 0;
  for (size_t step = steps_of(bytes, times); step > 0; --step) {
    const auto* words = reinterpret_cast<const Words*>(data + at);
#pragma GCC unroll 32
    for (size_t i = 0; i < kCeilingKernelsStep / sizeof(Words); ++i) seen[i % 8] |= words[i];
    at = next_step(at, bytes);
  }
  Words all{};
  for (const Words& words : seen) all |= words;
  uint64_t result = 0;
  for (size_t lane = 0; lane < sizeof(Words) / sizeof(uint64_t); ++lane) result |= all[lane];
  return result;
}

template <class Floats>
[[gnu::always_inline]] inline void triads(float* a, const float* b, const float* c, size_t floats,
                                          int64_t times) {
  constexpr size_t kLanes = sizeof(Floats) / sizeof(float);
  float factor_value = kFactor;
  hide(factor_value);
  const Floats factor = Floats{} + factor_value;
  size_t at = 0;
  for (size_t step = floats / kTriadStep * static_cast<size_t>(times); step > 0; --step) {
    auto* to = reinterpret_cast<Floats*>(a + at);
    const auto* left = reinterpret_cast<const Floats*>(b + at);
    const auto* right = reinterpret_cast<const Floats*>(c + at);
#pragma GCC unroll 16
    for (size_t i = 0; i < kTriadStep / kLanes; ++i) to[i] = left[i] + factor * right[i];
    at = at + kTriadStep == floats ? 0 : at + kTriadStep;
  }
}

#if defined(__x86_64__)

[[gnu::target("avx2,fma")]] void avx2_triads(float* a, const float* b, const float* c,
                                             size_t floats, int64_t times) {
  triads<Floats32>(a, b, c, floats, times);
}

[[gnu::target("avx512f")]] void avx512_triads(float* a, const float* b, const float* c,
                                              size_t floats, int64_t times) {
  triads<Floats64>(a, b, c, floats, times);
}

[[gnu::target("avx2,fma")]] float avx2_multiply_adds(int64_t rounds) {
  return multiply_adds<Floats32>(rounds);
}

[[gnu::target("avx512f")]] float avx512_multiply_adds(int64_t rounds) {
  return multiply_adds<Floats64>(rounds);
}

[[gnu::target("avx2")]] uint64_t avx2_reads(const std::byte* data, size_t bytes, int64_t times) {
  return reads<Words32>(data, bytes, times);
}

[[gnu::target("avx512f")]] uint64_t avx512_reads(const std::byte* data, size_t bytes,
                                                 int64_t times) {
  return reads<Words64>(data, bytes, times);
}

#endif

int lanes_of(KernelIsa isa) {
  if (isa == KernelIsa::kAvx512) return 16;
  return isa == KernelIsa::kAvx2 ? 8 : 4;
}

}  // namespace

std::string_view name_of(KernelIsa isa) {
  if (isa == KernelIsa::kAvx512) return "avx512";
  if (isa == KernelIsa::kAvx2) return "avx2";
#if defined(__x86_64__)
  return "sse2";
#else
  return "portable";
#endif
}

KernelIsa widest_isa() {
#if defined(__x86_64__)
  const std::set<std::string> flags = cpu_flags();
  if (flags.contains("avx512f")) return KernelIsa::kAvx512;
  if (flags.contains("avx2") && flags.contains("fma")) return KernelIsa::kAvx2;
#endif
  return KernelIsa::kPortable;
}

double flops_of_round(KernelIsa isa) { return 2.0 * kChains * lanes_of(isa); }

float run_multiply_adds([[maybe_unused]] KernelIsa isa, int64_t rounds) {
#if defined(__x86_64__)
  if (isa == KernelIsa::kAvx512) return avx512_multiply_adds(rounds);
  if (isa == KernelIsa::kAvx2) return avx2_multiply_adds(rounds);
#endif
  return multiply_adds<Floats16>(rounds);
}

uint64_t run_reads([[maybe_unused]] KernelIsa isa, const std::byte* data, size_t bytes,
                   int64_t times) {
#if defined(__x86_64__)
  if (isa == KernelIsa::kAvx512) return avx512_reads(data, bytes, times);
  if (isa == KernelIsa::kAvx2) return avx2_reads(data, bytes, times);
#endif
  return reads<Words16>(data, bytes, times);
}

void run_triads([[maybe_unused]] KernelIsa isa, float* a, const float* b, const float* c,
                size_t floats, int64_t times) {
#if defined(__x86_64__)
  if (isa == KernelIsa::kAvx512) return avx512_triads(a, b, c, floats, times);
  if (isa == KernelIsa::kAvx2) return avx2_triads(a, b, c, floats, times);
#endif
  triads<Floats16>(a, b, c, floats, times);
}

}  // namespace opbench
