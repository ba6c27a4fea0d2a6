#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "experiments/sessions/request/profile_request.h"
#include "model/operators/workloads/unit_identity.h"

namespace opbench {

/// What models consist of: one workload, or one operator that our engine does not run, and how
/// often the models contain it.
struct OperatorEntry {
  UnitIdentity identity;                  ///< as the models are, in no layouts and by no kernel
  std::string note;                       ///< why it is no workload
  std::map<std::string, int64_t> counts;  ///< by model, as the user names it
  std::optional<double> flops, bytes;     ///< of one call

  bool is_known() const { return !workload_text(identity).empty(); }
  int64_t count() const;
  double total_flops() const;  ///< 0 where not known
};

/// Collects what models consist of.
class OperatorEntries {
 public:
  /// Reads the request's model, which the user calls `name`. load_model's and infer_types' errors,
  /// but for unknown operators, which become entries.
  Result<void> add(const ProfileRequest& request, const std::string& name);

  /// By FLOPs of all calls, most first.
  std::vector<OperatorEntry> sorted() &&;

 private:
  OperatorEntry& entry_of(const std::string& key, const std::string& model);

  std::map<std::string, size_t> places_;
  std::vector<OperatorEntry> entries_;
};

}  // namespace opbench
