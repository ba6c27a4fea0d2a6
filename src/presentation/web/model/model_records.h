#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "presentation/web/requests/web_request.h"
#include "presentation/web/store/web_store.h"

namespace opbench {

/// What a run recorded of a model.
struct ModelRecords {
  std::vector<Json> facts;    ///< of one value: source, sha256, target
  std::vector<Json> engines;  ///< `ModelEngine` of the contract
  std::vector<Json> units;    ///< `ModelUnit`: a unit stands once, engines side by side
  Json findings;  ///< a list of `Finding`, of the newest record; null: the run looked for none
};

/// The models of an entry, that with most units first.
Result<std::vector<std::string>> models_of_entry(WebStore& store, int64_t entry);

/// The one of `models` that a request names in `model`, else the first. `kNoMatch` for a model that
/// the run `info` lacks.
Result<std::string> model_of_request(const WebRequest& request, const Json& info,
                                     const std::vector<std::string>& models);

/// The text of a unit: its workload without the domain before the first dot.
std::string unit_text(const std::string& workload);

/// From the records of the entry in the parts.
Result<ModelRecords> model_records(WebStore& store, int64_t entry, const std::string& model);

/// Adds the times of another run beside those of the same engine, threads and unit.
void add_base(const ModelRecords& base, ModelRecords& records);

}  // namespace opbench
