#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"

namespace opbench {

/// What could make a model faster, what says so, and by how much. Its JSON has the members' names.
struct Finding {
  std::string finding;      ///< what to do, in a few words
  std::string where;        ///< the model, or a unit of it
  std::string evidence;     ///< one line
  double gain_low_pct = 0;  ///< expected, of the time of the model: 100 (before - after) / before
  double gain_high_pct = 0;
  std::string command;                           ///< that tries it
  std::optional<double> measured_gain_pct = {};  ///< what trying it gained; nothing: not tried
  std::optional<std::string> not_measured = {};  ///< why trying it gave no gain
  bool operator==(const Finding&) const = default;

  double expected_pct() const { return (gain_low_pct + gain_high_pct) / 2; }
};

/// The member `findings` of a report.
Json findings_json(const std::vector<Finding>& findings);

/// Back from that; entries of another form are left out.
std::vector<Finding> findings_of(const Json& json);

}  // namespace opbench
