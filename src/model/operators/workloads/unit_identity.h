#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/operators/workloads/workload.h"

namespace opbench {

/// The schedule of a unit whose operators' references run.
constexpr const char* kReferenceSchedule = "reference";

/// What another program wrote of a unit: an engine of its own node, a report, another build, which
/// may know operators that this build does not.
struct UnitTexts {
  std::string workload;      ///< canonical
  std::string shapes;        ///< short form
  std::vector<int> layouts;  ///< as layouts_of
};

/// What a unit is. The maker of a package makes it once; later stages hold it as it is.
struct UnitIdentity {
  std::string operator_text;         ///< conv2d+add+relu; "layout" for a change of layout, "copy"
                                     ///< for one between the memories of host and device
  std::optional<Workload> workload;  ///< nothing: an engine's own node, or `texts` cannot be parsed
  std::vector<int> blocks;  ///< channel block of every operand, then of the output; 0: dense
  std::string schedule;     ///< kReferenceSchedule where it has no kernel; empty: not ours
  std::string origin;       ///< of the choice that gave the kernel; empty: the default config
  std::vector<std::string> nodes;  ///< of the model; empty for a change of layout and a copy
  UnitTexts texts;                 ///< empty: all is known from the other members

  bool is_layout_change() const { return operator_text == "layout"; }
  bool is_copy() const { return operator_text == "copy"; }
};

/// Equal in what other programs are told: operators, texts, layouts, schedule, origin and nodes.
bool operator==(const UnitIdentity& a, const UnitIdentity& b);

/// Makes the workload of its text, if that can be parsed; and the operators, if they are not known.
void parse_workload_of(UnitIdentity& unit);

/// A unit of which another program wrote these texts, its workload parsed if possible.
UnitIdentity identity_from(UnitTexts texts);

/// The canonical text of the workload; empty when an engine's own node has none.
std::string workload_text(const UnitIdentity& unit);

/// A short form for a table column: that of the workload; `1x64x56x56 NCHW -> NCHW16c` for a change
/// of layout. Empty when not known.
std::string short_shapes(const UnitIdentity& unit);

/// Channel blocks of every operand that is no weight, then of the output; 0: dense. Empty if the
/// kernel is not ours.
std::vector<int> layouts_of(const UnitIdentity& unit);

/// The values of the graph that a unit reads and makes.
struct UnitValues {
  std::vector<std::string> operands;  ///< the workload's inputs
  std::string output;
  std::vector<std::string> further_outputs;  ///< that it makes besides
};

}  // namespace opbench
