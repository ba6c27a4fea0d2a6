#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/target/tvm_target.h"
#include "records/record/tuning_record.h"

namespace opbench {

/// The best measurement of a workload somewhere, with the text it was read from.
struct BestRecord {
  TuningRecord record;
  std::string text;  ///< of its line
  double mean_s = 0;
  int64_t number = 0;  ///< of the record among all that were added
};

/// How a record came to answer for a target.
struct Provenance {
  enum class Kind { kExact, kSameModel, kOtherKind, kBorrowed };
  Kind kind = Kind::kExact;
  std::string key;   ///< by which it was borrowed
  std::string from;  ///< the model it was measured on
};

/// `exact`, `same-model`, `same-model-other-kind`, `borrowed-by-key(gpu, from 1080ti)`
std::string to_text(const Provenance& provenance);

struct BestAnswer {
  const BestRecord* best = nullptr;
  Provenance provenance;
};

/// TVM's maps of best records (docs/reference/formats.md, "Best records"): by model and by every
/// key of the target, for each workload; a later record must be strictly faster. Failures are never
/// in them.
class BestRecords {
 public:
  explicit BestRecords(TvmRules rules = TvmRules::k014);
  BestRecords(BestRecords&&) noexcept;
  BestRecords& operator=(BestRecords&&) noexcept;
  ~BestRecords();

  /// Records whose target cannot be read are left out.
  void add(const TuningRecord& record, std::string_view text);

  int64_t by_model_size() const;
  int64_t by_key_size() const;

  /// Every record that is in one of the maps, in the order of adding.
  std::vector<const BestRecord*> all() const;

  /// The workloads (see workload_key) that have a record, in byte order.
  std::vector<std::string> workloads() const;

  /// For a target: a record of the very target, else of its model, else borrowed by one of its keys
  /// in order. Nothing if there is none.
  std::optional<BestAnswer> find(const TvmTarget& target, const std::string& workload) const;

  /// What TVM takes: by model whatever the kind, then by key.
  std::optional<BestAnswer> find_as_tvm(const TvmTarget& target, const std::string& workload) const;

  /// Of a target and no other.
  std::optional<BestAnswer> find_exact(const TvmTarget& target, const std::string& workload) const;

 private:
  struct Maps;
  std::unique_ptr<Maps> maps_;
};

/// What AutoTVM calls the identity of a record: canonical target, task, arguments, config as text.
std::string config_identity(const TuningRecord& record);

/// The choice of AutoTVM's pick_best: the first record, in the order of adding, of identity
/// that is in the maps. If a config was measured
/// again, that is the older measurement, even if it failed.
class PickBest {
 public:
  explicit PickBest(const BestRecords& records);
  /// Whether pick_best writes it. Records are to be given in the order in which they were added.
  bool takes(const TuningRecord& record);

 private:
  std::set<std::string> wanted_;
};

}  // namespace opbench
