#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/graph/graph.h"
#include "model/zoo/zoo_builder.h"

namespace opbench {

/// One operator of a pair: adds its nodes after the value `x`, with names that begin with `prefix`,
/// and returns its result.
struct ProbedOperator {
  std::string name;  ///< conv, relu
  std::function<std::string(ZooBuilder&, const std::string& x, const std::string& prefix)> add;
};

/// Two operators of which the second reads what the first makes.
struct OperatorPair {
  Shape input;  ///< of the first one
  ProbedOperator first, second;
  bool is_default = true;  ///< tried unless pairs are named

  std::string name() const { return first.name + "+" + second.name; }
};

/// All pairs, in an order.
std::vector<OperatorPair> operator_pairs();

/// The pairs of these names, in their order; without names the default ones. `kInvalidInput` for an
/// unknown one (with a guess).
Result<std::vector<OperatorPair>> chosen_pairs(const std::vector<std::string>& names);

/// The models of one pair. Each begins with an operator that is fused with none (a pooling, a
/// softmax) and ends with one reduction to few values. So all read and hand out the same kinds of
/// values, operators may work in place in all of them, and what a call takes by itself is in each.
/// It cancels in first + second - both - rest_of_second, whatever shapes the operators make.
struct PairModels {
  Model rest_of_first;   ///< without an operator, on what the first one reads
  Model rest_of_second;  ///< and on what the second one reads
  Model first, second, both;
};
PairModels models_of(const OperatorPair& pair);

}  // namespace opbench
