#include "machine/target/cpuid_words.h"

#include <algorithm>
#include <array>
#include <map>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace opbench {
namespace {

#if defined(__x86_64__)

enum Register : unsigned { kEax, kEbx, kEcx, kEdx };

struct CpuidBit {
  unsigned leaf;
  unsigned subleaf;
  Register in;
  unsigned bit;
};

/// Intel's manual, volume 2A, CPUID; sse4a, fma4 and abm: AMD's manual, volume 3, appendix E.
const std::map<std::string, CpuidBit>& cpuid_bits() {
  static const std::map<std::string, CpuidBit> table = {
      {"sse2", {1, 0, kEdx, 26}},
      {"pni", {1, 0, kEcx, 0}},
      {"ssse3", {1, 0, kEcx, 9}},
      {"fma", {1, 0, kEcx, 12}},
      {"sse4_1", {1, 0, kEcx, 19}},
      {"sse4_2", {1, 0, kEcx, 20}},
      {"movbe", {1, 0, kEcx, 22}},
      {"popcnt", {1, 0, kEcx, 23}},
      {"avx", {1, 0, kEcx, 28}},
      {"f16c", {1, 0, kEcx, 29}},
      {"bmi1", {7, 0, kEbx, 3}},
      {"avx2", {7, 0, kEbx, 5}},
      {"bmi2", {7, 0, kEbx, 8}},
      {"avx512f", {7, 0, kEbx, 16}},
      {"avx512dq", {7, 0, kEbx, 17}},
      {"avx512ifma", {7, 0, kEbx, 21}},
      {"avx512pf", {7, 0, kEbx, 26}},
      {"avx512er", {7, 0, kEbx, 27}},
      {"avx512cd", {7, 0, kEbx, 28}},
      {"avx512bw", {7, 0, kEbx, 30}},
      {"avx512vl", {7, 0, kEbx, 31}},
      {"avx512vbmi", {7, 0, kEcx, 1}},
      {"avx512_vbmi2", {7, 0, kEcx, 6}},
      {"gfni", {7, 0, kEcx, 8}},
      {"vaes", {7, 0, kEcx, 9}},
      {"vpclmulqdq", {7, 0, kEcx, 10}},
      {"avx512_vnni", {7, 0, kEcx, 11}},
      {"avx512_bitalg", {7, 0, kEcx, 12}},
      {"avx512_vpopcntdq", {7, 0, kEcx, 14}},
      {"amx_bf16", {7, 0, kEdx, 22}},
      {"avx512_fp16", {7, 0, kEdx, 23}},
      {"amx_tile", {7, 0, kEdx, 24}},
      {"amx_int8", {7, 0, kEdx, 25}},
      {"avx_vnni", {7, 1, kEax, 4}},
      {"avx512_bf16", {7, 1, kEax, 5}},
      {"abm", {0x80000001, 0, kEcx, 5}},
      {"sse4a", {0x80000001, 0, kEcx, 6}},
      {"fma4", {0x80000001, 0, kEcx, 16}},
  };
  return table;
}

#endif

}  // namespace

bool is_denied_by_cpuid(const std::string& word) {
#if defined(__x86_64__)
  const auto found = cpuid_bits().find(word);
  if (found == cpuid_bits().end()) return false;
  const CpuidBit& bit = found->second;
  std::array<unsigned, 4> registers{};
  if (__get_cpuid_count(bit.leaf, bit.subleaf, &registers[kEax], &registers[kEbx], &registers[kEcx],
                        &registers[kEdx]) == 0) {
    return true;
  }
  return (registers.at(bit.in) >> bit.bit & 1U) == 0;
#else
  static_cast<void>(word);
  return false;
#endif
}

std::set<std::string> words_of_cpuid() {
  std::set<std::string> granted;
#if defined(__x86_64__)
  // Both ask the system, too, whether it saves the wide registers.
  const bool has_avx = __builtin_cpu_supports("avx") != 0;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") != 0;
  constexpr std::array kWide = {"avx",  "avx2", "f16c",       "fma",
                                "fma4", "vaes", "vpclmulqdq", "avx_vnni"};
  for (const auto& [word, bit] : cpuid_bits()) {
    const bool is_wide = std::ranges::find(kWide, word) != kWide.end();
    const bool is_saved = word.starts_with("avx512") ? has_avx512 : !is_wide || has_avx;
    if (is_saved && !word.starts_with("amx") && !is_denied_by_cpuid(word)) granted.insert(word);
  }
#endif
  return granted;
}

}  // namespace opbench
