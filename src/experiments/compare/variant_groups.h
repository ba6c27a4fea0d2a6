#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/compare/compare_request.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/sessions/request/variant.h"

namespace opbench {

/// Sides that one build prepares together.
struct VariantGroup {
  ProfileRequest request;  ///< the model, what is measured, hooks; the rest is in `variants`
  std::filesystem::path build;
  std::string build_name, commit;
  std::vector<Variant> variants;
  std::vector<size_t> sides;  ///< numbers of the comparison's sides, by variant
};

/// The comparison's sides in groups. This build prepares all sides of a model together, another
/// build those with equal settings. Candidates of tuning logs are decided, for other builds too,
/// which may not know how; notes of that are added to `notes`. Errors of with_decided_kernels.
Result<std::vector<VariantGroup>> variant_groups(const CompareRequest& request,
                                                 std::vector<std::string>& notes);

/// Says what a side was made of: the build, the kernels of a log, all that was asked for.
void add_origin(const VariantGroup& group, const Variant& variant, ComparedVariant& side);

}  // namespace opbench
