#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "base/errors/error_line.h"
#include "base/errors/suggestion.h"
#include "engines/catalog/engine_choice.h"
#include "engines/catalog/package_keeper.h"
#include "experiments/sessions/request/replay_request.h"
#include "experiments/sweep/sweep_point.h"
#include "experiments/sweep/sweep_records.h"
#include "experiments/sweep/sweep_request.h"
#include "machine/facts/environment.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

using SweepRunClock = std::chrono::steady_clock;

/// Engines and thread counts that one run still takes: each has processes and memory of its own.
constexpr size_t kMostEngineRuns = 8;
constexpr size_t kMostModelRuns = 4;

/// Beside its budget a run builds, checks and starts processes.
constexpr double kOverheadS = 2;

/// Points of one run, every engine at every thread count.
struct EngineRuns {
  std::vector<std::string> engines;
  std::vector<int> threads;
  std::vector<size_t> points;
};

/// `cache=hot batch=8`, without the keys whose values differ inside one run.
std::string values_text(const std::vector<SweepKey>& keys, const SweepPoint& point) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == "engine" || keys[i].name == "threads") continue;
    parts.push_back(keys[i].name + "=" + point.values[i]);
  }
  return join(parts, " ");
}

class Sweep {
 public:
  explicit Sweep(const SweepRequest& request)
      : request_(request), plan_(request.plan), environment_(capture_environment()) {}

  SweepResult run() {
    describe();
    const std::vector<SweepGroup> groups = plan_.groups();
    take_over(groups);
    for (const SweepGroup& group : groups) {
      for (const EngineRuns& engine_runs : runs_of(group)) {
        if (is_over()) break;
        measure(engine_runs);
      }
    }
    for (auto& [index, point] : points_) result_.points.push_back(std::move(point));
    return std::move(result_);
  }

 private:
  bool is_over() const { return is_stopped_ || (request_.cancel != nullptr && *request_.cancel); }

  void describe() {
    const ProfileRequest& base = plan_.base();
    result_.model = base.model.name;
    result_.workload = base.model.workload;
    if (base.model.workload.empty()) result_.source = base.model.is_zoo ? "zoo" : base.model.name;
    result_.target = base.settings.target;
    result_.seed = base.model.seed;
    result_.cache = name_of(base.measure.cache);
    result_.argv = request_.argv;
    result_.keys = plan_.keys();
    result_.total = plan_.size();
    result_.environment = environment_;
  }

  void add(SweepPoint point) {
    if (request_.finished) request_.finished(point);
    points_.insert_or_assign(point.index, std::move(point));
  }

  void take_over(const std::vector<SweepGroup>& groups) {
    if (request_.recorded.empty()) return;
    const RecordedPoints recorded(request_.recorded, environment_.machine_hash);
    const std::string software = environment_.software_hash;
    size_t others = 0;
    for (const SweepGroup& group : groups) {
      for (const size_t index : group.points) {
        SweepPoint point = plan_.point(index);
        const Result<ProfileRequest> single = plan_.request(index);
        if (!single || !recorded.fill(*single, point)) continue;
        if (recorded.is_other_software(*single, point, software)) ++others;
        add(std::move(point));
      }
    }
    if (others > 0) {
      result_.warnings.push_back(fmt::format(
          "{} of the points on record were measured with other software than this", others));
    }
    left_ = plan_.size() - points_.size();
  }

  /// The points of a group that are not there yet, in as few runs as go.
  std::vector<EngineRuns> runs_of(const SweepGroup& group) const {
    std::vector<EngineRuns> rows;  // one a thread count
    for (const size_t index : group.points) {
      if (points_.contains(index)) continue;
      const SweepPoint point = plan_.point(index);
      auto row = std::ranges::find(rows, std::vector{point.threads}, &EngineRuns::threads);
      if (row == rows.end()) row = rows.insert(rows.end(), {.threads = {point.threads}});
      row->engines.push_back(point.engine);
      row->points.push_back(index);
    }
    const bool is_product = std::ranges::all_of(
        rows, [&](const EngineRuns& row) { return row.engines == rows.front().engines; });
    const size_t most = plan_.base().model.workload.empty() ? kMostModelRuns : kMostEngineRuns;
    if (!rows.empty() && needs_plan(rows[0].points.front())) return rows;
    if (rows.size() < 2 || !is_product || rows.size() * rows[0].engines.size() > most) {
      return rows;
    }
    for (size_t i = 1; i < rows.size(); ++i) {
      rows[0].threads.push_back(rows[i].threads[0]);
      rows[0].points.insert(rows[0].points.end(), rows[i].points.begin(), rows[i].points.end());
    }
    rows.resize(1);
    return rows;
  }

  bool needs_plan(size_t index) const {
    const Result<ProfileRequest> request = plan_.request(index);
    return request && has_streams(request->settings);
  }

  static std::vector<EngineRuns> one_by_one(const EngineRuns& engine_runs) {
    std::vector<EngineRuns> all;
    for (size_t t = 0; t < engine_runs.threads.size(); ++t) {
      for (size_t e = 0; e < engine_runs.engines.size(); ++e) {
        const size_t point = engine_runs.points[t * engine_runs.engines.size() + e];
        all.push_back({{engine_runs.engines[e]}, {engine_runs.threads[t]}, {point}});
      }
    }
    return all;
  }

  void fail(const EngineRuns& engine_runs, const Error& error) {
    for (const size_t index : engine_runs.points) {
      SweepPoint point = plan_.point(index);
      point.failure = one_line_text(error);
      if (error.code == ErrorCode::kEnvironment) keep_refusal(point);
      add(std::move(point));
    }
  }

  /// A setting of the machine that was refused is on record with its reason.
  void keep_refusal(const SweepPoint& point) {
    const auto single = plan_.request(point.index);
    if (!request_.keep || !single || single->settings.machine.empty()) return;
    if (!request_.keep(refusal_records(*single, point, environment_))) is_stopped_ = true;
  }

  void measure(const EngineRuns& engine_runs) {
    const size_t count = engine_runs.points.size();
    auto request = plan_.request(engine_runs.points.front());
    if (!request) {
      fail(engine_runs, request.error());
      left_ -= count;
      return;
    }
    request->engines = engine_runs.engines;
    request->threads = engine_runs.threads;
    request->hooks.cancel = request_.cancel;
    started_ = SweepRunClock::now();
    const SweepPoint first = plan_.point(engine_runs.points.front());
    request->hooks.progress = [&](const Progress& inner) { report(inner, first, count); };
    report({.stage = "start"}, first, count);
    Result<ProfileResult> result = profile(*request);
    if (!result && result.error().code == ErrorCode::kInterrupted) {
      is_stopped_ = true;
      return;
    }
    if (!result && count > 1) {
      for (const EngineRuns& engine_run : one_by_one(engine_runs)) {
        if (!is_over()) measure(engine_run);
      }
      return;
    }
    left_ -= count;
    if (!result) {
      fail(engine_runs, result.error());
      return;
    }
    spent_s_ += std::chrono::duration<double>(SweepRunClock::now() - started_).count();
    measured_ += count;
    if (result->request_json.empty()) result->request_json = request_json(*request);
    take(engine_runs, *result, request->measure.cache);
  }

  Result<ProfileResult> profile(ProfileRequest& request) {
    const bool is_ours = std::ranges::count(request.engines, package_engine().name) > 0;
    if (is_ours && has_streams(request.settings) && request_.find_plan) {
      OPBENCH_CHECK(request_.find_plan(request));
    }
    return request_.profile ? request_.profile(request) : run_profile_with(request, keeper_);
  }

  void take(const EngineRuns& engine_runs, const ProfileResult& result, CacheMode cache) {
    const bool is_cut = request_.cancel != nullptr && *request_.cancel;
    result_.noise = result.noise;
    result_.target = result.target;
    result_.environment = result.environment;
    if (result_.timestamp.empty()) result_.timestamp = result.timestamp;
    for (const std::string& warning : result.warnings) {
      const bool is_known = std::ranges::find(result_.warnings, warning) != result_.warnings.end();
      if (!is_cut && !is_known) result_.warnings.push_back(warning);
    }
    std::vector<SweepPoint> points;
    std::vector<BenchmarkRecord> records;
    for (const size_t index : engine_runs.points) {
      SweepPoint point = plan_.point(index);
      const EngineResult* engine = engine_of(result, point);
      if (engine == nullptr) {
        point.failure = "the engine gave no result";
      } else {
        fill_point(point, *engine, cache);
        if (!is_cut) add_records(result, *engine, point, records);
      }
      point.is_interrupted = is_cut;
      points.push_back(std::move(point));
    }
    assign_record_ids(records);
    // A run that was cut short is not on record: it would count as measured.
    if (!is_cut && request_.keep && !request_.keep(records)) is_stopped_ = true;
    for (SweepPoint& point : points) {
      if (!is_cut || point.time) add(std::move(point));
    }
  }

  static const EngineResult* engine_of(const ProfileResult& result, const SweepPoint& point) {
    const auto found = std::ranges::find_if(result.engines, [&](const EngineResult& engine) {
      return engine.engine == point.engine && engine.threads == point.threads;
    });
    return found == result.engines.end() ? nullptr : &*found;
  }

  void add_records(const ProfileResult& result, const EngineResult& engine, const SweepPoint& point,
                   std::vector<BenchmarkRecord>& records) const {
    ProfileResult engine_run = result;
    engine_run.engines = {engine};
    if (const auto single = plan_.request(point.index)) engine_run.argv = single->notes.argv;
    Result<std::vector<BenchmarkRecord>> made = records_of(engine_run);
    if (!made) return;
    add_end_to_end(point, *made);
    for (BenchmarkRecord& record : *made) records.push_back(std::move(record));
  }

  /// Seconds until all points are measured, those of this run included.
  double eta_s(size_t in_this_run) const {
    const double each = measured_ > 0 ? spent_s_ / static_cast<double>(measured_)
                                      : plan_.base().measure.budget_s + kOverheadS;
    const double now = std::chrono::duration<double>(SweepRunClock::now() - started_).count();
    const double this_run = std::max(0.0, each * static_cast<double>(in_this_run) - now);
    return this_run + each * static_cast<double>(left_ - in_this_run);
  }

  void report(const Progress& inner, const SweepPoint& first, size_t in_this_run) const {
    if (!request_.progress) return;
    Progress progress = inner;
    progress.item = values_text(plan_.keys(), first);
    progress.done = static_cast<int64_t>(plan_.size() - left_);
    progress.total = static_cast<int64_t>(plan_.size());
    progress.eta_s = eta_s(in_this_run);
    request_.progress(progress);
  }

  const SweepRequest& request_;
  const SweepPlan& plan_;
  const Environment environment_;
  PackageKeeper keeper_;  ///< points of one model share their weights
  SweepResult result_;
  std::map<size_t, SweepPoint> points_;
  size_t left_ = request_.plan.size();  ///< points that are still to be measured
  size_t measured_ = 0;
  double spent_s_ = 0;
  SweepRunClock::time_point started_;
  bool is_stopped_ = false;
};

}  // namespace

SweepResult run_sweep(const SweepRequest& request) { return Sweep(request).run(); }

}  // namespace opbench
