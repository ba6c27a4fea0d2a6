#include <set>

#include "machine/settings/setting.h"
#include "machine/target/cpu_cap.h"

namespace opbench {
namespace {

/// The kernel's word for what an instruction set needs, and the word for people; weakest first.
constexpr std::pair<const char*, const char*> kInstructionSets[] = {
    {"asimd", "neon"}, {"sve", "sve"},        {"sse4_1", "sse4.1"},          {"avx", "avx"},
    {"avx2", "avx2"},  {"avx512f", "avx512"}, {"avx512_vnni", "avx512-vnni"}};

SettingState find_isa(const SettingPlace&) {
  SettingState state;
  const std::set<std::string> flags = cpu_flags();
  for (const auto& [flag, name] : kInstructionSets) {
    if (flags.contains(flag)) state.range.words.emplace_back(name);
  }
  if (state.range.words.empty()) {
    state.reason = "the system names no vector instructions of this CPU";
    return state;
  }
  state.value = state.range.words.back();
  if (state.range.words.size() == 1) state.reason = "one instruction set: nothing to choose";
  return state;
}

}  // namespace

SettingDef cpu_isa_setting() {
  return {.name = "cpu.isa",
          .summary = "vector instructions that kernels use",
          .set_by = "--target TARGET; --over target=T,T; OPBENCH_CPU",
          .find = find_isa};
}

}  // namespace opbench
