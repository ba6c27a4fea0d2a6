#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/graph/graph.h"
#include "model/operators/workloads/workload.h"
#include "model/passes/fusion.h"

namespace opbench {

/// Leaves out results that nobody reads: exporters name them all, as an LSTM's last state, and few
/// operators compute them. The first result stays, and gets a name if it has none. Parts of a Split
/// count even so. Comes before `infer_types`.
void drop_unread_results(Model& model);

/// Fills `graph.types`. If, Loop and Scan nodes that are decided before the run become the nodes
/// that they run (control_flow.h). `kInvalidInput` with all operators that are unknown to `halide`
/// (unknown_operators.h), with the branches and loops that stay (stuck_nodes.h), or with the first
/// node whose operands do not fit.
Result<void> infer_types(Model& model);

/// The same as far as operators are known. Returns the indices of all other nodes: those of unknown
/// operators, those that read values without a type, and those that need a value which only a run
/// gives. Their results have the types that the model states, if any.
Result<std::vector<size_t>> infer_known_types(Model& model);

/// New values for every float weight: initialisers *and* the results of ConstantOfShape, which
/// become initialisers. He-scaled normal values (sqrt(2 / fan-in)) for matrices and filters;
/// batch-norm variance 0.5 … 1.5, scale about 1; biases and means small. The same seed, the same
/// values.
Result<void> randomize_weights(Model& model, uint64_t seed);

/// Replaces nodes whose inputs are all constants by their results, drops nodes nobody reads,
/// removes identities (Identity, Dropout at inference), makes one Slice of every part of a Split.
Result<void> fold_constants(Model& model);

/// Makes integer operators of float ones between DequantizeLinear and QuantizeLinear: QLinearConv
/// of Conv, QLinearMatMul of MatMul, QLinearAdd (com.microsoft) of Add, with the Relu or Clip
/// behind. Nodes that pick elements (MaxPool, Transpose, views) pick bytes; a DequantizeLinear and
/// a QuantizeLinear of the same scaling go. Comes before fold_constants, which would make floats of
/// the weights. Needs types.
void join_scalings(Model& model);

/// Makes nodes that have kernels of those whose operators know how (OperatorDef::take_apart):
/// attention and the like. Needs types, and leaves those of the new values to infer_types. True if
/// there were some.
bool take_apart(Model& model);

/// Computes in float32 what the model computes in 16-bit floats: its constants become float32, and
/// values are converted where they come in and go out. Results are rounded once, at the end. Needs
/// types, and knows those of the new values. True if there were some.
bool widen_halves(Model& model);

/// Folds BatchNormalization into the convolution or dense before it when that has no other reader,
/// else into one multiply-add (Mul, Add with per-channel constants).
Result<void> fold_batch_norms(Model& model);

/// Makes of every LSTM, GRU and RNN with known weights, for each direction, one matrix product for
/// the input of all steps and a node for the steps (recurrent_steps.h). Those with peepholes, clip,
/// scaling values, sequences of different lengths or layout 1 stay. Needs types, and leaves those
/// of the new values to infer_types.
void split_recurrent(Model& model);

/// The nodes that run as one kernel.
struct Unit {
  std::vector<size_t> nodes;  ///< indices into the graph's nodes, a chain in order
  Workload workload;
  std::vector<std::string> operands;  ///< the graph's value for every input of the workload
  std::string output;                 ///< the graph's value that the unit makes
  std::vector<std::string> further_outputs = {};  ///< more of them, of the last node
};

/// Groups the nodes of a graph with complete types into units in execution order: an anchor and the
/// elementwise nodes after it while each result has one reader and is no graph output; elementwise
/// nodes among themselves. Nodes that only change the view form no unit.
std::vector<Unit> fuse(const Model& model);

/// Every node a unit of its own, but for those that only change the view.
std::vector<Unit> single_nodes(const Model& model);

/// What our kernels are made of: types inferred, constants and batch norms folded, recurrent
/// layers split, nodes fused.
/// Errors as those passes'.
Result<std::vector<Unit>> lower(Model& model, Fusion fusion = Fusion::kOn);

}  // namespace opbench
