#include "experiments/compare/compare_request.h"

#include <utility>

namespace opbench {

VariantRequest variant_of(ProfileRequest request) {
  return {.model = std::move(request.model),
          .variant = {.engine = std::move(request.engines.front()),
                      .threads = request.threads.front(),
                      .settings = std::move(request.settings)},
          .measure = std::move(request.measure),
          .hooks = std::move(request.hooks),
          .notes = std::move(request.notes),
          .build = {},
          .build_name = {},
          .commit = {}};
}

ProfileRequest profile_of(const VariantRequest& side) {
  return {.model = side.model,
          .engines = {side.variant.engine},
          .threads = {side.variant.threads},
          .settings = side.variant.settings,
          .measure = side.measure,
          .hooks = side.hooks,
          .notes = side.notes};
}

}  // namespace opbench
