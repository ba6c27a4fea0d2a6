#include "experiments/analysis/correlation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace opbench {
namespace {

constexpr size_t kLeastTrials = 8;

/// Which rows count, and the value of each that does.
struct Chosen {
  std::vector<size_t> rows;
  std::vector<double> values;  ///< ln of the time, or 1 for a failure
};

Chosen chosen_rows(const TrialRows& rows, CorrelationOf of) {
  Chosen chosen;
  for (size_t i = 0; i < rows.rows(); ++i) {
    const bool is_failed = std::isnan(rows.times_s[i]);
    if (is_failed && of == CorrelationOf::kTime) continue;
    chosen.rows.push_back(i);
    chosen.values.push_back(of == CorrelationOf::kTime ? std::log(rows.times_s[i])
                                                       : (is_failed ? 1.0 : 0.0));
  }
  return chosen;
}

/// Takes the mean of its workload off each value; rows of workloads with too few leave.
size_t centre(const TrialRows& rows, Chosen& chosen) {
  struct Sum {
    double sum = 0;
    size_t count = 0;
  };
  std::map<size_t, Sum> sums;
  for (size_t i = 0; i < chosen.rows.size(); ++i) {
    Sum& sum = sums[rows.workloads[chosen.rows[i]]];
    sum.sum += chosen.values[i];
    ++sum.count;
  }
  Chosen kept;
  for (size_t i = 0; i < chosen.rows.size(); ++i) {
    const Sum& sum = sums.at(rows.workloads[chosen.rows[i]]);
    if (sum.count < kLeastTrials) continue;
    kept.rows.push_back(chosen.rows[i]);
    kept.values.push_back(chosen.values[i] - sum.sum / static_cast<double>(sum.count));
  }
  const size_t left_out = chosen.rows.size() - kept.rows.size();
  chosen = std::move(kept);
  return left_out;
}

size_t distinct_workloads(const TrialRows& rows, const Chosen& chosen) {
  std::vector<size_t> numbers;
  for (const size_t row : chosen.rows) numbers.push_back(rows.workloads[row]);
  std::ranges::sort(numbers);
  return static_cast<size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
}

std::string why_nothing(const TaskCorrelation& task, size_t all, CorrelationOf of) {
  if (of == CorrelationOf::kTime && task.failed == all) {
    return fmt::format("all {} trials failed; --of failure asks what that depends on", all);
  }
  if (task.left_out > 0) {
    return fmt::format(
        "no workload has {} trials: {} are spread over too many; --across compares them as they "
        "are",
        kLeastTrials, task.left_out);
  }
  return fmt::format("{} trials are too few; {} are needed", task.rows, kLeastTrials);
}

}  // namespace

TaskCorrelation correlate_trials(const TrialRows& rows, const CorrelationRequest& request) {
  TaskCorrelation task{.task = rows.task, .target = rows.target, .failed = rows.failed};
  Chosen chosen = chosen_rows(rows, request.of);
  if (!request.is_across) task.left_out = centre(rows, chosen);
  task.rows = chosen.rows.size();
  task.workloads = distinct_workloads(rows, chosen);
  if (task.rows < kLeastTrials) {
    task.failure = why_nothing(task, rows.rows(), request.of);
    return task;
  }
  if (request.of == CorrelationOf::kFailure && (rows.failed == 0 || rows.failed == rows.rows())) {
    task.failure = rows.failed == 0 ? "no trial failed" : "all trials failed: nothing varies";
    return task;
  }
  FactorTimes times{.factors = {}, .log_times = chosen.values};
  for (const Factor& factor : rows.factors) {
    Factor own{factor.name, {}, factor.words};
    for (const size_t row : chosen.rows) own.values.push_back(factor.values[row]);
    times.factors.push_back(std::move(own));
  }
  task.table = correlate(times, request.options);
  return task;
}

TaskCorrelation correlate_sweep(const SweptTimes& table, const CorrelationRequest& request) {
  TaskCorrelation task{.rows = table.times.size(), .failed = table.without_time, .workloads = 1};
  if (task.rows < kLeastTrials) {
    task.failure = fmt::format("{} rows are too few; {} are needed", task.rows, kLeastTrials);
    return task;
  }
  FactorTimes times;
  for (const double time : table.times) times.log_times.push_back(std::log(time));
  for (const SweptKey& key : table.keys) {
    Factor factor{key.name, key.numbers, {}};
    if (!key.is_numeric()) {
      for (const std::string& text : key.texts) {
        const auto known = std::ranges::find(factor.words, text);
        factor.values.push_back(static_cast<double>(known - factor.words.begin()));
        if (known == factor.words.end()) factor.words.push_back(text);
      }
    }
    times.factors.push_back(std::move(factor));
  }
  task.table = correlate(times, request.options);
  return task;
}

}  // namespace opbench
