#include "experiments/compare/compare_judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "experiments/compare/verdict.h"

namespace opbench {
namespace {

constexpr double kFloors = 20;  // call overheads that a time must have for a verdict

CompareUnit described(const CompareRow& row, const PreparedVariant& base) {
  CompareUnit unit;
  if (row.is_model) {
    unit.identity.operator_text = "model";
    return unit;
  }
  unit.identity = base.units[*row.match.units.front()].identity;
  unit.identity.schedule.clear();
  unit.identity.origin.clear();
  unit.identity.nodes = row.match.nodes;
  unit.count = row.match.count;
  return unit;
}

// Empty when the times are long enough to be judged.
std::string too_short(const CompareUnit& unit, const PreparedVariant& base,
                      const PreparedVariant& other) {
  for (const auto& [time, side] :
       {std::pair(&unit.base, &base), std::pair(&unit.candidate, &other)}) {
    const double floor = side->info.call_floor_ms;
    if ((*time)->median_ms >= kFloors * floor) continue;
    return fmt::format("{:.3g} ms is below {:.0f} times the call overhead of {} ({:.2g} ms)",
                       (*time)->median_ms, kFloors, side->info.engine, floor);
  }
  return "";
}

/// What is wrong with either side's results, each text once.
std::string remarks_of(const CompareRow& row, const PreparedVariant& base, size_t base_index,
                       const PreparedVariant& other, size_t other_index) {
  std::vector<std::string> remarks;
  for (const auto& [side, index] : {std::pair(&base, base_index), std::pair(&other, other_index)}) {
    const CheckResult& check = side->info.check;
    std::string text;
    if (!row.is_model) text = side->units[*row.match.units[index]].remark;
    if (row.is_model && found_wrong(check)) text = side->info.label + " is wrong: " + check.reason;
    const bool is_known = std::ranges::count(remarks, text) > 0;
    if (!text.empty() && !is_known) remarks.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(remarks, "; "));
}

/// ln of how many times the batch items of `base` a call of `side` computes.
double log_batches(const PreparedVariant& side, const PreparedVariant& base) {
  return std::log(static_cast<double>(side.info.batch_size) /
                  static_cast<double>(base.info.batch_size));
}

Estimate shifted(Estimate estimate, double by) {
  estimate.value += by;
  estimate.interval.low += by;
  estimate.interval.high += by;
  return estimate;
}

class Judge {
 public:
  Judge(size_t base, size_t side, const JudgeInputs& inputs)
      : base_(base), side_(side), inputs_(inputs) {}

  Comparison run() {
    Comparison comparison{.base = base_, .candidate = side_};
    for (const CompareRow& row : inputs_.plan.rows) add(row);
    judge_units();
    for (size_t i = 0; i < units_.size(); ++i) {
      if (inputs_.plan.rows[i].is_model) {
        comparison.model = std::move(units_[i]);
      } else {
        comparison.units.push_back(std::move(units_[i]));
      }
    }
    std::ranges::stable_sort(comparison.units, [](const CompareUnit& a, const CompareUnit& b) {
      return total(a) > total(b);
    });
    comparison.differences = differences_of(inputs_.sides[base_], inputs_.sides[side_]);
    return comparison;
  }

 private:
  static double total(const CompareUnit& unit) {
    return unit.base ? unit.base->median_ms * static_cast<double>(unit.count) : 0;
  }

  void add(const CompareRow& row) {
    CompareUnit& unit = units_.emplace_back(described(row, inputs_.sides.front()));
    evidence_.emplace_back();
    for (const size_t side : {side_, base_}) {
      if (row.item && row.place[side]) continue;
      unit.reason = row.reasons[side].empty() ? "not measured" : row.reasons[side];
      unit.has_failed = row.failed[side];
      return;
    }
    unit.remark = remarks_of(row, inputs_.sides[base_], base_, inputs_.sides[side_], side_);
    const PairedItemResult& result = inputs_.times.items[*row.item];
    if (!result.times) {
      unit.reason = to_text(*result.failure);
      const bool is_refused = result.failure->kind == FailureKind::kUnsupported;
      unit.is_cancelled = result.failure->kind == FailureKind::kCancelled;
      unit.has_failed = !is_refused && !unit.is_cancelled && !inputs_.times.interrupted;
      return;
    }
    fill(unit, row, *result.times);
  }

  void fill(CompareUnit& unit, const CompareRow& row, const PairedTimes& times) {
    unit.base = times.sides[*row.place[base_]];
    unit.candidate = times.sides[*row.place[side_]];
    unit.rounds = times.rounds;
    for (const auto& [cause, count] : times.dropped) unit.dropped_rounds += count;
    const auto floor = unit_floor(floor_key(row, inputs_.sides), inputs_.control, inputs_.kept);
    if (floor) unit.floor_percent = 100 * *floor;
    const Estimate ratio = log_ratio(row, times);
    unit.ratio =
        Ratio{std::exp(ratio.value), std::exp(ratio.interval.low), std::exp(ratio.interval.high)};
    unit.margin_percent = 100 * margin_of(inputs_.margin, floor);
    unit.reason = why_no_verdict(unit.base->clock, unit.candidate->clock);
    if (unit.reason.empty()) {
      unit.reason = too_short(unit, inputs_.sides[base_], inputs_.sides[side_]);
    }
    if (unit.reason.empty()) {
      evidence_.back() = Evidence{ratio, floor, times.spent.count()};
    }
  }

  Estimate log_ratio(const CompareRow& row, const PairedTimes& times) const {
    if (base_ == 0) return log_ratio_in(row, side_, inputs_.sides, times);
    Estimate ratio =
        log_ratio_of(usable_rounds(times.made), *row.place[side_], inputs_.seed, *row.place[base_]);
    return shifted(ratio, -log_batches(inputs_.sides[side_], inputs_.sides[base_]));
  }

  // The units are one list; the model is judged by itself.
  void judge_units() {
    const VerdictRule rule{.margin = inputs_.margin};
    std::vector<Evidence> list;
    std::vector<size_t> index;
    for (size_t i = 0; i < units_.size(); ++i) {
      if (!evidence_[i]) continue;
      if (inputs_.plan.rows[i].is_model) {
        apply(units_[i], judge_one(*evidence_[i], rule));
        continue;
      }
      list.push_back(*evidence_[i]);
      index.push_back(i);
    }
    const std::vector<JudgedRatio> judgements = judge(list, rule);
    for (size_t i = 0; i < index.size(); ++i) apply(units_[index[i]], judgements[i]);
  }

  static void apply(CompareUnit& unit, const JudgedRatio& judgement) {
    unit.ratio = judgement.ratio;
    unit.margin_percent = 100 * judgement.margin;
    unit.verdict = judgement.verdict;
    unit.reason = judgement.reason;
    unit.needs_s = judgement.needs_s;
  }

  size_t base_, side_;
  const JudgeInputs& inputs_;
  std::vector<CompareUnit> units_;
  std::vector<std::optional<Evidence>> evidence_;
};

}  // namespace

FloorKey floor_key(const CompareRow& row, const std::vector<PreparedVariant>& sides) {
  const PreparedVariant& base = sides.front();
  const std::string name =
      row.is_model ? base.model : workload_text(base.units[*row.match.units.front()].identity);
  return {name, base.info.engine, base.info.threads};
}

FloorRun control_of(const std::vector<PreparedVariant>& sides, const ComparePlan& plan,
                    const PairedResult& times, std::string timestamp, std::string noise_class) {
  FloorRun run{std::move(timestamp), std::move(noise_class), {}};
  for (const CompareRow& row : plan.rows) {
    if (!row.item || !row.control || !times.items[*row.item].times) continue;
    const Estimate& ratio = times.items[*row.item].times->log_ratios[*row.control - 1];
    if (ratio.degrees > 0) run.units.push_back(floor_unit_of(floor_key(row, sides), ratio));
  }
  return run;
}

Estimate log_ratio_in(const CompareRow& row, size_t side, const std::vector<PreparedVariant>& sides,
                      const PairedTimes& times) {
  return shifted(times.log_ratios[*row.place[side] - 1], -log_batches(sides[side], sides.front()));
}

Comparison compare_with_base(size_t side, const JudgeInputs& inputs) {
  return Judge(0, side, inputs).run();
}

Comparison compare_new_sides(size_t first, size_t second, const JudgeInputs& inputs) {
  return Judge(first, second, inputs).run();
}

}  // namespace opbench
