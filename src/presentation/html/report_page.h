#pragma once

#include <string>

#include "base/errors/error.h"
#include "measuring/results/profile_result.h"
#include "presentation/html/page_options.h"

namespace opbench {

/// A profile as one HTML document that needs nothing else: no network and no script. With a base,
/// its figures stand beside those of the profile. `base` may be null.
std::string report_page(const ProfileResult& result, const ProfileResult* base,
                        const PageOptions& options);

/// `kInvalidInput` unless the page can compare both: they are of one model and two runs. The paths
/// name them in errors.
Result<void> check_base(const ProfileResult& result, const ProfileResult& base,
                        const PageOptions& options);

/// `kInvalidInput` where no row and no model has a time; says why.
Result<void> check_measured(const ProfileResult& result, const std::string& file);

}  // namespace opbench
