#pragma once

#include <set>
#include <string>

#include "model/graph/graph.h"

namespace opbench {

/// A model as passes need it to lower it for one set of extents after another: matrices and filters
/// have a type and no values (`has_values`), so that a copy takes no time. Constants keep their
/// values where a pass may compute with them: where the result depends on extents too (a slice of
/// position embeddings), and where an operator must know a value before the run.
struct FreeOutline {
  Model model;                  ///< as it was given: free dimensions as they are bound there
  std::set<std::string> fixed;  ///< values that follow from constants alone, for all extents
};

/// Of a model that no pass has changed.
FreeOutline free_outline(const Model& model);

/// Binds the inputs of the outline as those of `model`, which is the same model at other extents.
Model outline_at(const FreeOutline& outline, const Model& model);

}  // namespace opbench
