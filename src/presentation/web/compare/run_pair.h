#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/web/compare/compared_row.h"
#include "presentation/web/view.h"

namespace opbench {

/// Two sides of a comparison and which of their rows count, as a request says it.
struct RunPair {
  std::string a, b;  ///< selectors
  std::string a_engine, b_engine;
  std::string a_threads, b_threads;
  std::string model;
  std::string scope;  ///< all, unit or model
  std::string words;
};

/// Parameters of a request that run_pair_of() reads.
const std::vector<std::string>& pair_parameters();

/// `kInvalidInput` for a side that is missing and values that are none.
Result<RunPair> run_pair_of(const WebRequest& request);

/// Both sides, and what they have in common.
struct PairedRows {
  std::vector<Json> sides;  ///< of two values: `RunInfo` of the contract
  int64_t entry_a = 0, entry_b = 0;
  bool is_paired = false;
  std::vector<ComparedRow> rows;
  int64_t only_a = 0, only_b = 0;  ///< rows that the other side has not
  int64_t failed = 0;
  std::string side_sql;  ///< `WITH a AS …, b AS …`, rows of both sides with `match_key`
};

/// `opbench compare …` of one model: two engines, or builds of one engine: that of `base_commit`
/// and this one. Empty without a model, and where there is nothing to compare with.
std::string compare_command(const std::string& model, const std::vector<std::string>& engines,
                            const Json& base_commit);

/// `kNoMatch` for a selector that names nothing.
Result<PairedRows> paired_rows(const ViewContext& context, const RunPair& pair);

}  // namespace opbench
