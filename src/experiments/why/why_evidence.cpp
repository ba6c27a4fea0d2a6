#include "experiments/why/why_evidence.h"

#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/system/seconds.h"
#include "experiments/sessions/check/cold_check.h"
#include "experiments/sessions/model/memory_need.h"
#include "experiments/sessions/rows.h"
#include "experiments/why/kernel_evidence.h"
#include "machine/facts/environment.h"

namespace opbench {
namespace {

double cached_bytes_of(const Ceilings& ceilings) {
  double bytes = 0;
  for (const BandwidthCeiling& level : ceilings.bandwidth) {
    if (level.level == "DRAM") continue;
    bytes = capacity_of(level);
  }
  return bytes;
}

// What another engine calls its own way to compute the unit.
std::string own_name(Session& session, size_t engine_run, const UnitGroup& group) {
  constexpr int kFirst = 0;
  const auto reply =
      session.runner().prepared(static_cast<int>(engine_run), kFirst, group.preparation);
  if (!reply || !reply->is_object()) return "";
  const Json units = reply->value("units", Json::array());
  if (!units.is_array() || units.size() != 1 || !units[0].is_object()) return "";
  const Json name = units[0].value("implementation", Json());
  return name.is_string() ? name.get<std::string>() : "";
}

// The facts of one engine run, unit by unit.
class FactsOfRun {
 public:
  FactsOfRun(Session& session, size_t index, const EngineResult& result, WhyCeilings known)
      : session_(session),
        index_(index),
        engine_run_(session.engine_runs()[index]),
        result_(result),
        known_(std::move(known)) {}

  UnitFacts of(const UnitGroup& group) {
    const PreparedUnit& unit = engine_run_.built.units[group.members.front()];
    const UnitResult row = untimed_row(engine_run_, group);
    UnitFacts facts{.identity = row.identity};
    UnitEvidence& e = facts.evidence;
    e.threads = result_.threads;
    e.cpus = static_cast<int>(std::max<size_t>(result_.cpus.size(), 1));
    e.dispatch_ms = result_.call_floor_ms;
    e.ceilings = known_.ceilings;
    e.machine_bits = known_.vector_bits;
    e.peak_gflops = whole_peak();
    e.flops = row.flops.value_or(0);
    e.bytes = row.bytes.value_or(0);
    e.is_layout_change = row.identity.is_layout_change();
    e.runs_reference = row.identity.schedule == kReferenceSchedule;
    if (row.identity.workload) {
      e.fetched_bytes = bytes_to_fetch(*row.identity.workload, engine_run_.asked.cache);
    }
    add_kernel(unit, facts);
    if (facts.implementation.empty() && group.unit_id == std::nullopt) {
      facts.implementation = own_name(session_, index_, group);
    }
    return facts;
  }

 private:
  void add_kernel(const PreparedUnit& unit, UnitFacts& facts) {
    const std::optional<KernelSpec> spec = kernel_spec_of(engine_run_, unit);
    if (facts.evidence.runs_reference) facts.implementation = "the references of its operators";
    if (!spec) return;
    facts.evidence.kernel = kernel_evidence(*spec, session_.cache());
    facts.implementation = facts.evidence.kernel->schedule;
    facts.evidence.narrow_peak_ratio = ratio_of(facts.evidence.kernel->target_bits);
    // A unit that is a model of its own takes and gives dense tensors.
    if (unit.identity.blocks.empty()) facts.evidence.converted_bytes = converted_bytes(*spec);
  }

  // The peak with the widest vectors of the machine: OPBENCH_CPU may have held the loops to others.
  double whole_peak() {
    if (peak_ <= 0) {
      const std::optional<double> now =
          result_.peak_gflops ? result_.peak_gflops : remeasure_peak(result_.cpus);
      const Ceilings& known = known_.ceilings;
      peak_ = now.value_or(result_.threads == 1 ? known.peak_one_thread : known.peak_all_threads) /
              ratio_of(known_.measured_bits);
    }
    return peak_;
  }

  double ratio_of(int bits) {
    const auto known = ratios_.find(bits);
    if (known != ratios_.end()) return known->second;
    return ratios_[bits] = narrow_peak_ratio(bits, known_, result_.cpus);
  }

  Session& session_;
  size_t index_;
  const EngineRun& engine_run_;
  const EngineResult& result_;
  WhyCeilings known_;
  double peak_ = 0;
  std::map<int, double> ratios_;
};

bool is_same_change(const UnitIdentity& a, const UnitIdentity& b) {
  return a.nodes.empty() && b.nodes.empty() && workload_text(a) == workload_text(b) &&
         short_shapes(a) == short_shapes(b);
}

}  // namespace

const UnitFacts* RunFacts::find(const UnitIdentity& identity) const {
  const auto has = [&](const UnitFacts& unit) {
    if (identity.nodes.empty()) return is_same_change(unit.identity, identity);
    return std::ranges::count(unit.identity.nodes, identity.nodes.front()) > 0;
  };
  const auto found = std::ranges::find_if(units, has);
  return found == units.end() ? nullptr : &*found;
}

Result<RunFacts> facts_of_run(Session& session, size_t engine_run, const EngineResult& result) {
  OPBENCH_TRY(WhyCeilings known, why_ceilings(result.cpus, session.topology(),
                                              capture_environment().machine_hash, session.cache()));
  RunFacts facts;
  facts.remark = known.remark;
  facts.weight_bytes = weight_bytes(session.model().graph);
  facts.cached_bytes = cached_bytes_of(known.ceilings);
  FactsOfRun of_run(session, engine_run, result, std::move(known));
  for (const UnitGroup& group : session.engine_runs()[engine_run].built.groups) {
    facts.units.push_back(of_run.of(group));
  }
  return facts;
}

Explanation explain(const RunFacts& run, const UnitFacts& unit, const RowTime& time) {
  UnitEvidence evidence = unit.evidence;
  evidence.time_ms = time.ms;
  evidence.waiting_ms = time.waiting_ms;
  if (time.is_in_model) {
    // Calls of units follow each other in the engine; its caches are as the model leaves them.
    evidence.dispatch_ms = 0;
    evidence.fetched_bytes = 0;
  }
  const double weights = evidence.kernel ? evidence.kernel->work.weight_bytes : 0;
  const double read = time.is_in_model ? std::max(run.weight_bytes, weights) : weights;
  const bool is_streamed = run.cached_bytes > 0 && read > run.cached_bytes;
  if (is_streamed && evidence.fetched_bytes <= 0) evidence.streamed_bytes = weights;
  Explanation explanation;
  explanation.split = split_time(evidence);
  explanation.causes = causes_of(evidence, explanation.split);
  explanation.implementation = unit.implementation;
  if (evidence.kernel) {
    explanation.hot = evidence.kernel->code.hot;
    explanation.no_code = evidence.kernel->no_code;
  } else {
    explanation.no_code =
        evidence.runs_reference ? "the operators' references run" : "the code is not ours";
  }
  return explanation;
}

RowTime unit_time_of(const Measurement& time, int threads) {
  RowTime result{.ms = time.median_ms};
  double waited_s = 0, calls = 0;
  for (const Sample& sample : time.samples) {
    if (!sample.flag.empty() || !sample.waited_s) continue;
    waited_s += *sample.waited_s;
    calls += static_cast<double>(time.number);
  }
  if (calls > 0) result.waiting_ms = s_to_ms(waited_s / calls) / std::max(threads, 1);
  return result;
}

}  // namespace opbench
