#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "kernels/space/argument.h"
#include "kernels/space/knob.h"
#include "kernels/space/knob_config.h"

/// AutoTVM's config spaces (docs/reference/config-spaces.md, "Numbering of configs"): ordered
/// knobs, each a list of entities, and the numbering of their combinations.
namespace opbench {

/// What can be chosen for one task. Config i takes entity digit_j of knob j, with i the mixed-radix
/// number of the digits, the first knob's the least significant.
struct ConfigSpace {
  std::vector<Knob> knobs;
};

/// Number of configs: 1 without knobs. `kInvalidInput` beyond 64 bits.
Result<uint64_t> size_of(const ConfigSpace& space);

/// The digits of a config. `kInvalidInput` for an index past the last, quoting both.
Result<std::vector<size_t>> digits_of(const ConfigSpace& space, uint64_t index);
uint64_t index_of(const ConfigSpace& space, const std::vector<size_t>& digits);

/// A config's knobs as a record has them. `kInvalidInput` for an index past the last.
Result<KnobConfig> config_at(const ConfigSpace& space, uint64_t index);

/// The config whose entities these are, whatever index the config claims: TVM replays the entities.
/// `kInvalidInput` naming the knob that the space lacks or the config does, or whose value is none
/// of its entities, with the nearest valid ones.
Result<uint64_t> index_of(const ConfigSpace& space, const KnobConfig& config);

/// As TVM 0.8 prints a space (`ConfigSpace (len=…, space_map=`, a line a knob, `)`), without a
/// newline at the end.
std::string printed(const ConfigSpace& space);

}  // namespace opbench
