#include "tuning/tuners/model_search.h"

namespace opbench {
namespace {

std::unique_ptr<Tuner> make_xgb(const TunerInput& input) {
  return std::make_unique<ModelSearch>(
      input, ModelSearchOptions{.features = features_for(input),
                                .objective = TreeObjective::kSquaredError});
}

}  // namespace

/// TVM 0.14's XGBTuner as it comes: features `itervar`, objective reg:linear. A template whose
/// loops are not known here is searched by its knobs.
TunerDef xgb_tuner() {
  return {.name = "xgb",
          .summary = "boosted trees over a config's loops that learn scores; AutoTVM's default",
          .make = make_xgb,
          .check = check_trees};
}

}  // namespace opbench
