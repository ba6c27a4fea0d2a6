#pragma once

#include <cstdint>
#include <string>

#include "base/json/json.h"
#include "presentation/web/store/web_store.h"

namespace opbench {

/// What a selector names (a run, a side of a comparison, a night), as a page shows it. `kNoMatch`
/// for a selector that names nothing; with a guess where something is near it.
Result<Json> entry_of(WebStore& store, const std::string& selector);

/// `entries.entry` of what entry_of() gave; the member is taken away, since pages do not show it.
int64_t take_entry(Json& info);

/// Makes the command line of `argv`, which entry_columns() gives.
void finish_entry(Json& info);

/// The points of an entry: SQL behind FROM. Their times leave most of `points` unread.
std::string points_of_entry(int64_t entry);

/// Columns of `entries` as a page shows them: SQL behind SELECT.
const std::string& entry_columns();

}  // namespace opbench
