#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/json/json.h"
#include "kernels/schedules/schedule.h"

namespace opbench {

/// The kernel of a workload as trials found it, in place of the default kernel.
struct KernelChoice {
  std::string workload;     ///< canonical text
  std::vector<int> blocks;  ///< channel block of every operand, then of the output
  std::string schedule;
  Config config;
  std::string origin;           ///< where it is from: `r18.log:17`
  bool is_of_anchor = false;    ///< for every unit that begins with this workload, bias left aside
  bool is_for_similar = false;  ///< also for workloads that differ in extents only
  int threads = 0;              ///< that call the kernel; 0: any number
  bool operator==(const KernelChoice&) const = default;
};

Json to_json(const KernelChoice& choice);
/// `kInvalidInput` naming the field that is missing or of another type.
Result<KernelChoice> kernel_choice_from_json(const Json& json);

/// What a unit's anchor computes alone: its first node without bias, as text. Empty when that has
/// none.
std::string anchor_text(const Workload& workload);

/// Choices by workload and layouts.
class KernelChoices {
 public:
  KernelChoices() = default;
  /// Of several for one workload in the same layouts and as many threads the last counts.
  explicit KernelChoices(const std::vector<KernelChoice>& choices);

  /// Completes a spec that has no schedule yet by the first of these that exists:
  /// - the choice for its workload and layouts;
  /// - the choice for its anchor, if the layouts of its first operand and its output are the same;
  /// - the nearest choice for a similar workload (shape_distance) that fits. The choice's origin
  ///   then says for what it was found.
  ///
  /// Choices for another thread count than the spec's are skipped. One for its count comes before
  /// one for any. Knobs that the choice lacks have their defaults. Nothing when there is no choice,
  /// when its schedule does not take the spec or refuses its config, or when the kernel's text is
  /// in `refused`.
  const KernelChoice* complete(KernelSpec& spec, const std::set<std::string>& refused) const;

 private:
  const KernelChoice* find(const KernelSpec& spec) const;
  std::vector<const KernelChoice*> similar(const KernelSpec& spec) const;

  using Key = std::tuple<std::string, std::vector<int>, int>;  ///< the last: threads
  using Known = std::map<Key, KernelChoice>;
  Known units_;
  Known anchors_;
  std::vector<KernelChoice> similar_;  ///< with origins that name the workload
};

}  // namespace opbench
