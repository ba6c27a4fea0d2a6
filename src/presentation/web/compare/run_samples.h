#pragma once

#include <cstdint>
#include <string>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/web/store/web_store.h"

namespace opbench {

/// `Samples` of the contract, of a series in an entry, with `reproducer`: the command that repeats
/// the record. Empty samples where the parts have none.
Result<Json> samples_of(WebStore& store, int64_t entry, const std::string& series_id);

/// `EnvironmentDiff` without its names: the facts of the machines and the software of two entries
/// that differ, and how many are the same.
Result<Json> environment_difference(WebStore& store, int64_t entry_a, int64_t entry_b);

}  // namespace opbench
