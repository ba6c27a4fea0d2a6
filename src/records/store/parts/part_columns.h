#pragma once

#include <string>
#include <vector>

#include "records/store/database/database.h"
#include "records/store/store_folder.h"

namespace opbench {

/// Columns of the parts of a kind, in order.
const std::vector<ResultColumn>& part_columns(RecordKind kind);

/// `NULL::UUID AS id, …`: a row of no values, for a store without parts.
std::string no_values(RecordKind kind);

}  // namespace opbench
