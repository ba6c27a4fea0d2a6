#pragma once

#include <exception>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/tables/table.h"
#include "base/tensors/tensor.h"
#include "model/graph/graph.h"
#include "model/operators/input_domain.h"

namespace opbench {

/// One node as its operator sees it. Pointers are null for omitted optional inputs; `constants` are
/// non-null where the value is known before the run (a Reshape's shape, a Conv's weights).
struct OperatorCall {
  const Node* node = nullptr;
  int64_t opset = 0;
  std::vector<const TensorType*> inputs;
  std::vector<const Tensor*> constants;
};

/// Thrown where a reference would read or write elements of another width than the tensor has: a
/// model mixes types that the operator's `infer` does not tell apart. `checked_run` makes an error
/// of it.
struct WrongElementWidth : std::exception {
  const char* what() const noexcept override { return "operands of types that do not go together"; }
};

/// Memory of a tensor during a run; does not own it.
struct TensorView {
  TensorType type;
  void* data = nullptr;

  /// All elements; none where there are no data. Throws WrongElementWidth.
  template <class T>
  std::span<T> as() const {
    const size_t width = size_of(type.data_type);
    if (width != 0 && data == nullptr) return {};
    if (width != sizeof(T)) throw WrongElementWidth();
    return {static_cast<T*>(data), static_cast<size_t>(type.size())};
  }
};

/// How a unit may be made of nodes: what the fusion and layout passes need to know of an operator.
enum class FusionRole {
  kOpaque,       ///< runs alone
  kAnchor,       ///< may start a unit that elementwise nodes join (conv, dense, pool, …)
  kElementwise,  ///< output element i depends on element i of each input, after broadcasting
  kView,         ///< moves no data (Reshape, Flatten, Identity, Dropout at inference)
};

/// Which data layouts an operator's kernels read and write.
enum class LayoutRole {
  kPlain,    ///< row-major, as ONNX defines the tensors
  kBlocked,  ///< gains from channel-blocked NCHWc (conv, pool, LRN over 4-D tensors)
  kFollows,  ///< takes whatever layout its inputs have (elementwise, concat over channels)
};

/// An attribute that an operator knows: its ONNX name, and the value it has when absent, whose kind
/// is the kind of the attribute.
struct AttributeDef {
  std::string name;
  Attribute otherwise;
};

class NodeParts;

/// One operator: everything about it that needs no compiler.
struct OperatorDef {
  std::string name;                     ///< our word, as in workloads and records: "conv2d"
  std::string summary;                  ///< one line for `opbench list operators`
  std::vector<std::string> onnx_types;  ///< the ONNX types it covers: {"Conv"}
  std::string onnx_domain = {};         ///< of these types; empty for ai.onnx
  FusionRole fusion = FusionRole::kOpaque;
  LayoutRole layout = LayoutRole::kPlain;

  /// Output types from input types and known constants. `kInvalidInput` when they do not fit.
  Result<std::vector<TensorType>> (*infer)(const OperatorCall&) = nullptr;

  /// Floating-point operations: 2 per multiply-add, taps that fall into padding excluded, 1 per
  /// elementwise result (comparisons of a max pool count). `outputs` as from `infer`.
  double (*flops)(const OperatorCall&, const std::vector<TensorType>& outputs) = nullptr;

  /// The plain reference: naive loops over dense row-major tensors, accumulating in double where
  /// sums are long. Also the host kernel of operators that have no schedule. `outputs` has a view
  /// for every output of the node; its data are null where nobody reads it.
  Result<void> (*run)(const OperatorCall&, std::span<const TensorView> inputs,
                      std::span<const TensorView> outputs) = nullptr;

  /// The attributes that make the workload, in normal form: `auto_pad` resolved to pads, defaults
  /// dropped, what follows from shapes dropped. Null: those of `attributes` that differ from their
  /// default.
  Attributes (*normal_form)(const OperatorCall&) = nullptr;

  /// The attributes it reads, in opset 17's form. Others are ignored in models and refused in
  /// texts.
  std::vector<AttributeDef> attributes;

  /// Adds nodes with kernels that compute what the call does on its float32 operands. False where
  /// there are none. Null: there never are.
  bool (*take_apart)(const OperatorCall&, NodeParts& parts) = nullptr;

  /// Positions of the inputs that must be known before the run (a Reshape's shape).
  std::vector<size_t> parameters;

  /// Inputs whose seeded values must not be any number in -1 … 1.
  std::vector<InputDomain> domains;

  /// The first opset that has a node with its attributes, for operators of which some are younger
  /// than opset 17. Null: opset 17 has all.
  int64_t (*least_opset)(const Node&) = nullptr;

  /// The node as opset 17 writes it, for nodes of other opsets: attributes that became inputs are
  /// added to `constants` under the names that the node reads. Null: the node as it stands.
  Node (*modern_form)(const OperatorCall&, std::map<std::string, Tensor>& constants) = nullptr;
};

/// Every operator, from the files `<x>_operator.cpp`.
const Table<OperatorDef>& operator_table();

/// The operator of a node, or null if `halide` does not know it (unknown domain or type, subgraph).
const OperatorDef* operator_of(const Node& node);

/// The word of a node in workloads and tables: the operator's name, or the ONNX type in lower snake
/// case where it covers several (`relu`, `add`). Outside ai.onnx: `com.microsoft.bias_gelu`.
std::string word_of(const Node& node);

/// The operator of a word and the ONNX type it stands for. `kInvalidInput` with a guess.
struct OperatorWord {
  const OperatorDef* def = nullptr;
  std::string onnx_type;  ///< in the domain of `def`
};
Result<OperatorWord> operator_of_word(const std::string& word);

/// The attributes of a call in normal form (see OperatorDef::normal_form).
Attributes normal_attributes(const OperatorCall& call);

/// The call of `node` inside `graph`, whose `types` must hold the inputs.
OperatorCall call_of(const Node& node, const Graph& graph, int64_t opset);

/// What values the operators that read `name` want of it: the domain of the first that has one.
ValueRange range_of(const Graph& graph, const std::string& name);

/// Bytes read and written once each: all inputs and outputs.
double bytes_of(const OperatorCall& call, const std::vector<TensorType>& outputs);

}  // namespace opbench
