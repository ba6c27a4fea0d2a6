#include "engines/package/program_code.h"

#include <algorithm>
#include <vector>

#include "base/numbers/hash.h"
#include "engines/runtime/program_text.h"

namespace opbench {
namespace {

std::string hash_of_kernel(const std::string& symbol, const KernelHashes& kernels) {
  const auto found = kernels.find(symbol);
  return found == kernels.end() ? symbol : found->second;
}

/// The slots that a step names, as a program of their own has them; their new numbers.
std::vector<int> taken_slots(const Program& program, const std::vector<int>& slots, Program& one) {
  std::vector<int> numbers;
  for (const int slot : slots) {
    numbers.push_back(static_cast<int>(one.slots.size()));
    one.slots.push_back(program.slots.at(static_cast<size_t>(slot)));
    one.slots.back().name.clear();
    if (one.slots.back().storage == Storage::kWeights) one.slots.back().offset = 0;
  }
  return numbers;
}

}  // namespace

std::string hash_of_step(const Program& program, size_t step, const KernelHashes& kernels) {
  const Step& whole = program.steps.at(step);
  Program one;
  one.steps.push_back(whole);
  Step& alone = one.steps.front();
  alone.unit = 0;
  alone.symbol = hash_of_kernel(whole.symbol, kernels);
  alone.needs.clear();
  alone.reuses.clear();
  alone.arguments = taken_slots(program, whole.arguments, one);
  alone.results = taken_slots(program, whole.results, one);
  for (const TeamStep& team : program.teams.steps) {
    if (team.step != static_cast<int>(step)) continue;
    one.teams.workers = program.teams.workers;
    one.teams.steps.push_back({.step = 0, .workers = team.workers, .waits = {}});
  }
  return sha256(json_text_of(one));
}

std::string hash_of_program(Program program, const KernelHashes& kernels) {
  program.model.clear();
  for (Slot& slot : program.slots) slot.name.clear();
  for (Step& step : program.steps) step.symbol = hash_of_kernel(step.symbol, kernels);
  return sha256(json_text_of(program));
}

}  // namespace opbench
