#include "experiments/interference/interference_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/system/monotonic_clock.h"
#include "base/system/seconds.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/interference/corun_client.h"
#include "experiments/interference/corun_item.h"
#include "experiments/interference/heavy_units.h"
#include "experiments/interference/judge_coruns.h"
#include "experiments/interference/neighbour_levels.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/sessions/run_identity.h"
#include "experiments/sessions/session.h"
#include "machine/ceilings/ceilings.h"
#include "machine/facts/environment.h"

namespace opbench {
namespace {

constexpr int kProcesses = 2;  // other places of buffers, in turns
constexpr int kModelRuns = 9;
constexpr double kLeastRounds = 5, kMostRounds = 12;  // of a visit

class InterferenceSession {
 public:
  explicit InterferenceSession(const InterferenceRequest& request)
      : request_(request), profiles_(prepared_requests(request)) {
    result_.timestamp = utc_now();
    result_.seed = request.run.model.seed;
    result_.threshold = request.threshold;
    result_.has_pairs = request.has_pairs;
  }

  Result<InterferenceResult> run() {
    OPBENCH_CHECK(open());
    OPBENCH_CHECK(choose_units());
    items_ = corun_items(result_.units.size(), result_.levels.size(), probe_of(result_.levels),
                         request_.has_pairs);
    make_passes();
    judge_coruns(items_, result_.seed, result_);
    if (result_.kept == 0 && is_cancelled()) return Error{ErrorCode::kInterrupted, "interrupted"};
    OPBENCH_CHECK(refuse_nothing(result_));
    describe();
    return std::move(result_);
  }

 private:
  Session& first() { return *sessions_.front(); }
  bool is_cancelled() const { return request_.run.hooks.is_cancelled(); }

  Result<void> open() {
    OPBENCH_TRY(const Topology topology, this_topology());
    for (const ProfileRequest& profile : profiles_) {
      const auto cpus = cpus_of(topology, profile.settings, 2);
      if (!cpus) {
        return Error(cpus.error()).with("reason", "each side of a co-run has a CPU of its own");
      }
      result_.cpus = {(*cpus)[0], (*cpus)[1]};
      Variant first{.engine = profile.engines.front(), .settings = profile.settings};
      first.settings.cpus = {result_.cpus[0]};
      OPBENCH_TRY(std::unique_ptr<Session> made,
                  Session::make(profile.model, {first}, profile.measure, profile.hooks));
      Session& session = *sessions_.emplace_back(std::move(made));
      OPBENCH_TRY(const std::string unchecked, session.check());
      if (!unchecked.empty()) result_.warnings.push_back("not checked: " + unchecked);
      session.runner().stop(0);
      result_.models.push_back(profile.model.workload.empty() ? session.model().name
                                                              : profile.model.workload);
      add_check_warning(session);
      OPBENCH_CHECK(refuse_failed_units(session));
    }
    return {};
  }

  /// A unit that crashes or hangs would do so inside the model, too. Wrong ones are left out.
  static Result<void> refuse_failed_units(Session& session) {
    const EngineRun& engine_run = session.engine_runs().front();
    for (const UnitGroup& group : engine_run.built.groups) {
      if (!group.failure || group.failure->kind == FailureKind::kWrongResult) continue;
      return Error{ErrorCode::kPartial,
                   fmt::format("a unit of {} does not run", session.model().name)}
          .with("unit", engine_run.built.units[group.members.front()].identity.operator_text)
          .with("failure", to_text(*group.failure));
    }
    return {};
  }

  void add_check_warning(Session& session) {
    const CheckResult& check = session.engine_runs().front().found.result.check;
    if (check.passed || check.reason == "not asked for") return;
    result_.warnings.push_back(
        fmt::format("{}: the check did not pass: {}", session.model().name, check.reason));
  }

  Result<void> choose_units() {
    std::vector<const EngineRun*> engine_runs;
    for (const auto& session : sessions_) engine_runs.push_back(&session->engine_runs().front());
    client_ = std::make_unique<CorunClient>(engine_runs, result_.cpus, result_.seed);
    first().report("start", "", "engine processes", 0, 0);
    if (const auto started = client_->start(kProcesses); !started) return failed(started.error());
    for (size_t subject = 0; subject < sessions_.size(); ++subject) {
      first().report("profile", "", result_.models[subject], 0, 0);
      const auto seconds = client_->in_model_seconds(subject, kModelRuns);
      if (!seconds) return failed(seconds.error()).with("in", result_.models[subject]);
      const auto units = heavy_units(*sessions_[subject], subject, *seconds,
                                     static_cast<size_t>(request_.units), steps_);
      result_.units.insert(result_.units.end(), units.begin(), units.end());
    }
    if (result_.units.empty()) {
      return Error{ErrorCode::kPartial, "no unit can be measured: all checks failed"};
    }
    for (size_t i = 0; i < result_.units.size(); ++i) result_.units[i].key = unit_key(i);
    result_.levels = neighbour_levels(first().topology(), result_.cpus[0]);
    find_peak();
    return {};
  }

  static Error failed(const Failure& failure) {
    return {ErrorCode::kPartial, "the engine failed: " + to_text(failure)};
  }

  void find_peak() {
    const Environment environment = capture_environment();
    result_.environment = environment;
    const auto found = ceilings({result_.cpus.begin(), result_.cpus.end()}, first().topology(),
                                environment.machine_hash, first().cache());
    if (!found) return;
    for (const BandwidthCeiling& level : found->bandwidth) {
      if (level.level == "DRAM") result_.peak_gbytes_per_s = level.all_threads;
    }
  }

  /// Seconds that one call of a party is expected to take.
  double call_seconds(const CorunParty& party) const {
    return party.kind == CorunParty::Kind::kUnit ? ms_to_s(result_.units[party.index].in_model_ms)
                                                 : 0;
  }

  /// Seconds of a round that nothing disturbs.
  double round_seconds(const CorunItem& item) const {
    constexpr double kPhase = 0.005;  // of short kernels
    constexpr double kCalls = 6;      // that a long kernel makes in a phase, warm-up included
    const double first = std::max(kPhase, kCalls * call_seconds(item.parties[0]));
    const double second = std::max(kPhase, kCalls * call_seconds(item.parties[1]));
    return first + second + std::max(first, second);
  }

  /// Fewer rounds of long kernels, so that a pass reaches all; four times the time that they need.
  CorunVisit visit_of(const CorunItem& item, int pass, double left) const {
    constexpr double kVisit = 0.4;  // seconds
    const double round = round_seconds(item);
    const double rounds = std::clamp(std::floor(kVisit / round), kLeastRounds, kMostRounds);
    return {.process = pass % kProcesses,
            .is_swapped = pass / kProcesses % 2 == 1,
            .rounds = static_cast<int>(rounds),
            .limit_s = std::min(left, std::clamp(4 * rounds * round, 0.3, 4.0)),
            .seed = result_.seed * 1000003 + static_cast<uint64_t>(pass)};
  }

  void make_passes() {
    const double begin = monotonic_s();
    const double end = begin + request_.run.measure.budget_s;
    while (!is_cancelled() && monotonic_s() < end) {
      const std::vector<size_t> order =
          pass_order(items_, result_.passes, request_.run.measure.precision, result_.seed);
      if (order.empty()) break;
      make_pass(order, end);
    }
    result_.spent_s = monotonic_s() - begin;
    result_.has_raised_priority = client_->has_raised_priority();
  }

  void make_pass(const std::vector<size_t>& order, double end) {
    const int pass = result_.passes++;
    for (size_t i = 0; i < order.size(); ++i) {
      const double left = end - monotonic_s();
      if (is_cancelled() || left <= 0) return;
      CorunItem& item = items_[order[i]];
      report(item, i, order.size(), left);
      const auto done = client_->visit(item, visit_of(item, pass, left), steps_, result_.levels);
      if (!done) {
        result_.failures.push_back(name_of(item) + ": " + to_text(done.error()));
      }
    }
  }

  std::string name_of(const CorunParty& party) const {
    switch (party.kind) {
      case CorunParty::Kind::kUnit:
        return result_.units[party.index].key;
      case CorunParty::Kind::kLevel:
        return "a neighbour of " + result_.levels[party.index].name;
      case CorunParty::Kind::kCompute:
        break;
    }
    return "a loop in registers";
  }

  std::string name_of(const CorunItem& item) const {
    return name_of(item.parties[0]) + " beside " + name_of(item.parties[1]);
  }

  void report(const CorunItem& item, size_t done, size_t total, double left) const {
    if (!request_.run.hooks.progress) return;
    request_.run.hooks.progress({.stage = "measure",
                                 .item = name_of(item),
                                 .done = static_cast<int64_t>(done),
                                 .total = static_cast<int64_t>(total),
                                 .eta_s = left});
  }

  void describe() {
    result_.target = display_text(first().target());
    for (const auto& session : sessions_) {
      for (const std::string& warning : session->warnings()) result_.warnings.push_back(warning);
      for (const std::string& warning : session->engine_runs().front().built.warnings) {
        result_.warnings.push_back(warning);
      }
    }
    warn_of_noise();
    if (is_cancelled()) result_.warnings.push_back("interrupted: what was measured until then");
  }

  void warn_of_noise() {
    constexpr double kMostControl = 0.03;
    if (result_.dropped > result_.kept) {
      std::vector<std::string> parts;
      for (const auto& [cause, rounds] : result_.causes)
        parts.push_back(fmt::format("{} {}", rounds, cause));
      result_.warnings.push_back(
          fmt::format("more rounds were dropped than kept ({}): other programs use these CPUs{}",
                      fmt::join(parts, ", "),
                      result_.has_raised_priority ? "" : ", and this user may raise no priority"));
    }
    const auto& control = result_.control.slowdowns;
    for (const auto& side : control) {
      if (!side || std::abs(side->ratio - 1) <= kMostControl) continue;
      result_.warnings.push_back(fmt::format(
          "the control, which shares nothing, slows down to {:.3f}: these CPUs are not two cores "
          "of their own, or others use them, and all slow-downs hold that much besides",
          side->ratio));
      return;
    }
  }

  const InterferenceRequest& request_;
  const std::vector<ProfileRequest> profiles_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::unique_ptr<CorunClient> client_;
  std::vector<PreparedStep> steps_;
  std::vector<CorunItem> items_;
  InterferenceResult result_;
};

}  // namespace

std::vector<ProfileRequest> prepared_requests(const InterferenceRequest& request) {
  std::vector<ProfileRequest> requests;
  for (const InterferenceSubject& subject : request.subjects) {
    ProfileRequest& profile =
        requests.emplace_back(profile_of(request.run, {package_engine().name}, {1}));
    profile.model.name = subject.model;
    profile.model.is_zoo = subject.model_is_zoo;
    profile.model.workload = subject.workload;
    profile.model.layouts = subject.layouts;
    if (!subject.kernels.empty()) profile.settings.kernels = subject.kernels;
  }
  return requests;
}

Result<InterferenceResult> run_interference(const InterferenceRequest& request) {
  return InterferenceSession(request).run();
}

}  // namespace opbench
