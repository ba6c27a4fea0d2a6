#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/graph/graph.h"
#include "model/passes/inline_body.h"
#include "model/passes/stuck_nodes.h"

namespace opbench {

/// Values that are known before the run and are no constants of the graph.
using KnownValues = std::map<std::string, Tensor>;

/// The results of both branches of an If node that only the run decides: they must be of one type.
struct RunChoice {
  std::string node;
  std::string condition;
  std::string of_then, of_else;
};

/// Makes of If, Loop and Scan nodes the nodes that they run, while types are inferred: there the
/// values that decide are known, and the types of what the nodes read. An If node that only the run
/// decides becomes both of its branches and a choice between their results.
class ControlFlow {
 public:
  /// If not `unrolls`, loops stay as they are.
  ControlFlow(Graph& graph, int64_t opset, const KnownValues& known, bool unrolls)
      : graph_(graph), opset_(opset), known_(known), unrolls_(unrolls) {}

  /// The nodes that replace `node`; they are looked at next. For a branch, its nodes. For a loop,
  /// the nodes of one iteration and a loop for the remaining ones. For a Scan, the nodes of all
  /// iterations. Nothing: the node stays.
  std::optional<std::vector<Node>> expand(const Node& node);

  /// The nodes that stayed.
  const StuckNodes& stuck() const { return stuck_; }

  /// Of a node that chooses between the results of two branches; null for others.
  const RunChoice* choice_of(const Node& node) const;

  /// True if a loop got stuck after its first iteration: the graph holds a part of it.
  bool is_torn() const { return is_torn_; }

 private:
  /// A loop on its way.
  struct Iterations {
    Graph body;
    OuterNames constants;  ///< of the body
    std::string go_on;     ///< the condition as an iteration sees it
    int64_t done = 0;
    std::vector<std::vector<std::string>> parts;  ///< of every scan output: a value an iteration
  };

  Node with_own_name(const Node& node);
  std::optional<std::vector<Node>> take_branch(const Node& node);
  std::optional<std::vector<Node>> take_both_branches(const Node& node);
  std::optional<std::vector<Node>> unroll_loop(const Node& node);
  std::optional<std::vector<Node>> unroll_whole_scan(const Node& node);
  Iterations start(const Node& node, Graph body);
  std::vector<Node> make_iteration(const Node& node, Iterations& iterations);
  std::optional<std::vector<Node>> end_loop(const Node& node, const Iterations& iterations);
  std::optional<int64_t> known_number(const std::string& name) const;
  std::nullopt_t stop(const Node& node, const std::string& reason);
  std::nullopt_t wait_for(const Node& node, const std::string& what, const std::string& value);

  Graph& graph_;
  int64_t opset_;
  const KnownValues& known_;
  bool unrolls_;
  size_t made_ = 0;  ///< nodes of iterations so far, loops that remain included
  std::map<std::string, Iterations> iterations_;  ///< by the loop's first output
  std::map<std::string, std::string> owners_;     ///< of names: the node's first output
  StuckNodes stuck_;
  std::map<std::string, RunChoice> choices_;  ///< by result
  bool is_torn_ = false;
};

}  // namespace opbench
