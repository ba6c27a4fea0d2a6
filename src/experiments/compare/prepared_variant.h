#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "engines/client/engine_process.h"
#include "experiments/sessions/engine_run.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/sessions/request/variant.h"
#include "experiments/sessions/session.h"
#include "measuring/results/compare_result.h"
#include "model/operators/workloads/unit_identity.h"

namespace opbench {

/// One row of a side: what its engine is asked for, and which part of the model that is.
struct VariantUnit {
  /// With the nodes of all occurrences. Builds hand over operator, workload, shapes and nodes only.
  UnitIdentity identity;
  int64_t count = 1;
  double expected_s = 0;  ///< of one call, by prediction
  std::string preparation;
  std::optional<int> unit_id;  ///< its number inside the preparation; nothing: all of it
  std::optional<Failure> failure;
  std::string remark = {};  ///< as in UnitResult; builds from before it do not hand it over
  /// What timed calls are looked at with; may be null. Not handed over between builds.
  std::shared_ptr<const Audit> audit = {};
  bool operator==(const VariantUnit&) const = default;
};

/// An input or output of the model, for telling whether two sides compute the same.
struct VariantValue {
  std::string name;
  std::string data_type;
  std::vector<int64_t> shape;
  bool operator==(const VariantValue&) const = default;
};

/// One side of a comparison, built and checked: data that another build of OpBench can hand over.
struct PreparedVariant {
  ComparedVariant info;
  std::string model;  ///< name
  std::string source;
  std::string sha256;
  std::string target;
  std::string cache;
  std::vector<VariantValue> inputs, outputs;
  EngineCommand command;
  std::vector<Preparation> preparations;
  std::vector<VariantUnit> units;
  bool runs_models = true;   ///< the engine takes whole models
  bool has_model = true;     ///< the model as a whole can be timed
  std::string model_reason;  ///< why not
  double model_bytes = 0;    ///< of its weights
  std::vector<std::string> warnings;
  std::shared_ptr<const Audit> model_audit = {};  ///< not handed over between builds
};

/// Checks the session and makes a side of each of its variants: all that is done before anything is
/// timed. Files of the sides are in the session's folder, which must outlive them. A variant that
/// the session refused is an error; else errors of Session::check.
Result<std::vector<PreparedVariant>> prepared_variants(Session& session);

/// What runs of this build know of each other, so that another build can read it.
constexpr const char* kSidesSchema = "opbench.sides/1";

Json side_json(const PreparedVariant& side);
/// `kInvalidInput` naming the field that is missing or of another type.
Result<PreparedVariant> side_from_json(const Json& json);

}  // namespace opbench
