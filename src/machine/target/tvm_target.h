#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "machine/target/target.h"

namespace opbench {

/// The versions of TVM that resolve the keys of a target differently.
enum class TvmRules { k08, k014 };

/// A target as a tuning log names it, of whatever machine (docs/reference/formats.md, "Targets and
/// keys").
struct TvmTarget {
  Target identity;                    ///< equal for every way to write it; nothing of this machine
  std::vector<std::string> keys;      ///< as TVM 0.8 resolves them: given, device, the kind's
  std::vector<std::string> keys_014;  ///< TVM 0.14 adds arm_cpu and cpu for an ARM processor
  std::string model;                  ///< "unknown" if none is given
  std::string canonical;              ///< TVM 0.8's text of it
  std::vector<std::string> warnings;  ///< what TVM would refuse and we keep: an unknown kind

  const std::vector<std::string>& keys_by(TvmRules rules) const {
    return rules == TvmRules::k08 ? keys : keys_014;
  }
};

/// Reads TVM's string or JSON. `kInvalidInput` when it is empty or in neither form, or sets a key
/// twice. Unlike parse_target it reads no files and takes processors of any machine.
Result<TvmTarget> parse_tvm_target(const std::string& text);

}  // namespace opbench
