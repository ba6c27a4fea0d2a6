#include "tuning/tuners/model_search.h"

namespace opbench {
namespace {

std::unique_ptr<Tuner> make_xgb_knob(const TunerInput& input) {
  return std::make_unique<ModelSearch>(
      input, ModelSearchOptions{.features = FeatureKind::kKnob,
                                .objective = TreeObjective::kSquaredError});
}

}  // namespace

TunerDef xgb_knob_tuner() {
  return {.name = "xgb_knob",
          .summary = "boosted trees over the values of knobs",
          .make = make_xgb_knob,
          .check = check_trees};
}

}  // namespace opbench
