#include "machine/target/cuda_arch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/errors/suggestion.h"
#include "machine/target/device_type.h"

namespace opbench {
namespace {

/// Those of Halide 14.
constexpr std::array kPtxGenerations = {30, 32, 35, 50, 61, 70, 75, 80, 86};
constexpr int kCommonGeneration = 50;

/// Users' words; any later number is taken too.
const std::vector<std::string>& known_archs() {
  static const std::vector<std::string> known = {
      "sm_30", "sm_32", "sm_35", "sm_37", "sm_50", "sm_52", "sm_53", "sm_60", "sm_61",
      "sm_62", "sm_70", "sm_72", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90"};
  return known;
}

/// 75 of `sm_75`, 90 of `sm_90a`; 0 for another word.
int generation_of(std::string_view word) {
  constexpr std::string_view kStart = "sm_";
  if (!word.starts_with(kStart)) return 0;
  word.remove_prefix(kStart.size());
  if (word.ends_with('a') || word.ends_with('f')) word.remove_suffix(1);
  constexpr size_t kMostDigits = 3;
  if (word.empty() || word.size() > kMostDigits) return 0;
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc() && end == word.data() + word.size() ? number : 0;
}

}  // namespace

Result<CudaArch> cuda_arch(const Target& target) {
  const auto arch = target.attributes.find("arch");
  if (arch == target.attributes.end()) return CudaArch{kCommonGeneration, kCommonGeneration};
  const int asked = generation_of(arch->second);
  if (asked == 0) return unknown_name("CUDA architecture", arch->second, known_archs());
  if (asked < kPtxGenerations.front()) {
    return invalid_input(
               fmt::format("no PTX is made for the CUDA architecture \"{}\"", arch->second))
        .with("valid", "sm_30 and newer");
  }
  const auto above = std::ranges::upper_bound(kPtxGenerations, asked);
  return CudaArch{asked, *(above - 1)};
}

std::string ptx_note(const Target& target) {
  if (device_type(target) != DeviceType::kCuda) return "";
  const auto arch = cuda_arch(target);
  if (!arch || arch->asked == arch->made) return "";
  const bool is_newest = arch->made == kPtxGenerations.back();
  return fmt::format(
      "code for sm_{} is PTX for sm_{}, {}", arch->asked, arch->made,
      is_newest ? "the newest that Halide 14 makes" : "the next older that Halide 14 makes");
}

Target with_arch(Target target, const std::string& arch) {
  if (!arch.empty()) target.attributes.try_emplace("arch", arch);
  return target;
}

}  // namespace opbench
