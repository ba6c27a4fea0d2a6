#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/web/compare/compared_pair.h"
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

/// `opbench compare …` of one model: two engines, or builds of one engine: that of `base_commit`
/// and this one. Empty without a model, and where there is nothing to compare with.
std::string compare_command(const std::string& model, const std::vector<std::string>& engines,
                            const Json& base_commit);

/// Both sides without their rows. `kNoMatch` for a selector that names nothing.
Result<PairedRows> pair_sides(const ViewContext& context, const RunPair& pair);

/// Both sides and their rows, which may have been kept. Errors as pair_sides().
Result<std::shared_ptr<const PairedRows>> paired_rows(const ViewContext& context,
                                                      const RunPair& pair);

}  // namespace opbench
