#include "base/tensors/tensor_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace opbench {

Result<void> check_size(const TensorType& type) {
  constexpr double kMostBytes = 0x1p47;
  auto bytes = static_cast<double>(std::max<size_t>(size_of(type.data_type), 1));
  for (const int64_t extent : type.shape) {
    if (extent < 0) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("shape {} has the extent {}", shape_text(type.shape), extent)};
    }
    bytes *= static_cast<double>(std::max<int64_t>(extent, 1));
  }
  if (bytes <= kMostBytes) return {};
  return Error{ErrorCode::kInvalidInput,
               fmt::format("{} {} needs {}, more than can be addressed", name_of(type.data_type),
                           shape_text(type.shape), size_text(bytes))};
}

std::string size_text(double bytes) {
  constexpr std::array<const char*, 7> kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, kUnits.at(unit));
}

}  // namespace opbench
