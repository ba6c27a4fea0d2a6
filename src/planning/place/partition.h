#pragma once

#include <functional>
#include <vector>

/// One operator on two devices at once: how much of it goes to each.
namespace opbench {

/// What a split costs. Parts are whole tiles; curves are staircases, so only these are tried.
struct SplitCosts {
  int parts = 1;
  std::function<double(int parts)> first_ms, second_ms;  ///< of 1 to `parts` of them
  double join_ms = 0;  ///< sync and transfer, when both devices work
};

struct Split {
  int first_parts = 0;  ///< the others go to the second device
  double time_ms = 0;
  bool operator==(const Split&) const = default;
};

/// The time of one split; everything on one device is not joined.
double split_ms(const SplitCosts& costs, int first_parts);

/// The split that ends first, everything on one device among them; of equals the one with fewer
/// parts on the first.
Split best_split(const SplitCosts& costs);

/// Keeps a split right while the devices' speeds change. A device takes the time of its curve times
/// a factor, which is an exponentially weighted mean of measured over expected times. The split
/// changes only if that is predicted to gain more than `hysteresis`.
class SplitBalancer {
 public:
  struct Options {
    double weight = 0.3;       ///< of the newest factor
    double hysteresis = 0.02;  ///< share of the time that a new split has to gain
  };

  /// `expected`: times before anything changed; any unit of time if only their ratios are known.
  SplitBalancer(SplitCosts expected, int first_parts, const Options& options);

  int first_parts() const { return first_parts_; }

  /// What the parts of the current split took on each device; not used for a device without parts.
  /// A factor that has changed by more than a fifth is taken over at once: it is no noise.
  void tell(double first_ms, double second_ms);

 private:
  void learn(double& factor, double expected_ms, double time_ms) const;

  SplitCosts expected_;
  int first_parts_;
  Options options_;
  double first_factor_ = 1, second_factor_ = 1;
};

/// Guided self-scheduling (Polychronopoulos and Kuck 1987), simulated: a device that is free takes
/// the remaining parts over twice the devices, one at least. `speeds` are parts a ms; each chunk
/// costs `handoff_ms` besides. The time until all parts are done.
double guided_ms(int parts, const std::vector<double>& speeds, double handoff_ms);

/// The same by the devices' times for chunks of so many parts: small chunks may cost more a part.
double guided_chunks_ms(int parts, const std::vector<std::function<double(int parts)>>& times_ms,
                        double handoff_ms);

}  // namespace opbench
