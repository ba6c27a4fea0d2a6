#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "base/errors/error.h"
#include "engines/runtime/bound_step.h"
#include "engines/runtime/device_api.h"
#include "engines/runtime/program.h"
#include "engines/runtime/weight_pages.h"

namespace opbench {

/// What a program keeps on a device: one block for values, and one for each weight, so that only
/// parts of the first must lie on boundaries.
class DeviceValues {
 public:
  /// Takes the memory and copies the weights. `kInvalidInput` when a slot lies on no boundary of
  /// the device; the API's errors.
  static Result<DeviceValues> make(DeviceApi& api, const Program& program,
                                   const WeightPages& weights);

  /// Where a slot of the program lies that is the device's.
  TensorPlace place_of(const Slot& slot) const;

 private:
  std::unique_ptr<DeviceBlock> arena_;
  std::map<int64_t, std::unique_ptr<DeviceBlock>> weights_;  ///< by their offset in the file
};

}  // namespace opbench
