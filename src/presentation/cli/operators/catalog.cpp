#include "presentation/cli/operators/catalog.h"

#include <algorithm>
#include <functional>

#include "base/files/text_file.h"
#include "base/system/seconds.h"
#include "engines/package/layout_plan.h"
#include "experiments/sessions/model/model_source.h"
#include "machine/target/parse_target.h"
#include "model/passes/passes.h"
#include "prediction/costs/expected_seconds.h"
#include "prediction/workloads/unit_features.h"
#include "records/record/benchmark_record.h"
#include "records/record/own_workload.h"

namespace opbench {
namespace {

/// Adds the default kernels of a model that our engine runs whole.
Result<void> add_kernels(const ProfileRequest& request, const Target& target,
                         std::map<std::string, KernelSpec>& kernels) {
  OPBENCH_TRY(RequestedModel model, load_outline(request.model, request.measure, request.hooks));
  const auto units = lower(model);
  if (!units) return {};  // it has operators of others, whose layouts are not planned
  OPBENCH_TRY(const std::vector<PlannedStep> steps, plan_layouts(model, *units, target));
  for (const PlannedStep& step : steps) {
    kernels.emplace(text_of(step.workload()), step.kernel());
  }
  return {};
}

/// As in `coverage_of`, of values by their number.
std::vector<size_t> fewest_of(const std::vector<double>& values, double sum) {
  std::vector<size_t> order(values.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater<>(), [&](size_t i) { return values[i]; });
  double covered = 0;
  size_t count = 0;
  while (count < order.size() && covered < kCovered * sum) covered += values[order[count++]];
  order.resize(count);
  return order;
}

}  // namespace

double CatalogEntry::total_ms(TimeSource source) const {
  return ms(source).value_or(0) * static_cast<double>(what.count());
}

Coverage coverage_of(const Catalog& catalog, TimeSource source) {
  Coverage coverage;
  std::vector<double> times;
  std::map<std::string, double> by_operator;
  std::map<std::string, double> by_kind;
  for (const CatalogEntry& entry : catalog.entries) {
    const double ms = entry.total_ms(source);
    times.push_back(ms);
    coverage.ms += ms;
    coverage.timed += entry.ms(source) ? 1 : 0;
    if (!entry.ms(source)) continue;
    by_operator[entry.what.identity.operator_text] += ms;
    by_kind[entry.kind] += ms_to_s(ms);
  }
  coverage.workloads = fewest_of(times, coverage.ms);
  coverage.kinds = kind_shares(by_kind);
  std::vector<std::string> names;
  std::vector<double> sums;
  for (const auto& [name, ms] : by_operator) {
    names.push_back(name);
    sums.push_back(ms);
  }
  for (const size_t i : fewest_of(sums, coverage.ms)) {
    coverage.operators.emplace_back(names[i], sums[i] / coverage.ms);
  }
  return coverage;
}

Result<std::map<std::string, double>> recorded_ms(const std::filesystem::path& file,
                                                  const std::string& engine) {
  OPBENCH_TRY(const std::string text, read_text_file(file));
  auto records = parse_record_lines(text);
  if (!records) return std::move(records).error().with("in", file.string());
  std::map<std::string, double> times;
  for (const BenchmarkRecord& record : *records) {
    if (is_predicted(record)) continue;
    if (record.engine != engine || record.scope != "unit" || record.status != "ok") continue;
    const auto ms =
        record.runtime_ms_in_place ? record.runtime_ms_in_place : record.runtime_ms_median;
    const std::string workload = own_workload(record);
    if (ms && !workload.empty()) times[workload] = *ms;
  }
  return times;
}

Result<Catalog> make_catalog(const std::vector<ProfileRequest>& requests,
                             const std::vector<std::string>& names,
                             const std::map<std::string, double>* measured) {
  OPBENCH_TRY(const Target target, parse_target("host"));
  OperatorEntries collected;
  std::map<std::string, KernelSpec> kernels;
  for (size_t i = 0; i < requests.size(); ++i) {
    OPBENCH_CHECK(collected.add(requests[i], names[i]));
    OPBENCH_CHECK(add_kernels(requests[i], target, kernels));
  }
  Catalog catalog{.models = names, .has_measured = measured != nullptr};
  for (OperatorEntry& what : std::move(collected).sorted()) {
    CatalogEntry entry{.what = std::move(what)};
    const std::string text = workload_text(entry.what.identity);
    const std::string& operators = entry.what.identity.operator_text;
    entry.kind = operators.substr(0, operators.find('+'));
    if (const auto kernel = kernels.find(text); kernel != kernels.end()) {
      entry.schedule = kernel->second.schedule.empty() ? "reference" : kernel->second.schedule;
      entry.config = kernel->second.config;
      entry.kind = unit_kind(kernel->second);
    }
    if (entry.what.is_known()) {
      OPBENCH_TRY(const Workload workload, parse_workload(text));
      entry.predicted_ms = s_to_ms(expected_seconds(workload));
    }
    if (measured != nullptr) {
      const auto time = measured->find(text);
      if (time != measured->end()) entry.measured_ms = time->second;
    }
    catalog.entries.push_back(std::move(entry));
  }
  std::ranges::stable_sort(catalog.entries, std::greater<>(), [](const CatalogEntry& entry) {
    return entry.total_ms(TimeSource::kPredicted);
  });
  return catalog;
}

}  // namespace opbench
