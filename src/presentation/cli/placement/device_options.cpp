#include "presentation/cli/placement/device_options.h"

#include <algorithm>
#include <set>
#include <string>

#include "presentation/cli/profile_options.h"

namespace opbench {
namespace {

const std::vector<std::string>& decided_by_devices() {
  static const std::vector<std::string> names = {"--threads", "--cpus", "--target", "--engine"};
  return names;
}

}  // namespace

std::vector<OptionDef> device_measuring_options(bool takes_models) {
  static const std::set<std::string> kLeftOut = {"--cache",  "--percentile", "--label",
                                                 "--metric", "--executor",   "--tuning-log"};
  std::vector<OptionDef> result;
  const auto own = takes_models ? model_options() : std::vector<OptionDef>();
  for (const auto& some : {own, measuring_options()}) {
    for (OptionDef option : some) {
      const auto& decided = decided_by_devices();
      // They keep their defaults, which the request is made from.
      if (kLeftOut.contains(option.name)) option.is_hidden = true;
      if (std::ranges::find(decided, option.name) != decided.end()) option.is_hidden = true;
      result.push_back(std::move(option));
    }
  }
  return result;
}

Result<void> check_device_options(const Arguments& arguments) {
  for (const std::string& name : decided_by_devices()) {
    if (!arguments.is_typed(name)) continue;
    return Error{ErrorCode::kInvalidInput, name + " is what a device says"}.with(
        "usage", "--devices cpu0,cpu0+cpu1,cpu1:avx2");
  }
  return {};
}

}  // namespace opbench
