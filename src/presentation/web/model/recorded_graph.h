#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/web/store/web_store.h"

namespace opbench {

/// One step of a call as the record of its model tells it (`workload_metadata.steps`).
struct RecordedStep {
  std::string unit;  ///< as units of a model are named on pages
  std::vector<std::string> nodes;
  double ms = 0;              ///< in the model; 0: not known
  std::vector<size_t> needs;  ///< earlier steps
};

/// The steps of one engine's run of a model.
struct RecordedSteps {
  std::string engine;      ///< `halide@2`
  bool has_model = false;  ///< it ran the whole model, and not its units alone
  bool has_needs = false;
  std::vector<RecordedStep> steps;  ///< none: the record tells none
};

/// Of every engine of the run, by the newest record of the whole model. Needs that lead forward,
/// and what is of another kind than expected, are left out.
Result<std::vector<RecordedSteps>> recorded_steps(WebStore& store, int64_t entry,
                                                  const std::string& model);

/// {"nodes", "edges", "steps", "width", "layers"} of `ModelGraph`: boxes with places, of which a
/// large graph has fewer than steps.
Json drawn_graph(const RecordedSteps& run);

/// A sentence; null where edges are known. `run`: null where no engine has steps.
Json why_no_edges(const RecordedSteps* run, bool has_no_model, const std::string& model);

}  // namespace opbench
