#include "benchmarks/kernels/operand_reads.h"

#include "kernels/schedules/convolution/convolution_shape.h"

namespace opbench {

std::string name_of(OperandReads reads) {
  return reads == OperandReads::kDirect ? "direct" : "staged";
}

std::optional<OperandReads> parse_operand_reads(const std::string& word) {
  for (const OperandReads reads : {OperandReads::kDirect, OperandReads::kStaged}) {
    if (word == name_of(reads)) return reads;
  }
  return std::nullopt;
}

std::vector<OperandReads> operand_reads(const Workload& workload) {
  const auto shape = convolution_shape(workload);
  if (shape && (shape->pads_columns() || shape->pads_rows())) return {OperandReads::kDirect};
  return {OperandReads::kDirect, OperandReads::kStaged};
}

}  // namespace opbench
