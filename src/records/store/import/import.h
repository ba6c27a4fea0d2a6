#pragma once

#include <cstdint>
#include <string>

#include "base/errors/error.h"
#include "records/store/import/file_import.h"
#include "records/store/import/trial_source.h"
#include "records/store/store_folder.h"

namespace opbench {

/// Adds the good records of a file of any format, all of them or, on an error, none.
/// `kInvalidInput` if the file cannot be read or its format is not known, or the store not be
/// written; `kSystem` for a full disk.
Result<FileImport> import_file(StoreFolder& store, const std::string& path,
                               const ImportOptions& options = {});

/// The same for trials of a source that is already open.
Result<FileImport> import_trials(StoreFolder& store, TrialSource& source, const std::string& path,
                                 const ImportOptions& options);

}  // namespace opbench
