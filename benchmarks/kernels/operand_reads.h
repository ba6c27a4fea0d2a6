#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/operators/workloads/workload.h"

namespace opbench {

/// How a plain algorithm that is given to an autoscheduler reads its operands.
enum class OperandReads {
  kDirect,  ///< as they are; a convolution that pads, through a function that does
  kStaged,  ///< each through a function of its own, which the autoscheduler may compute ahead
};

/// `direct`, `staged`
std::string name_of(OperandReads reads);
std::optional<OperandReads> parse_operand_reads(const std::string& word);

/// Those to be tried for the anchor of a workload: one where padding is a function already.
std::vector<OperandReads> operand_reads(const Workload& workload);

}  // namespace opbench
