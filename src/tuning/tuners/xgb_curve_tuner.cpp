#include "tuning/tuners/model_search.h"

namespace opbench {
namespace {

std::unique_ptr<Tuner> make_xgb_curve(const TunerInput& input) {
  return std::make_unique<ModelSearch>(
      input, ModelSearchOptions{.features = FeatureKind::kCurve,
                                .objective = TreeObjective::kSquaredError});
}

}  // namespace

TunerDef xgb_curve_tuner() {
  return {.name = "xgb_curve",
          .summary = "boosted trees over how reuse grows with a config's iterations",
          .make = make_xgb_curve,
          .check = check_loop_features};
}

}  // namespace opbench
