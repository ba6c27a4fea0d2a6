#pragma once

#include <filesystem>

#include "opbench/cli/arguments.h"

namespace opbench {

/// --store
OptionDef store_option();

/// --threads, of the work on the store
OptionDef store_threads_option();

/// The folder that --store names, else the default store.
std::filesystem::path store_folder_of(const Arguments& arguments);

}  // namespace opbench
