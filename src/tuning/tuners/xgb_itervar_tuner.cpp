#include "tuning/tuners/model_search.h"

namespace opbench {
namespace {

std::unique_ptr<Tuner> make_xgb_itervar(const TunerInput& input) {
  return std::make_unique<ModelSearch>(
      input, ModelSearchOptions{.features = FeatureKind::kItervar,
                                .objective = TreeObjective::kSquaredError});
}

}  // namespace

TunerDef xgb_itervar_tuner() {
  return {.name = "xgb_itervar",
          .summary = "boosted trees over a config's loops and what they touch",
          .make = make_xgb_itervar,
          .check = check_loop_features};
}

}  // namespace opbench
