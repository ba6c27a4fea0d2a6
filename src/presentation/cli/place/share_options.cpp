#include "presentation/cli/place/share_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/errors/suggestion.h"
#include "base/numbers/number.h"

namespace opbench {
namespace {

constexpr const char* kShareUsage = "--at-least opencl:0=34";
constexpr double kAllUnits = 100;

Result<DeviceShare> device_share_of(const std::string& text,
                                    const std::vector<std::string>& devices) {
  const size_t split = text.rfind('=');
  if (split == std::string::npos) {
    return invalid_input(fmt::format("\"{}\" is no share of a device", text))
        .with("usage", kShareUsage);
  }
  const std::string name = text.substr(0, split);
  const auto device = std::ranges::find(devices, name);
  if (device == devices.end()) return unknown_name("device", name, devices).with("in", text);
  const auto percent = parse_number(text.substr(split + 1));
  if (!percent || *percent < 0 || *percent > kAllUnits) {
    return invalid_input(fmt::format("\"{}\" is no share in percent", text.substr(split + 1)))
        .with("valid", "0 to 100")
        .with("in", text);
  }
  return DeviceShare{static_cast<int>(device - devices.begin()), *percent};
}

}  // namespace

OptionDef share_option() {
  return {.name = "--at-least",
          .value_name = "DEVICE=PERCENT",
          .help = "a device must run at least this share of the units, whatever that costs",
          .kind = OptionKind::kList,
          .is_settable = false};
}

Result<std::vector<DeviceShare>> shares_of(const std::vector<std::string>& texts,
                                           const std::vector<std::string>& devices) {
  std::vector<DeviceShare> shares;
  double sum = 0;
  for (const std::string& text : texts) {
    OPBENCH_TRY(const DeviceShare share, device_share_of(text, devices));
    if (std::ranges::count(shares, share.device, &DeviceShare::device) > 0) {
      return invalid_input(fmt::format("--at-least names the device \"{}\" twice",
                                       devices[static_cast<size_t>(share.device)]));
    }
    shares.push_back(share);
    sum += share.percent;
  }
  if (sum <= kAllUnits) return shares;
  return invalid_input(fmt::format("the shares of --at-least are {:g} % together", sum))
      .with("valid", "at most 100 %");
}

}  // namespace opbench
