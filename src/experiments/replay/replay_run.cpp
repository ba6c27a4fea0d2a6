#include "experiments/replay/replay_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "base/errors/error_line.h"
#include "experiments/profile/profile_session.h"
#include "experiments/sessions/model/model_source.h"
#include "experiments/sessions/request/replay_request.h"
#include "records/record/profile_records.h"

namespace opbench {
namespace {

tl::unexpected<Failure> failure(std::string text) {
  return tl::make_unexpected(Failure{FailureKind::kRunError, std::move(text)});
}

const EngineResult* engine_of(const ReplayItem& item, const ProfileResult& result) {
  const auto found = std::ranges::find_if(result.engines, [&](const EngineResult& engine) {
    return engine.engine == item.record.engine && engine.threads == item.threads;
  });
  return found == result.engines.end() ? nullptr : &*found;
}

bool is_same_work(const ReplayItem& item, const UnitResult& unit) {
  return workload_name(item.record.engine, unit) == item.record.workload;
}

std::string shapes_of(const BenchmarkRecord& record) {
  if (!record.workload_args) return "";
  const Json args = Json::parse(record.workload_args->text);
  const auto shapes = args.find("shapes");
  return shapes != args.end() && shapes->is_string() ? shapes->get<std::string>() : "";
}

/// Records of other programs do not say in which layouts.
bool has_same_layouts(const ReplayItem& item, const UnitResult& unit) {
  const std::vector<int> layouts = layouts_of(item.identity);
  return layouts.empty() || layouts == layouts_of(unit.identity);
}

/// The unit of a record: the same work in the same shapes and layouts by the same schedule, on the
/// same nodes if there is one.
const UnitResult* unit_of(const ReplayItem& item, const EngineResult& engine) {
  const std::string shapes = shapes_of(item.record);
  const UnitResult* found = nullptr;
  for (const UnitResult& unit : engine.units) {
    if (!is_same_work(item, unit) || short_shapes(unit.identity) != shapes ||
        unit.identity.schedule != item.identity.schedule || !has_same_layouts(item, unit)) {
      continue;
    }
    if (item.record.nodes == unit.identity.nodes) return &unit;
    if (found == nullptr) found = &unit;
  }
  return found;
}

Measurement exactly(double ms) {
  Measurement time;
  time.median_ms = time.low_ms = time.high_ms = time.mean_ms = ms;
  return time;
}

Outcome<Measurement> time_of(const UnitResult& unit, const BenchmarkRecord& record) {
  if (unit.failure) return tl::make_unexpected(*unit.failure);
  const bool is_in_place = record.status == "ok" && !record.runtime_ms_median;
  if (unit.time && !is_in_place) return *unit.time;
  if (unit.in_place_ms) return exactly(*unit.in_place_ms);
  return failure("no time was taken");
}

Outcome<Measurement> time_of_model(const EngineResult& engine) {
  if (engine.model.end_to_end) return *engine.model.end_to_end;
  return failure(engine.model.end_to_end_reason);
}

Result<std::string> sha256_of_model(const ProfileRequest& request) {
  OPBENCH_TRY(const Model model, load_model(request.model, request.measure, request.hooks));
  return model.sha256;
}

class Replay {
 public:
  Replay(std::vector<ReplayRow> rows, const Environment& environment, const ReplayOptions& options,
         const ReplayHooks& hooks)
      : rows_(std::move(rows)), environment_(environment), options_(options), hooks_(hooks) {}

  ReplayResult run() {
    std::vector<bool> is_judged(rows_.size());
    for (size_t i = 0; i < rows_.size() && !is_cancelled(); ++i) {
      if (is_judged[i]) continue;
      const std::vector<size_t> members = run_of(i);
      if (!repeat(members)) break;
      for (const size_t member : members) is_judged[member] = true;
    }
    ReplayResult result;
    result.is_interrupted = is_cancelled();
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (is_judged[i]) result.rows.push_back(std::move(rows_[i]));
    }
    return result;
  }

 private:
  bool is_cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

  /// The rows of the same run. A record without a run is one by itself.
  std::vector<size_t> run_of(size_t index) const {
    const auto& id = rows_[index].item.record.run_id;
    if (!id) return {index};
    std::vector<size_t> members;
    for (size_t i = 0; i < rows_.size(); ++i) {
      const ReplayItem& item = rows_[i].item;
      const bool is_same = item.record.run_id == id && item.request == rows_[index].item.request &&
                           item.record.machine_hash == rows_[index].item.record.machine_hash;
      if (is_same) members.push_back(i);
    }
    return members;
  }

  Result<ProfileRequest> request_for(const std::vector<size_t>& members) const {
    std::vector<const ReplayItem*> items;
    for (const size_t i : members) items.push_back(&rows_[i].item);
    OPBENCH_TRY(ProfileRequest request, replay_request(items));
    request.hooks.user_engines = options_.user_engines;
    request.hooks.progress = options_.progress;
    request.hooks.cancel = options_.cancel;
    if (options_.budget_s) request.measure.budget_s = *options_.budget_s;
    return request;
  }

  bool refuse_all(const std::vector<size_t>& members, const std::string& reason) {
    for (const size_t i : members) {
      rows_[i].verdict = not_comparable(rows_[i].item.record, environment_, reason);
    }
    return true;
  }

  /// False when it was interrupted: then nothing is known.
  bool repeat(const std::vector<size_t>& members) {
    const ReplayItem& first = rows_[members.front()].item;
    std::string reason = why_not_comparable(first);
    if (!reason.empty() && !options_.measures_elsewhere) return refuse_all(members, reason);
    const auto request = request_for(members);
    if (!request) return fail_all(members, request.error());
    const auto sha256 = hooks_.model_sha256(*request);
    if (!sha256) return fail_all(members, sha256.error());
    if (!first.model_sha256.empty() && *sha256 != first.model_sha256) {
      if (reason.empty()) reason = "the model has changed";
      if (!options_.measures_elsewhere) return refuse_all(members, reason);
    }
    const auto result = hooks_.profile(*request);
    if (is_cancelled()) return false;
    if (!result) return fail_all(members, result.error());
    for (const size_t i : members) judge(rows_[i], *result, reason);
    return true;
  }

  std::string why_not_comparable(const ReplayItem& item) const {
    if (is_same_machine(item.record, environment_)) return "";
    return item.record.machine_hash ? "the record is of another machine"
                                    : "the record does not say of which machine it is";
  }

  bool fail_all(const std::vector<size_t>& members, const Error& error) {
    for (const size_t i : members) {
      rows_[i].verdict = not_comparable(rows_[i].item.record, environment_,
                                        "it cannot be run: " + one_line_text(error));
      rows_[i].verdict.outcome = ReplayOutcome::kFailed;
    }
    return true;
  }

  void judge(ReplayRow& row, const ProfileResult& result, const std::string& reason) const {
    const BenchmarkRecord& record = row.item.record;
    const EngineResult* engine = engine_of(row.item, result);
    const bool is_unit = record.scope == "unit";
    const UnitResult* unit = engine != nullptr && is_unit ? unit_of(row.item, *engine) : nullptr;
    if (engine == nullptr || (is_unit && unit == nullptr)) {
      row.verdict = not_comparable(
          record, environment_,
          is_unit ? "the model now runs in other units" : "the engine gave no result");
      return;
    }
    const Outcome<Measurement> now = is_unit ? time_of(*unit, record) : time_of_model(*engine);
    if (now) row.now = *now;
    row.verdict = reason.empty() ? judge_replay(record, now, environment_, options_.margin)
                                 : not_comparable(record, environment_, reason);
    if (!row.item.cpus.empty() && engine->cpus != row.item.cpus) {
      row.verdict.differences.insert(
          row.verdict.differences.begin(),
          {"cpus", Json(row.item.cpus).dump(), Json(engine->cpus).dump()});
    }
  }

  std::vector<ReplayRow> rows_;
  const Environment& environment_;
  const ReplayOptions& options_;
  const ReplayHooks& hooks_;
};

}  // namespace

ReplayHooks replay_hooks() { return {.profile = run_profile, .model_sha256 = sha256_of_model}; }

ReplayResult run_replay(std::vector<ReplayRow> rows, const Environment& environment_now,
                        const ReplayOptions& options, const ReplayHooks& hooks) {
  return Replay(std::move(rows), environment_now, options, hooks).run();
}

}  // namespace opbench
