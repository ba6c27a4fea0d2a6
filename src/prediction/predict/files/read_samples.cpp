#include "prediction/predict/files/read_samples.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/files/line_reader.h"
#include "base/json/json.h"
#include "base/numbers/number.h"
#include "base/system/seconds.h"
#include "machine/target/parse_target.h"
#include "prediction/predict/kernel_identity.h"
#include "records/json/json_member.h"

namespace opbench {
namespace {

Json parsed(const std::optional<JsonText>& text) {
  if (!text) return Json::object();
  Json json = Json::parse(text->text, nullptr, false);
  return json.is_object() ? json : Json::object();
}

std::string label_of(const BenchmarkRecord& record, const char* name) {
  if (!record.labels) return "";
  const auto label = record.labels->find(name);
  return label == record.labels->end() ? "" : label->second;
}

bool is_units_batch(const BenchmarkRecord& record) {
  return label_of(record, kBatchKindLabel) == kUnitsBatch;
}

int threads_of(const BenchmarkRecord& record) {
  const Json threads = member(parsed(record.runtime_config), "num_cpu_threads");
  return threads.is_number_integer() ? threads.get<int>() : 0;
}

/// The kernel of a unit's record: the default one in its layouts, if that is by the schedule that
/// the record names.
std::optional<KernelSpec> spec_of(const BenchmarkRecord& record, int threads) {
  const auto text = text_member(parsed(record.workload_args), "workload");
  if (!text || text->empty()) return {};
  auto workload = parse_workload(*text);
  if (!workload) return {};
  const Json compilation = parsed(record.compilation_config);
  const Json layouts = member(compilation, "layouts");
  auto target = parse_target(record.target.value_or("host"));
  if (!layouts.is_array() || !target) return {};
  KernelSpec spec{.workload = std::move(*workload), .target = std::move(*target)};
  spec.threads = threads;
  auto block = layouts.begin();
  for (const Value& input : spec.workload.graph.inputs) {
    const bool has_block = !spec.workload.is_weight(input.name) && block != layouts.end();
    spec.layouts.push_back({has_block && block->is_number_integer() ? (block++)->get<int>() : 0});
  }
  spec.layouts.push_back({block != layouts.end() ? block->get<int>() : 0});
  const std::string schedule = text_member(compilation, "schedule").value_or("");
  if (schedule == "reference") return spec;
  const auto definition = schedule_table().find(schedule);
  if (!definition) return {};
  const auto config = (*definition)->default_config(spec);
  if (!config) return {};
  spec.schedule = schedule;
  spec.config = *config;
  return spec;
}

void keep_least(std::optional<double>& kept, std::optional<double> ms) {
  if (!ms || *ms <= 0) return;
  const double seconds = ms_to_s(*ms);
  kept = kept ? std::min(*kept, seconds) : seconds;
}

std::string model_of(const BenchmarkRecord& record) { return record.model.value_or(""); }

std::string group_of(const BenchmarkRecord& record) {
  const std::string family = label_of(record, kFamilyLabel);
  return family.empty() ? model_of(record) : family;
}

std::optional<double> metric_of(const BenchmarkRecord& record, const char* name) {
  if (!record.metrics) return {};
  const auto metric = record.metrics->find(name);
  if (metric == record.metrics->end()) return {};
  return metric->second;
}

std::optional<double> metric_s(const BenchmarkRecord& record, const char* name) {
  const auto ms = metric_of(record, name);
  return ms ? std::optional(ms_to_s(*ms)) : std::nullopt;
}

std::optional<int64_t> weight_sets_of(const BenchmarkRecord& record) {
  const auto sets = metric_of(record, "weight_sets");
  return sets ? std::optional(static_cast<int64_t>(*sets)) : std::nullopt;
}

}  // namespace

bool is_disturbed(const BenchmarkRecord& record) {
  if (!record.samples_dropped || !record.n_samples) return false;
  const auto preempted = record.samples_dropped->find("preempted");
  return preempted != record.samples_dropped->end() && 2 * preempted->second > *record.n_samples;
}

SampleCollector::SampleCollector(SampleFilter filter) : filter_(std::move(filter)) {}

void SampleCollector::add(const BenchmarkRecord& record) {
  std::string reason = reason_against(record);
  if (reason.empty()) reason = record.scope == "unit" ? add_unit(record) : add_model(record);
  if (!reason.empty()) ++set_.left_out[reason];
  const auto batch = parse_integer(label_of(record, kBatchLabel));
  if (batch) batches_ = std::max(batches_, *batch + 1);
}

std::string SampleCollector::reason_against(const BenchmarkRecord& record) const {
  if (is_predicted(record)) return "predicted, not measured";
  if (record.engine != filter_.engine) return "of another engine";
  if (threads_of(record) != filter_.threads) return "of another number of threads";
  if (record.machine_hash != filter_.machine_hash) return "of another machine";
  if (record.status != "ok") return "without a time";
  if (record.cache.value_or("hot") != "hot") return "with cold caches";
  const std::string version = label_of(record, kScheduleLabel);
  if (!version.empty() && version != filter_.schedule_version) return "of other schedules";
  return "";
}

std::string SampleCollector::add_unit(const BenchmarkRecord& record) {
  if (member(parsed(record.compilation_config), "tuned_from").is_string()) return "tuned";
  std::optional<double> in_model_ms, isolated_ms;
  const bool is_quiet_run = !disturbed_runs_.contains(record.run_id.value_or(""));
  if (is_quiet_run) in_model_ms = record.runtime_ms_in_place;
  if (!is_disturbed(record)) isolated_ms = record.runtime_ms_median;
  if (!in_model_ms && !isolated_ms) return "disturbed";
  const auto spec = spec_of(record, filter_.threads);
  if (!spec) return "without a kernel that is known here";
  const std::string identity = kernel_identity(*spec);
  const std::string model = model_of(record);
  const auto [place, is_new] = units_.emplace(model + "|" + identity, set_.units.size());
  if (is_new) {
    set_.units.push_back({.model = model, .group = group_of(record), .identity = identity});
    set_.units.back().features = unit_features(*spec, filter_.ceilings);
  }
  UnitSample& unit = set_.units[place->second];
  if (record.record_id) unit.record_ids.push_back(*record.record_id);
  keep_least(unit.in_model_s, in_model_ms);
  keep_least(unit.isolated_s, isolated_ms);
  counts_[model][place->second] = {.units = record.count.value_or(1),
                                   .weight_sets = weight_sets_of(record)};
  if (is_units_batch(record)) side_by_side_.insert(model);
  return "";
}

std::string SampleCollector::add_model(const BenchmarkRecord& record) {
  if (is_disturbed(record)) {
    disturbed_runs_.insert(record.run_id.value_or(""));
    return "disturbed";
  }
  if (is_units_batch(record)) return "of units side by side";
  if (!record.runtime_ms_median || *record.runtime_ms_median <= 0) return "without a time";
  const std::string name = model_of(record);
  const auto [place, is_new] = models_.emplace(name, set_.models.size());
  if (is_new) set_.models.push_back({.model = name, .group = group_of(record)});
  ModelSample& model = set_.models[place->second];
  if (record.record_id) model.record_ids.push_back(*record.record_id);
  const double seconds = ms_to_s(*record.runtime_ms_median);
  model.slowest_s = std::max(model.slowest_s, seconds);
  if (++model.visits > 1 && seconds >= model.end_to_end_s) return "";
  model.end_to_end_s = seconds;
  model.dispatch_s = metric_s(record, "dispatch_ms");
  model.call_overhead_s = metric_s(record, "call_overhead_ms");
  return "";
}

SampleSet SampleCollector::samples() const {
  SampleSet set = set_;
  set.models.clear();
  for (const ModelSample& model : set_.models) {
    const auto counts = counts_.find(model.model);
    if (counts == counts_.end()) continue;
    set.models.push_back(model);
    for (const auto& [unit, count] : counts->second) {
      set.models.back().units.emplace_back(unit, count.units);
    }
  }
  for (const auto& [model, counts] : counts_) {
    std::vector<CountedUnit> units;
    for (const auto& [unit, count] : counts) {
      units.push_back({&set.units[unit].features, count.units, count.weight_sets});
    }
    const ModelContext context =
        context_of(units, filter_.ceilings, filter_.threads, side_by_side_.contains(model));
    for (const auto& [unit, count] : counts) set.units[unit].context = context;
  }
  return set;
}

Result<void> collect_file(const std::filesystem::path& path, SampleCollector& collector) {
  OPBENCH_TRY(LineReader reader, LineReader::open(path.string()));
  for (bool has_record = false;;) {
    OPBENCH_TRY(const auto line, reader.next());
    if (!line && has_record) return {};
    if (!line) {
      return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" has no record", path.string())};
    }
    if (line->text.empty()) continue;
    const auto json = parse_json(line->text, fmt::format("\"{}\"", path.string()));
    auto record = json ? record_from_json(*json) : Result<BenchmarkRecord>(Error(json.error()));
    if (record) {
      collector.add(*record);
      has_record = true;
    } else if (!line->is_torn) {
      return Error(record.error()).with("in", fmt::format("{}:{}", path.string(), line->number));
    }
  }
}

}  // namespace opbench
