#include "tuning/tuners/model_search.h"

namespace opbench {
namespace {

std::unique_ptr<Tuner> make_xgb_rank(const TunerInput& input) {
  return std::make_unique<ModelSearch>(
      input, ModelSearchOptions{.features = features_for(input),
                                .objective = TreeObjective::kPairwiseRank});
}

}  // namespace

/// Features as for `xgb`, objective rank:pairwise, which is TVM 0.8's default.
TunerDef xgb_rank_tuner() {
  return {.name = "xgb-rank",
          .summary = "the same, but they learn which of two points is faster",
          .make = make_xgb_rank,
          .check = check_trees};
}

}  // namespace opbench
