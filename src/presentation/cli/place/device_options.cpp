#include "presentation/cli/place/device_options.h"

#include <set>
#include <string>

#include "presentation/cli/profile/profile_options.h"

namespace opbench {
namespace {

const std::vector<std::string>& decided_by_devices() {
  static const std::vector<std::string> names = {"--threads", "--cpus", "--target", "--engine"};
  return names;
}

}  // namespace

std::vector<OptionDef> device_measuring_options(bool takes_models) {
  std::set<std::string> hidden = {"--cache",    "--percentile", "--label",    "--metric",
                                  "--executor", "--plan",       "--parallel", "--tuning-log"};
  hidden.insert(decided_by_devices().begin(), decided_by_devices().end());
  std::vector<OptionDef> options = takes_models ? model_options() : std::vector<OptionDef>();
  for (OptionDef& option : measuring_options()) options.push_back(std::move(option));
  return with_hidden(std::move(options), hidden);
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
