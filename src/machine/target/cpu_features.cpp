#include "machine/target/cpu_features.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "machine/target/cpuid_words.h"

namespace opbench {
namespace {

using CpuFeaturesWords = std::vector<std::string>;

struct Group {
  CpuFeaturesWords processors;
  std::string like;  ///< has also what this processor has
  CpuFeaturesWords features;
};

CpuFeaturesWords words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  CpuFeaturesWords result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

/// x86 processors by what they add (LLVM 14: X86TargetParser.cpp; znver4 and later: Clang's
/// manual).
const std::vector<Group>& groups() {
  static const std::vector<Group> kGroups = {
      {words("x86-64 generic k8 opteron athlon64 athlon-fx"), "", {}},
      {words("nocona prescott yonah k8-sse3 opteron-sse3 athlon64-sse3 amdfam10 barcelona"),
       "",
       {"sse3"}},
      {words("core2 atom bonnell btver1"), "nocona", {"ssse3"}},
      {words("penryn"), "core2", {"sse4.1"}},
      {words("x86-64-v2 nehalem corei7 westmere silvermont slm goldmont goldmont-plus tremont"),
       "penryn",
       {"sse4.2", "popcnt"}},
      {words("sandybridge corei7-avx bdver1"), "nehalem", {"avx"}},
      {words("ivybridge core-avx-i btver2 bdver2 bdver3"), "sandybridge", {"f16c"}},
      {words("x86-64-v3 haswell core-avx2 broadwell skylake znver1 znver2 znver3 bdver4 alderlake "
             "raptorlake meteorlake arrowlake arrowlake-s lunarlake pantherlake gracemont "
             "sierraforest grandridge clearwaterforest"),
       "ivybridge",
       // Without lzcnt: every CPU with AVX2 has it, and some hypervisors hide it.
       {"avx2", "fma", "bmi", "bmi2", "movbe"}},
      {words("knl knm"), "haswell", {"avx512f", "avx512cd", "avx512er", "avx512pf"}},
      {words("x86-64-v4 skylake-avx512 skx"),
       "haswell",
       {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"}},
      {words("cascadelake"), "skylake-avx512", {"avx512vnni"}},
      {words("cooperlake"), "cascadelake", {"avx512bf16"}},
      {words("cannonlake"), "skylake-avx512", {"avx512ifma", "avx512vbmi"}},
      {words("icelake-client icelake-server rocketlake tigerlake"),
       "cannonlake",
       {"avx512vnni", "avx512vbmi2", "avx512bitalg", "avx512vpopcntdq"}},
      {words("znver4 znver5"), "icelake-server", {"avx512bf16"}},
      {words("sapphirerapids emeraldrapids graniterapids graniterapids-d diamondrapids"),
       "icelake-server",
       {"avx512bf16", "avx512fp16", "amx-tile", "amx-int8", "amx-bf16"}},
  };
  return kGroups;
}

const std::vector<std::pair<std::string_view, std::string_view>>& spellings() {
  static const std::vector<std::pair<std::string_view, std::string_view>> table = {
      {"sse2", "sse2"},
      {"sse3", "pni"},
      {"ssse3", "ssse3"},
      {"sse4.1", "sse4_1"},
      {"sse4.2", "sse4_2"},
      {"sse4a", "sse4a"},
      {"popcnt", "popcnt"},
      {"avx", "avx"},
      {"f16c", "f16c"},
      {"avx2", "avx2"},
      {"fma", "fma"},
      {"fma4", "fma4"},
      {"bmi", "bmi1"},
      {"bmi2", "bmi2"},
      {"lzcnt", "abm"},
      {"movbe", "movbe"},
      {"avx512f", "avx512f"},
      {"avx512cd", "avx512cd"},
      {"avx512er", "avx512er"},
      {"avx512pf", "avx512pf"},
      {"avx512bw", "avx512bw"},
      {"avx512dq", "avx512dq"},
      {"avx512vl", "avx512vl"},
      {"avx512ifma", "avx512ifma"},
      {"avx512vbmi", "avx512vbmi"},
      {"avx512vbmi2", "avx512_vbmi2"},
      {"avx512vnni", "avx512_vnni"},
      {"avx512bitalg", "avx512_bitalg"},
      {"avx512vpopcntdq", "avx512_vpopcntdq"},
      {"avx512bf16", "avx512_bf16"},
      {"avx512fp16", "avx512_fp16"},
      {"avxvnni", "avx_vnni"},
      {"amx-tile", "amx_tile"},
      {"amx-int8", "amx_int8"},
      {"amx-bf16", "amx_bf16"},
      {"neon", "asimd"},
      {"dotprod", "asimddp"},
      {"fullfp16", "asimdhp"},
      {"sve", "sve"},
      {"sve2", "sve2"},
  };
  return table;
}

std::set<std::string> confirmed_flags() {
  std::ifstream file("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(file, line) && !(line.empty() && !text.empty());) {
    text += line + "\n";  // the first CPU only: a blank line ends it
  }
  std::set<std::string> flags = cpu_flags_of(text);
  if (flags.empty()) return words_of_cpuid();
  std::erase_if(flags, is_denied_by_cpuid);
  return flags;
}

}  // namespace

std::set<std::string> cpu_flags_of(std::string_view cpuinfo) {
  std::istringstream stream{std::string(cpuinfo)};
  for (std::string line; std::getline(stream, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    if (!line.starts_with("flags") && !line.starts_with("Features")) continue;
    const CpuFeaturesWords found = words(std::string_view(line).substr(colon + 1));
    return {found.begin(), found.end()};
  }
  return {};
}

std::set<std::string> uncapped_cpu_flags() {
  static const std::set<std::string> kFlags =
      confirmed_flags();  // each CPUID leaves a virtual machine
  return kFlags;
}

std::vector<std::string> x86_processors() {
  CpuFeaturesWords result;
  for (const Group& group : groups()) {
    result.insert(result.end(), group.processors.begin(), group.processors.end());
  }
  return result;
}

std::vector<std::string> features_of_processor(std::string_view mcpu) {
  const std::vector<Group>& all = groups();
  CpuFeaturesWords result;
  std::string wanted(mcpu);
  while (!wanted.empty()) {
    const auto group = std::ranges::find_if(all, [&](const Group& candidate) {
      return std::ranges::find(candidate.processors, wanted) != candidate.processors.end();
    });
    if (group == all.end()) break;
    result.insert(result.end(), group->features.begin(), group->features.end());
    wanted = group->like;
  }
  return result;
}

std::string kernel_word(std::string_view feature) {
  const auto it =
      std::ranges::find(spellings(), feature, [](const auto& pair) { return pair.first; });
  return it == spellings().end() ? std::string() : std::string(it->second);
}

bool is_kernel_word(std::string_view word) {
  return std::ranges::any_of(spellings(), [&](const auto& pair) { return pair.second == word; });
}

}  // namespace opbench
