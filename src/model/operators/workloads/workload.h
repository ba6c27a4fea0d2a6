#pragma once

#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// An operator or fused unit with its attributes and tensor types, free of hardware: a chain of
/// nodes as a small graph of its own, each node reading the result of the one before.
///
/// `graph.inputs` are x0, x1, …; weights (operands known before the run) are `graph.inputs` too and
/// are listed in `weights`; small constants that change what is computed (clip bounds, a reshape's
/// shape) are `graph.constants`. `graph.outputs` is y, then further outputs of the last step, y1,
/// y2, …, that are read. `graph.types` is complete.
struct Workload {
  Graph graph;
  std::vector<std::string> weights;
  int64_t opset = 0;

  bool is_weight(const std::string& name) const;
};

/// The canonical text, which is the workload's identity: equal texts, equal workloads.
///
///     conv2d 1x64x56x56 w:64x64x3x3 w:64 pads=1,1,1,1; add 1x64x56x56; relu
///
/// Steps are separated by "; ". Operands are SHAPE or SHAPE:DTYPE (float32 when left out; `scalar`
/// is rank 0, an extent may be 0), `w:` marks a weight, `_` an omitted one, `=V,V:DTYPE` a constant
/// by value (`=0` has rank 0, `=0,` and `=1,64:int64` rank 1), `%` the previous step's result
/// (implied as first operand when no `%` is written). Attributes are `name=value` in name order,
/// lists comma-separated, under their ONNX names; those at their default are left out.
/// `outputs=0,2` names the outputs of the last step that are read, where they are not the first one
/// alone.
std::string text_of(const Workload& workload);

/// The workload with this text. `kInvalidInput` quoting the part that is wrong: an unknown operator
/// (with a guess), a bad shape, operands that do not fit together.
Result<Workload> parse_workload(const std::string& text);

/// FLOPs and bytes of a workload: the sum over its steps; bytes count only what enters and leaves.
double flops_of(const Workload& workload);
double bytes_of(const Workload& workload);

/// `conv2d+add+relu`
std::string operator_text(const Workload& workload);

/// A short form for a table column: `64x56x56 k3 s1 -> 64x56x56`.
std::string short_shapes(const Workload& workload);

/// Runs the reference of every step: the values of `graph.inputs` in order in, those of
/// `graph.outputs` in order out.
Result<std::vector<Tensor>> run_references(const Workload& workload,
                                           const std::vector<Tensor>& inputs);

/// The first output of run_references.
Result<Tensor> run_reference(const Workload& workload, const std::vector<Tensor>& inputs);

}  // namespace opbench
