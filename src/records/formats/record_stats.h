#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "records/formats/best_records.h"
#include "records/formats/codec.h"

namespace opbench {

/// What records are about, counted one by one. Workloads and lines are told apart by 64-bit hashes.
class RecordStats {
 public:
  void add(const AnyRecord& record, std::string_view text);

  struct Counts {
    int64_t tasks = 0;
    int64_t targets = 0;            ///< as they are written
    int64_t target_identities = 0;  ///< two ways to write a target are one
    int64_t workloads = 0;
    std::map<int64_t, int64_t> by_error_no;
    std::map<std::string, int64_t> by_model;  ///< of targets
    std::map<std::string, int64_t> by_version;
    std::map<std::string, int64_t> by_tvm_version;
    int64_t best_by_model = 0;
    int64_t best_by_targetkey = 0;
    int64_t best = 0;              ///< records in either of these maps
    int64_t identical_lines = 0;   ///< beyond the first of each
    int64_t repeated_configs = 0;  ///< target, workload and config of an earlier record
    int64_t reordered_keys = 0;    ///< lines whose keys are not in the writer's own order
    int64_t benchmark_records = 0;
    int64_t predicted_records = 0;  ///< among these
  };
  Counts counts() const;

 private:
  void add_trial(const TuningRecord& record, std::string_view text);
  void add_benchmark(const BenchmarkRecord& record);

  Counts counts_;
  std::set<std::string> tasks_;
  std::map<std::string, std::pair<std::string, std::string>> targets_;  ///< identity and model
  std::unordered_set<uint64_t> workloads_, lines_, configs_;
  BestRecords best_;
};

}  // namespace opbench
