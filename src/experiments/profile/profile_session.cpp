#include "experiments/profile/profile_session.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "base/errors/error_line.h"
#include "base/system/seconds.h"
#include "experiments/compare/kernel_decision.h"
#include "experiments/profile/model_times.h"
#include "experiments/profile/run_findings.h"
#include "experiments/sessions/model/model_nodes.h"
#include "experiments/sessions/refused_engine.h"
#include "experiments/sessions/request/profile_request.h"
#include "experiments/sessions/request/replay_request.h"
#include "experiments/sessions/rows.h"
#include "experiments/sessions/run_identity.h"
#include "experiments/sessions/sampling_options.h"
#include "experiments/sessions/session.h"
#include "experiments/unit_times/in_place_rounds.h"
#include "machine/ceilings/ceilings.h"
#include "machine/ceilings/line_time.h"
#include "machine/facts/environment.h"
#include "machine/settings/settings_in_force.h"
#include "measuring/sampling/call_audit.h"
#include "measuring/sampling/line_watch.h"
#include "model/operators/workloads/workload.h"
#include "prediction/costs/expected_seconds.h"

namespace opbench {
namespace {

// Of an engine run's budget; the rest goes to the units alone.
constexpr double kInPlaceShare = 0.4;

// For the units of all engines, however much the models have taken.
constexpr double kFewestUnitSeconds = 1;

// Of each engine, for its model in place.
constexpr int kModelProcesses = 3;

// One `profile` or `op` from the request to the result, in the order of its member functions.
class ProfileSession {
 public:
  /// `begin`: when its preparation began, by a SteadyClock.
  ProfileSession(const ProfileRequest& request, Session& session, Seconds begin)
      : request_(request), session_(session), begin_(begin) {}

  Result<ProfileResult> run() {
    describe_machine();
    OPBENCH_CHECK(add_ceilings());
    OPBENCH_TRY(result_.unchecked, session_.check());
    start_processes();
    const Seconds prepared = clock_.now();
    measure();
    result_.preparation_ms = to_ms(prepared - begin_);
    result_.measuring_ms = to_ms(clock_.now() - prepared);
    result_.warnings = std::move(session_.warnings());
    for (EngineRun& engine_run : session_.engine_runs()) {
      for (std::string& warning : engine_run.built.warnings)
        result_.warnings.push_back(std::move(warning));
      result_.engines.push_back(std::move(engine_run.found.result));
    }
    for (const RefusedVariant& refused : session_.refused()) {
      result_.engines.push_back(refused_result(refused.variant.engine, refused.variant.threads,
                                               refused.cpus, refused.error));
    }
    if (session_.is_cancelled()) {
      result_.warnings.push_back("interrupted: what was measured until then");
    }
    return std::move(result_);
  }

 private:
  void describe_machine() {
    const Environment environment = capture_environment();
    machine_hash_ = environment.machine_hash;
    const Model& model = session_.model();
    result_.environment = environment;
    result_.timestamp = utc_now();
    result_.model = model.name;
    result_.workload = request_.model.workload;
    result_.source = model.source;
    result_.sha256 = model.sha256;
    result_.graph = nodes_of(model.graph);
    result_.scope = request_.model.workload.empty() ? "model" : "unit";
    result_.target = display_text(session_.target());
    result_.batch_size = std::max<int64_t>(request_.model.extents.batch_size, 1);
    result_.seed = request_.model.seed;
    result_.cache = name_of(request_.measure.cache);
    result_.argv = request_.notes.argv;
    result_.labels = request_.notes.labels;
    result_.metrics = request_.notes.metrics;
    result_.percentiles = request_.measure.percentiles;
    for (const auto& [name, tensor] : session_.inputs()) {
      result_.inputs.emplace_back(name, tensor.type.shape);
    }
    result_.run_id = run_id_of(result_.timestamp, result_.sha256);
    preflight_ = run_preflight(Seconds(request_.measure.budget_s));
    result_.noise = preflight_.advice;
  }

  Result<void> add_ceilings() {
    for (const int threads : request_.threads) {
      OPBENCH_TRY(const std::vector<int> cpus,
                  cpus_of(session_.topology(), request_.settings, threads));
      OPBENCH_TRY(ceilings_[threads],
                  ceilings(cpus, session_.topology(), machine_hash_, session_.cache()));
    }
    for (EngineRun& engine_run : session_.engine_runs()) {
      const int threads = engine_run.found.result.threads;
      for (const BandwidthCeiling& level : ceilings_of(engine_run).bandwidth) {
        engine_run.found.result.memory_gbytes_per_s =
            threads == 1 ? level.one_thread : level.all_threads;
      }
    }
    return {};
  }

  /// None under an emulator and on another device: nothing is known to bound a time there.
  const Ceilings& ceilings_of(const EngineRun& engine_run) {
    static const Ceilings none;
    const EngineResult& result = engine_run.found.result;
    // Of its device the engine tells only once it runs.
    const bool is_on_device =
        std::ranges::count(engine_run.asked.definition.device_kinds, "cpu") == 0;
    if (!result.emulator.empty() || is_on_device || !result.device.empty()) return none;
    return ceilings_[result.threads];
  }

  int processes() const { return preflight_.noise == NoiseClass::kHostile ? 5 : 3; }

  // Loading, and what engines do once at their first call, is not paid for by the budget.
  void start_processes() {
    const auto count = static_cast<int64_t>(session_.engine_runs().size());
    for (int64_t i = 0; i < count && !session_.is_cancelled(); ++i) {
      EngineRun& engine_run = session_.engine_runs()[static_cast<size_t>(i)];
      session_.report("start", engine_run.asked.definition.name, "", i, count);
      const bool is_needed = may_time_model(engine_run) || !engine_run.built.groups.empty();
      const int all = request_.measure.measures_units ? processes() : kModelProcesses;
      // What does not start fails again, with its reason, where it is needed.
      if (is_needed) static_cast<void>(session_.runner().start(static_cast<int>(i), all));
    }
    session_.describe_engines();
    for (size_t i = 0; i < session_.engine_runs().size(); ++i) {
      if (!may_time_model(session_.engine_runs()[i])) continue;
      in_place_runs_.engine_runs.push_back(&session_.engine_runs()[i]);
      in_place_runs_.engines.push_back(static_cast<int>(i));
    }
    started_ = warm_up_in_place(in_place_runs_, session_.runner(), clock_, round_options("start"));
  }

  void measure() {
    const Seconds begin = clock_.now();
    const std::vector<RunInPlace> in_place = profile_models();
    const SamplingResult samples = sample_units(clock_.now() - begin, in_place);
    for (size_t i = 0; i < session_.engine_runs().size(); ++i) {
      EngineRun& engine_run = session_.engine_runs()[i];
      note_left_behind(engine_run, session_.runner().left_behind(static_cast<int>(i)));
      if (engine_run.found.result.emulator.empty() && engine_run.found.result.device.empty()) {
        engine_run.found.result.peak_gflops = remeasure_peak(engine_run.asked.options.cpus);
      }
      add_model_times(engine_run, in_place[i]);
      if (engine_run.built.model_item)
        engine_run.found.result.model.alone = samples.items[*engine_run.built.model_item].time;
      if (in_place[i].lacks_profiler()) take_whole_time(engine_run.found.result.model);
      refuse_impossible_model(engine_run, session_.model(), ceilings_of(engine_run));
      std::vector<double> unit_s;
      if (in_place[i].times) {
        for (const double ms : in_place[i].times->units_ms) unit_s.push_back(ms_to_s(ms));
        engine_run.found.in_place_error_ms = in_place[i].times->units_error_ms;
      }
      if (engine_run.built.units.empty() && !in_place[i].units.empty()) {
        fill_rows_of_engine(engine_run, Json::parse(in_place[i].units), unit_s,
                            ceilings_of(engine_run), session_.model());
      } else {
        fill_rows(engine_run, samples, unit_s, ceilings_of(engine_run));
      }
    }
  }

  bool may_time_model(const EngineRun& engine_run) const {
    return engine_run.built.has_model && engine_run.found.result.model.end_to_end_reason.empty();
  }

  RoundOptions round_options(const std::string& stage) const {
    RoundOptions options;
    const double share = request_.measure.measures_units ? kInPlaceShare : 1;
    options.budget = Seconds(request_.measure.budget_s * share);
    options.processes = kModelProcesses;
    options.runs = request_.measure.runs;
    options.warm_up = request_.measure.warm_up;
    options.seed = request_.model.seed;
    options.clock_step_ms = to_ms(preflight_.clock_resolution);
    options.noise_percent = preflight_.cv_percent;
    options.cancel = request_.hooks.cancel;
    options.progress = [this, stage](size_t engine_run, int done, int total) {
      session_.report(stage, in_place_runs_.engine_runs[engine_run]->asked.definition.name,
                      session_.model().name, done, total);
    };
    return options;
  }

  // By engine run of the session.
  std::vector<RunInPlace> profile_models() {
    std::vector<RunInPlace> found = profile_in_rounds(
        in_place_runs_, session_.runner(), clock_, round_options("profile"), std::move(started_));
    std::vector<RunInPlace> result(session_.engine_runs().size());
    for (size_t i = 0; i < found.size(); ++i) {
      const int engine = in_place_runs_.engines[i];
      if (!found[i].failure) found[i].failure = look_again(engine);
      if (found[i].failure) found[i].times.reset();
      result[static_cast<size_t>(engine)] = std::move(found[i]);
    }
    return result;
  }

  // In a process that did not run the check and has not seen these inputs.
  std::optional<Failure> look_again(int engine) {
    constexpr int kMeasured = 1;
    const auto& audit = session_.engine_runs()[static_cast<size_t>(engine)].built.model_audit;
    if (!audit || session_.is_cancelled()) return {};
    const auto call = [&](const std::string& method, const Json& params, Seconds limit) {
      return session_.runner().call(engine, kMeasured, kModelPreparation, method, params, limit);
    };
    if (auto found =
            audit_again(call, *audit, session_.folder() / fmt::format("audit-{}", engine))) {
      return found;
    }
    return account_calls(
        call, [&] { return session_.runner().use(engine, kMeasured); },
        session_.engine_runs()[static_cast<size_t>(engine)].asked.options.threads);
  }

  // The budget of all engine runs, less what the models have spent of it.
  Seconds units_budget(Seconds spent) {
    double share = 0;
    for (const EngineRun& engine_run : session_.engine_runs()) {
      if (engine_run.built.groups.empty() && !engine_run.built.model_item) continue;
      share += engine_run.built.has_model ? 1 - kInPlaceShare : 1;
    }
    const double left_s =
        request_.measure.budget_s * static_cast<double>(session_.engine_runs().size()) -
        spent.count();
    const double most_s = request_.measure.budget_s * share;
    const double least_s = std::min(most_s, kFewestUnitSeconds);
    return Seconds(std::clamp(left_s, least_s, most_s));
  }

  SamplingResult sample_units(Seconds spent, const std::vector<RunInPlace>& in_place) {
    std::vector<SamplingItem> items;
    for (size_t i = 0; i < session_.engine_runs().size(); ++i) {
      EngineRun& engine_run = session_.engine_runs()[i];
      for (UnitGroup& group : engine_run.built.groups) {
        if (request_.measure.measures_units && !group.failure) add_item(i, group, items);
      }
      add_whole(i, in_place[i].lacks_profiler(), items);
    }
    SamplingOptions options = sampling_options(request_.measure, request_.model.seed, preflight_);
    options.budget = units_budget(spent);
    options.processes = processes();
    options.times_single_calls = !request_.measure.percentiles.empty();
    SamplingHooks hooks;
    hooks.should_stop = [this] { return session_.is_cancelled(); };
    LineWatch lines(session_.topology(), widest_cpus(), line_time_ns);
    hooks.progress = [&](const SamplingProgress& progress) {
      lines.look(clock_.now());
      if (!request_.hooks.progress) return;
      const SamplingItem& item = items[progress.item];
      request_.hooks.progress(
          {"measure",
           session_.engine_runs()[static_cast<size_t>(item.engine)].asked.definition.name, item.id,
           static_cast<int64_t>(progress.done), static_cast<int64_t>(progress.total),
           progress.median_ms, progress.half_width_percent, progress.remaining.count()});
    };
    SamplingResult result = sample_items(items, session_.runner(), clock_, options, hooks);
    const std::string apart = lines.warning();
    if (!apart.empty()) session_.warnings().push_back(apart);
    return result;
  }

  // Where the engine run with most threads runs.
  std::vector<int> widest_cpus() {
    const auto count = [](const EngineRun& engine_run) {
      return engine_run.asked.options.cpus.size();
    };
    const auto widest = std::ranges::max_element(session_.engine_runs(), {}, count);
    return widest == session_.engine_runs().end() ? std::vector<int>() : widest->asked.options.cpus;
  }

  void add_item(size_t index, UnitGroup& group, std::vector<SamplingItem>& items) {
    const EngineRun& engine_run = session_.engine_runs()[index];
    const PreparedUnit& unit = engine_run.built.units[group.members.front()];
    SamplingItem item;
    item.id = unit.identity.operator_text;
    item.engine = static_cast<int>(index);
    item.threads = engine_run.found.result.threads;
    item.is_optional = request_.model.workload.empty() && may_time_model(engine_run);
    if (unit.identity.workload) {
      item.expected_s = expected_seconds(*unit.identity.workload);
      item.weight = item.expected_s * static_cast<double>(group.members.size());
    }
    group.item = session_.runner().add(
        {static_cast<int>(index), group.preparation, group.unit_id, item.expected_s, group.audit});
    items.push_back(std::move(item));
  }

  // What engines are ranked by when they run a single workload in several parts, or in one that
  // they do not run alone: all of it, in the cache mode of the run. And the only time of a model
  // that an engine without a profiler has.
  void add_whole(size_t index, bool lacks_profiler, std::vector<SamplingItem>& items) {
    EngineRun& engine_run = session_.engine_runs()[index];
    const bool is_one_unit =
        engine_run.built.groups.size() == 1 && engine_run.built.groups[0].members.size() == 1;
    const bool is_ranked =
        request_.measure.measures_units && !request_.model.workload.empty() && !is_one_unit;
    if ((!is_ranked && !lacks_profiler) || !may_time_model(engine_run)) return;
    SamplingItem item;
    item.id = request_.model.workload.empty() ? session_.model().name : request_.model.workload;
    item.engine = static_cast<int>(index);
    item.threads = engine_run.found.result.threads;
    const auto workload = parse_workload(request_.model.workload);
    if (workload) item.expected_s = item.weight = expected_seconds(*workload);
    engine_run.built.model_item = items.size();
    session_.runner().add(
        {item.engine, kModelPreparation, {}, item.expected_s, engine_run.built.model_audit});
    items.push_back(std::move(item));
  }

  void take_whole_time(ModelResult& model) const {
    if (!model.alone || request_.measure.cache != CacheMode::kHot) return;
    model.end_to_end = model.alone;
    model.end_to_end_reason.clear();
    if (request_.model.workload.empty()) model.alone.reset();
  }

  const ProfileRequest& request_;
  Session& session_;
  ProfileResult result_;
  std::string machine_hash_;
  SteadyClock clock_;
  Seconds begin_;
  Preflight preflight_;
  InPlaceRuns in_place_runs_;
  std::vector<RunInPlace> started_;
  std::map<int, Ceilings> ceilings_;
};

Result<ProfileResult> run(const ProfileRequest& request, PackageKeeper* keeper,
                          const ProfileLook& look = {}) {
  SettingFiles files = SettingFiles::of_machine();
  OPBENCH_TRY(SettingsInForce machine, SettingsInForce::set(files, request.settings.machine));
  std::vector<std::string> notes = machine.remarks();
  OPBENCH_TRY(const ProfileRequest decided, with_decided_kernels(request, request.threads, notes));
  const Seconds begin = SteadyClock().now();
  OPBENCH_TRY(
      const std::unique_ptr<Session> session,
      Session::make(decided.model, variants_of(decided.engines, decided.threads, decided.settings),
                    decided.measure, decided.hooks, {.keeper = keeper, .takes_emulated = true}));
  OPBENCH_TRY(ProfileResult result, ProfileSession(decided, *session, begin).run());
  if (look) OPBENCH_CHECK(look(*session, decided, result));
  result.machine_settings = machine.taken();
  const Result<void> put_back = machine.put_back();
  if (!put_back) notes.push_back(one_line_text(put_back.error()));
  result.warnings.insert(result.warnings.begin(), notes.begin(), notes.end());
  result.request_json = request_json(decided);
  return result;
}

}  // namespace

Result<ProfileResult> run_profile(const ProfileRequest& request) { return run(request, nullptr); }

Result<ProfileResult> run_profile_and_look(const ProfileRequest& request, const ProfileLook& look) {
  return run(request, nullptr, look);
}

Result<ProfileResult> run_profile_in(Session& session, const ProfileRequest& request) {
  OPBENCH_TRY(ProfileResult result, ProfileSession(request, session, SteadyClock().now()).run());
  result.request_json = request_json(request);
  return result;
}

Result<ProfileResult> run_profile_with(const ProfileRequest& request, PackageKeeper& keeper) {
  return run(request, &keeper);
}

}  // namespace opbench
