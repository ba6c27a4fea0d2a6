#pragma once

#include <cstdint>
#include <functional>
#include <unordered_set>
#include <vector>

#include "base/numbers/random.h"
#include "kernels/space/config_space.h"

namespace opbench {

struct AnnealingOptions {
  size_t walkers = 128;
  int steps = 500;
  int patience = 50;  ///< steps without a better set of configs until it ends
};

/// AutoTVM's simulated annealing (docs/reference/tuners.md, "Simulated annealing"): configs that
/// walk about a space side by side, at a temperature that falls from 1 to 0, and go on where the
/// last search left them. A step changes one knob; one to a config worth less is taken with a
/// chance of exp(difference / temperature).
class Annealing {
 public:
  /// What configs are worth, one a config.
  using Scores = std::function<std::vector<float>(const std::vector<uint64_t>& configs)>;

  /// For a space with `size` configs; both it and `random` must outlive this.
  Annealing(const ConfigSpace& space, uint64_t size, Random& random, AnnealingOptions options = {});

  /// At most `count` distinct configs with the highest scores that were met, the best first, none
  /// of them excluded. Configs of a score below 0 count too; AutoTVM drops these.
  std::vector<uint64_t> best_configs(const Scores& scores, size_t count,
                                     const std::unordered_set<uint64_t>& excluded);

 private:
  std::vector<std::vector<size_t>> start();
  std::vector<size_t> step(std::vector<size_t> digits);
  std::vector<uint64_t> indices(const std::vector<std::vector<size_t>>& walkers) const;

  const ConfigSpace& space_;
  uint64_t size_;
  Random& random_;
  AnnealingOptions options_;
  std::vector<std::vector<size_t>> walkers_;  ///< digits
};

}  // namespace opbench
