#include "presentation/cli/regress/detector_choice.h"

#include <algorithm>

#include "watching/detectors/detector.h"

namespace opbench {

Result<std::string> detector_for(const std::string& asked, const History& history) {
  const bool has_hashes = std::ranges::any_of(history.nights, [](const Night& night) {
    return std::ranges::any_of(night.rows, [](const NightRow& row) { return !row.hash.empty(); });
  });
  if (asked.empty()) return std::string(has_hashes ? kHashDetector : kPlainDetector);
  OPBENCH_TRY(const DetectorDef* detector, detector_table().find(asked));
  if (detector->needs_hashes && !has_hashes) {
    return invalid_input("the detector \"" + asked + "\" needs hashes, and the history has none")
        .with("needed",
              "a column hash, or another detector, such as " + std::string(kPlainDetector));
  }
  return asked;
}

}  // namespace opbench
