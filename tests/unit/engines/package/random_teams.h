#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "base/numbers/random.h"
#include "engines/runtime/program.h"

namespace opbench {

/// Programs for `count` workers that wait for all that steps need: steps in a random order that
/// needs allow, each on a random team.
inline TeamProgram random_teams(const Program& program, uint64_t count, Random& random) {
  TeamProgram teams{.workers = static_cast<int>(count), .steps = {}};
  std::vector<int> open(program.steps.size());
  std::iota(open.begin(), open.end(), 0);
  std::vector<bool> done(program.steps.size());
  while (!open.empty()) {
    std::vector<int> ready;
    std::ranges::copy_if(open, std::back_inserter(ready), [&](int step) {
      return std::ranges::all_of(program.steps[static_cast<size_t>(step)].needs,
                                 [&](int need) { return done[static_cast<size_t>(need)]; });
    });
    const int step = ready[random.below(ready.size())];
    std::vector<int> workers(static_cast<size_t>(teams.workers));
    std::iota(workers.begin(), workers.end(), 0);
    for (size_t i = workers.size(); i > 1; --i) std::swap(workers[i - 1], workers[random.below(i)]);
    workers.resize(1 + random.below(workers.size()));
    teams.steps.push_back({step, workers, program.steps[static_cast<size_t>(step)].needs});
    done[static_cast<size_t>(step)] = true;
    std::erase(open, step);
  }
  return teams;
}

}  // namespace opbench
