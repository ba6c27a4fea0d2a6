#include "records/formats/record_stats.h"

#include <functional>

#include "machine/target/target_text.h"

namespace opbench {
namespace {

uint64_t record_stats_hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }

}  // namespace

void RecordStats::add(const AnyRecord& record, std::string_view text) {
  if (!text.empty() && !lines_.insert(record_stats_hash_of(text)).second) ++counts_.identical_lines;
  if (const auto* trial = std::get_if<TuningRecord>(&record)) {
    add_trial(*trial, text);
  } else {
    add_benchmark(std::get<BenchmarkRecord>(record));
  }
}

void RecordStats::add_trial(const TuningRecord& record, std::string_view text) {
  tasks_.insert(record.task);
  auto target = targets_.find(record.target);
  if (target == targets_.end()) {
    const auto parsed = parse_tvm_target(record.target);
    std::pair<std::string, std::string> facts{record.target, "unknown"};
    if (parsed) facts = {canonical_text(parsed->identity), parsed->model};
    target = targets_.emplace(record.target, std::move(facts)).first;
  }
  workloads_.insert(record_stats_hash_of(workload_key(record)));
  ++counts_.by_model[target->second.second];
  if (!record.origin.format_version.empty()) ++counts_.by_version[record.origin.format_version];
  if (record.tvm_version) ++counts_.by_tvm_version[*record.tvm_version];
  ++counts_.by_error_no[record.result.error_no];
  if (!record.origin.key_order.empty() || !record.origin.config_order.empty()) {
    ++counts_.reordered_keys;
  }
  if (!configs_.insert(record_stats_hash_of(config_identity(record))).second)
    ++counts_.repeated_configs;
  best_.add(record, text);
}

void RecordStats::add_benchmark(const BenchmarkRecord& record) {
  ++counts_.benchmark_records;
  if (is_predicted(record)) ++counts_.predicted_records;
  tasks_.insert(record.workload);
  workloads_.insert(
      record_stats_hash_of(record.workload + record.workload_args.value_or(JsonText{}).text));
  if (record.target) targets_.emplace(*record.target, std::pair(*record.target, std::string()));
  ++counts_.by_version[record.schema_version];
  ++counts_.by_error_no[record.error_no.value_or(0)];
}

RecordStats::Counts RecordStats::counts() const {
  Counts counts = counts_;
  std::set<std::string> identities;
  for (const auto& [text, facts] : targets_) identities.insert(facts.first);
  counts.tasks = std::ssize(tasks_);
  counts.targets = std::ssize(targets_);
  counts.target_identities = std::ssize(identities);
  counts.workloads = std::ssize(workloads_);
  counts.best_by_model = best_.by_model_size();
  counts.best_by_targetkey = best_.by_key_size();
  counts.best = std::ssize(best_.all());
  return counts;
}

}  // namespace opbench
