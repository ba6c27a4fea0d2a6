#include "opbench/hardware/ceiling_kernels.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace opbench {
namespace {

constexpr int kChains = 12;
constexpr float kFactor = 0.5F;  // x → x / 2 + 1 stays near 2: no overflow, no denormals
constexpr float kTerm = 1.0F;
constexpr size_t kStep = 512;

/// Keeps the compiler from knowing a value.
template <class T>
void hide(T& value) {
  asm volatile("" : "+m"(value));
}

/// One loop over all repetitions: a loop around a short one costs a mispredicted branch each time.
size_t steps_of(size_t bytes, int64_t times) { return bytes / kStep * static_cast<size_t>(times); }

size_t next_step(size_t at, size_t bytes) { return at + kStep == bytes ? 0 : at + kStep; }

using Floats = float __attribute__((vector_size(16)));
using Words = uint64_t __attribute__((vector_size(16)));

float portable_multiply_adds(int64_t rounds) {
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
  return total[0] + total[1] + total[2] + total[3];
}

uint64_t portable_reads(const std::byte* data, size_t bytes, int64_t times) {
  Words seen[8] = {};
  size_t at = 0;
  for (size_t step = steps_of(bytes, times); step > 0; --step) {
    const auto* words = reinterpret_cast<const Words*>(data + at);
#pragma GCC unroll 32
    for (size_t i = 0; i < kStep / sizeof(Words); ++i) seen[i % 8] |= words[i];
    at = next_step(at, bytes);
  }
  Words all{};
  for (const Words& words : seen) all |= words;
  return all[0] | all[1];
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) float avx2_multiply_adds(int64_t rounds) {
  float factor_value = kFactor;
  float term_value = kTerm;
  hide(factor_value);
  hide(term_value);
  const __m256 factor = _mm256_set1_ps(factor_value);
  const __m256 term = _mm256_set1_ps(term_value);
  __m256 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm256_set1_ps(static_cast<float>(i));
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = _mm256_fmadd_ps(sums[i], factor, term);
  }
  __m256 total = _mm256_setzero_ps();
  for (int i = 0; i < kChains; ++i) total = _mm256_add_ps(total, sums[i]);
  float lanes[8];
  _mm256_storeu_ps(lanes, total);
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

__attribute__((target("avx2"))) uint64_t avx2_reads(const std::byte* data, size_t bytes,
                                                    int64_t times) {
  __m256i seen[8];
  for (__m256i& words : seen) words = _mm256_setzero_si256();
  size_t at = 0;
  for (size_t step = steps_of(bytes, times); step > 0; --step) {
    const auto* words = reinterpret_cast<const __m256i*>(data + at);
#pragma GCC unroll 16
    for (size_t i = 0; i < kStep / sizeof(__m256i); ++i) {
      seen[i % 8] = _mm256_or_si256(seen[i % 8], _mm256_load_si256(words + i));
    }
    at = next_step(at, bytes);
  }
  __m256i all = _mm256_setzero_si256();
  for (const __m256i& words : seen) all = _mm256_or_si256(all, words);
  uint64_t parts[4];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(parts), all);
  return parts[0] | parts[1] | parts[2] | parts[3];
}

__attribute__((target("avx512f"))) float avx512_multiply_adds(int64_t rounds) {
  float factor_value = kFactor;
  float term_value = kTerm;
  hide(factor_value);
  hide(term_value);
  const __m512 factor = _mm512_set1_ps(factor_value);
  const __m512 term = _mm512_set1_ps(term_value);
  __m512 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  for (int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_fmadd_ps(sums[i], factor, term);
  }
  __m512 total = _mm512_setzero_ps();
  for (int i = 0; i < kChains; ++i) total = _mm512_add_ps(total, sums[i]);
  float lanes[16];
  _mm512_storeu_ps(lanes, total);
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

__attribute__((target("avx512f"))) uint64_t avx512_reads(const std::byte* data, size_t bytes,
                                                         int64_t times) {
  __m512i seen[8];
  for (__m512i& words : seen) words = _mm512_setzero_si512();
  size_t at = 0;
  for (size_t step = steps_of(bytes, times); step > 0; --step) {
    const auto* words = reinterpret_cast<const __m512i*>(data + at);
#pragma GCC unroll 8
    for (size_t i = 0; i < kStep / sizeof(__m512i); ++i) {
      seen[i] = _mm512_or_si512(seen[i], _mm512_load_si512(words + i));
    }
    at = next_step(at, bytes);
  }
  __m512i all = _mm512_setzero_si512();
  for (const __m512i& words : seen) all = _mm512_or_si512(all, words);
  uint64_t parts[8];
  _mm512_storeu_si512(parts, all);
  uint64_t result = 0;
  for (const uint64_t part : parts) result |= part;
  return result;
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
  if (__builtin_cpu_supports("avx512f")) return KernelIsa::kAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return KernelIsa::kAvx2;
#endif
  return KernelIsa::kPortable;
}

double flops_of_round(KernelIsa isa) { return 2.0 * kChains * lanes_of(isa); }

float run_multiply_adds(KernelIsa isa, int64_t rounds) {
#if defined(__x86_64__)
  if (isa == KernelIsa::kAvx512) return avx512_multiply_adds(rounds);
  if (isa == KernelIsa::kAvx2) return avx2_multiply_adds(rounds);
#endif
  return portable_multiply_adds(rounds);
}

uint64_t run_reads(KernelIsa isa, const std::byte* data, size_t bytes, int64_t times) {
#if defined(__x86_64__)
  if (isa == KernelIsa::kAvx512) return avx512_reads(data, bytes, times);
  if (isa == KernelIsa::kAvx2) return avx2_reads(data, bytes, times);
#endif
  return portable_reads(data, bytes, times);
}

}  // namespace opbench
