#pragma once

#include <filesystem>

#include "presentation/cli/arguments.h"

namespace opbench {

/// --store
OptionDef store_option();

/// --threads, of the work on the store
OptionDef store_threads_option();

/// What store_threads_option() gives; 0: as many as there are CPUs.
Result<int> store_threads_of(const Arguments& arguments);

/// The folder that --store names, else the default store. `kInvalidInput` when that is `none`: the
/// caller cannot do without one.
Result<std::filesystem::path> store_folder_of(const Arguments& arguments);

}  // namespace opbench
