#pragma once

#include <string>

#include "base/json/json.h"
#include "presentation/cli/operators/catalog.h"
#include "presentation/report/tables/text_table.h"

namespace opbench {

/// One row a workload: counts, FLOPs, bytes, the default kernel, and its share of the time. The
/// columns say of each time whether it is predicted or measured.
TextTable catalog_table(const Catalog& catalog);

/// The same with numbers in full, for programs.
TextTable exact_catalog_table(const Catalog& catalog);

/// The fewest workloads and kinds of operators that take 90 % of the time, a line each.
std::string coverage_text(const Catalog& catalog);

/// `opbench.catalog/1`.
Json catalog_json(const Catalog& catalog);

}  // namespace opbench
