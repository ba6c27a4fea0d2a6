#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "planning/graphs/timed_graph.h"
#include "presentation/cli/arguments.h"

namespace opbench {

struct NamedGraph {
  std::string name;
  std::string times;  ///< measured in the model, or predicted
  TimedGraph timed;   ///< by one thread; edges are free
};

/// The units of the models that `--models` and `--profiles` name, from their packages' layouts and
/// memory, without compiling. A model with a profile has the times measured there on one thread.
Result<std::vector<NamedGraph>> model_graphs(const Arguments& arguments);

/// The graphs in the folder that `--graphs` names, with seeded times; none without the folder.
Result<std::vector<NamedGraph>> generated_graphs(const Arguments& arguments);

}  // namespace opbench
