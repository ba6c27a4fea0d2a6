#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/files/file.h"
#include "base/system/memory.h"
#include "experiments/compare/compare_judge.h"
#include "experiments/compare/compare_plan.h"
#include "experiments/compare/compare_request.h"
#include "experiments/compare/variant_groups.h"
#include "experiments/compare/variant_worker.h"
#include "experiments/compare/verdict.h"
#include "experiments/sessions/run_identity.h"
#include "machine/ceilings/line_time.h"
#include "machine/facts/environment.h"
#include "measuring/sampling/line_watch.h"

namespace opbench {
namespace {

constexpr int kFewestProcesses = 3;  // of each side, where memory is short

// One comparison from the request to the result, in the order of its member functions.
class CompareSession {
 public:
  explicit CompareSession(const CompareRequest& request) : request_(request) {}

  Result<CompareResult> run() {
    look_at_machine();
    OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
    folder_.emplace(std::move(folder));
    OPBENCH_CHECK(prepare());
    OPBENCH_CHECK(check_comparable());
    describe();
    look_for_noise();
    plan_ = plan_comparison(sides_, request_.scope);
    if (is_cancelled()) return Error{ErrorCode::kInterrupted, "interrupted before measuring"};
    measure();
    judge();
    return std::move(result_);
  }

 private:
  bool is_cancelled() const { return request_.hooks.is_cancelled(); }

  void look_at_machine() {
    const Environment environment = capture_environment();
    const std::string machine = environment.machine_hash;
    floors_ = floor_file(cache_folder() / "floors", machine);
    result_.environment = environment;
    result_.timestamp = utc_now();
  }

  void look_for_noise() {
    preflight_ = run_preflight(Seconds(request_.budget_s));
    result_.noise.noise_class = name_of(preflight_.noise);
    result_.noise.advice = preflight_.advice;
  }

  Result<void> prepare() {
    sides_.resize(request_.sides.size());
    OPBENCH_TRY(const std::vector<VariantGroup> groups, variant_groups(request_, result_.warnings));
    for (const VariantGroup& group : groups) {
      const auto folder = folder_->path() / fmt::format("sides-{}", group.sides.front());
      std::filesystem::create_directories(folder);
      OPBENCH_TRY(std::vector<PreparedVariant> sides, sides_of(group, folder));
      for (size_t i = 0; i < sides.size(); ++i) {
        add_origin(group, group.variants[i], sides[i].info);
        sides_[group.sides[i]] = std::move(sides[i]);
      }
    }
    return {};
  }

  Result<std::vector<PreparedVariant>> sides_of(const VariantGroup& group,
                                                const std::filesystem::path& folder) const {
    const ProfileRequest& asked = group.request;
    if (!group.build.empty()) {
      if (request_.hooks.progress) {
        request_.hooks.progress({"build", group.build.string(), "", 0, 0, {}, {}, {}});
      }
      return prepare_variants_with(group.build, asked, group.variants, request_.units, folder);
    }
    OPBENCH_TRY(const std::unique_ptr<Session> session,
                Session::make(asked.model, group.variants, asked.measure, asked.hooks,
                              {.units = request_.units,
                               .folder = folder,
                               .takes_emulated = request_.scope.takes_emulated}));
    OPBENCH_TRY(std::vector<PreparedVariant> sides, prepared_variants(*session));
    if (request_.prepared) OPBENCH_CHECK(request_.prepared(*session, group.sides));
    return sides;
  }

  Result<void> check_comparable() {
    for (size_t i = 1; i < sides_.size(); ++i) {
      const auto fields = incomparable_fields(sides_.front(), sides_[i]);
      result_.incomparable.insert(result_.incomparable.end(), fields.begin(), fields.end());
    }
    result_.is_forced = request_.is_forced;
    if (result_.incomparable.empty() || request_.is_forced) return {};
    Error error{ErrorCode::kInvalidInput, "the variants do not compute the same"};
    for (const std::string& field : result_.incomparable) {
      const size_t colon = field.find(": ");
      error.facts.push_back({field.substr(0, colon), field.substr(colon + 2)});
    }
    return std::move(error).with("to compare them all the same", "--force");
  }

  void describe() {
    const PreparedVariant& base = sides_.front();
    const ModelSpec& spec = request_.sides.front().model;
    result_.model = spec.workload.empty() ? base.model : spec.workload;
    result_.source = base.source;
    result_.sha256 = base.sha256;
    result_.target = base.target;
    result_.unit = request_.units == UnitKind::kNode ? "node" : "fused";
    result_.layouts = request_.units == UnitKind::kOwn ? "apart" : "counted";
    result_.cache = base.cache;
    result_.seed = request_.seed;
    result_.margin_percent = 100 * request_.margin;
    result_.argv = request_.argv;
    result_.run_id = run_id_of(result_.timestamp, result_.sha256);
    name_sides();
    for (const PreparedVariant& side : sides_) {
      result_.sides.push_back(side.info);
      result_.warnings.insert(result_.warnings.end(), side.warnings.begin(), side.warnings.end());
    }
  }

  // By what differs among them.
  void name_sides() {
    const auto differ = [&](auto member) {
      return std::ranges::any_of(sides_, [&](const PreparedVariant& side) {
        return side.info.*member != sides_.front().info.*member;
      });
    };
    const bool engines = differ(&ComparedVariant::engine);
    const bool threads = differ(&ComparedVariant::threads);
    const bool batches = differ(&ComparedVariant::batch_size);
    const bool builds = differ(&ComparedVariant::build);
    const bool executors = differ(&ComparedVariant::executor);
    const bool fusions = differ(&ComparedVariant::is_fused);
    for (PreparedVariant& side : sides_) {
      ComparedVariant& info = side.info;
      std::vector<std::string> words;
      if (builds) words.push_back(info.build.empty() ? "this build" : info.build);
      if (engines) words.push_back(info.engine);
      if (executors && !info.executor.empty() && !engines) words.push_back(info.executor);
      if (fusions) words.push_back(info.is_fused ? "fused" : "not fused");
      if (threads) {
        words.push_back(fmt::format("{} thread{}", info.threads, info.threads == 1 ? "" : "s"));
      }
      if (batches) words.push_back(fmt::format("batch {}", info.batch_size));
      if (words.empty()) words.push_back(info.engine);
      info.label = fmt::format("{}", fmt::join(words, ", "));
    }
  }

  // Every process holds the weights once in the model and once in its units.
  int most_processes() const {
    double bytes = 0;
    for (const PreparedVariant& side : sides_) bytes += 2 * side.model_bytes;
    if (request_.scope.has_control) bytes += 2 * sides_.front().model_bytes;
    const double room = available_memory() / 2;
    if (bytes <= 0 || room <= 0) return kMostComparedProcesses;
    return static_cast<int>(
        std::clamp<double>(room / bytes, kFewestProcesses, kMostComparedProcesses));
  }

  int first_processes() const {
    const int asked = request_.scope.processes;
    return asked > 0 ? asked : compared_processes(request_.budget_s);
  }

  int rounds() const {
    return request_.scope.rounds > 0 ? request_.scope.rounds : PairedOptions().min_rounds;
  }

  EngineSetup setup_of(const PreparedVariant& side, uint64_t seed) const {
    EngineCommand command = side.command;
    command.log.replace_filename(fmt::format("{}-{}", seed, command.log.filename().string()));
    return {.start = process_starter(std::move(command), seed),
            .threads = side.info.threads,
            .cpus = side.info.cpus,
            .preparations = side.preparations,
            .cache = side.cache,
            .clock = side.info.emulator.empty() ? TimeClock::kWall : TimeClock::kEmulated};
  }

  void measure() {
    std::vector<EngineSetup> setups;
    for (const PreparedVariant& side : sides_) {
      setups.push_back(setup_of(side, request_.seed + setups.size()));
    }
    if (request_.scope.has_control) {
      setups.push_back(setup_of(sides_.front(), request_.seed + setups.size()));
    }
    EngineRunner runner(setups, plan_.engine_items);
    const auto pairs = static_cast<double>(sides_.size() - 1);
    const PairedOptions options{
        .budget = pairs * Seconds(request_.budget_s),
        .precision = request_.precision,
        .processes = std::min(first_processes(), most_processes()),
        .most_processes = request_.scope.processes > 0 ? 0 : most_processes(),
        .min_rounds = rounds(),
        .seed = request_.seed,
        .clock_resolution = preflight_.clock_resolution,
        .is_firm = true};
    start_processes(runner, static_cast<int>(setups.size()), options.processes);
    kept_ = read_floor_runs(floors_);
    PairedHooks hooks;
    hooks.should_stop = [this] { return is_cancelled(); };
    hooks.is_decided = [this](size_t item, const PairedTimes& times) {
      return is_decided(item, times);
    };
    SteadyClock clock;
    LineWatch lines(this_topology().value_or(Topology{}), widest_cpus(), line_time_ns);
    hooks.progress = [&](const SamplingProgress& progress) {
      lines.look(clock.now());
      tell(progress);
    };
    times_ = measure_pairs(plan_.items, runner, clock, options, hooks);
    if (times_.interrupted) {
      result_.warnings.push_back("interrupted: verdicts from what was measured until then");
    }
    const std::string apart = lines.warning();
    if (!apart.empty()) result_.warnings.push_back(apart);
  }

  // Where the side with most threads runs.
  const std::vector<int>& widest_cpus() const {
    const auto count = [](const PreparedVariant& side) { return side.info.cpus.size(); };
    return std::ranges::max_element(sides_, {}, count)->info.cpus;
  }

  // Loading models is not paid for by the budget.
  void start_processes(EngineRunner& runner, int engines, int processes) {
    for (int engine = 0; engine < engines && !is_cancelled(); ++engine) {
      if (request_.hooks.progress) {
        const size_t side =
            static_cast<size_t>(engine) % sides_.size();  // the A/A control: the base
        request_.hooks.progress(
            {"start", result_.sides[side].label, "", engine, engines, {}, {}, {}});
      }
      // What does not start fails again, with its reason, where it is needed.
      static_cast<void>(runner.start(engine, processes));
    }
  }

  bool is_decided(size_t item, const PairedTimes& times) const {
    const auto row = std::ranges::find(plan_.rows, std::optional(item), &CompareRow::item);
    const FloorKey key = floor_key(*row, sides_);
    FloorRun control{result_.timestamp, result_.noise.noise_class, {}};
    if (row->control)
      control.units.push_back(floor_unit_of(key, times.log_ratios[*row->control - 1]));
    const auto floor = unit_floor(key, control, kept_);
    const VerdictRule rule{.margin = request_.margin};
    for (size_t side = 1; side < sides_.size(); ++side) {
      if (!row->place[0] || !row->place[side]) continue;
      const Measurement& base = times.sides[*row->place[0]];
      // A ratio that nothing is decided by needs no more rounds than all have.
      if (!why_no_verdict(base.clock, times.sides[*row->place[side]].clock).empty()) continue;
      const Evidence evidence{log_ratio_in(*row, side, sides_, times), floor, times.spent.count()};
      const size_t others = row->is_model ? 1 : std::max<size_t>(1, plan_.rows.size() - 1);
      if (!is_settled(evidence, rule, others)) return false;
    }
    return true;
  }

  void tell(const SamplingProgress& progress) const {
    if (!request_.hooks.progress) return;
    request_.hooks.progress({"measure", "", plan_.items[progress.item].id,
                             static_cast<int64_t>(progress.done),
                             static_cast<int64_t>(progress.total), progress.median_ms,
                             progress.half_width_percent, progress.remaining.count()});
  }

  void judge() {
    const FloorRun control =
        control_of(sides_, plan_, times_, result_.timestamp, result_.noise.noise_class);
    const auto floor = machine_floor(control, kept_);
    if (floor) result_.noise.floor_percent = 100 * *floor;
    const JudgeInputs inputs{sides_, plan_, times_, control, kept_, request_.margin, request_.seed};
    if (request_.measured) request_.measured(inputs);
    for (size_t side = 1; side < sides_.size(); ++side) {
      result_.comparisons.push_back(compare_with_base(side, inputs));
      for (size_t other = 1; other < side; ++other) {
        result_.among_new.push_back(compare_new_sides(other, side, inputs));
      }
    }
    // A cache that cannot be written only makes later floors worse founded.
    const bool is_whole = !control.units.empty() && !times_.interrupted && has_wall_times();
    if (is_whole && make_writable_folder(floors_.parent_path())) {
      static_cast<void>(append_floor_run(floors_, control));
    }
  }

  // Floors are kept by engine and thread count: those of other clocks are none of this machine's.
  bool has_wall_times() const {
    return std::ranges::all_of(plan_.rows, [&](const CompareRow& row) {
      if (!row.item || !row.place[0] || !times_.items[*row.item].times) return true;
      return times_.items[*row.item].times->sides[*row.place[0]].clock == TimeClock::kWall;
    });
  }

  const CompareRequest& request_;
  CompareResult result_;
  Preflight preflight_;
  std::filesystem::path floors_;
  std::vector<FloorRun> kept_;
  std::optional<TemporaryFolder> folder_;
  std::vector<PreparedVariant> sides_;
  ComparePlan plan_;
  PairedResult times_;
};

}  // namespace

int compared_processes(double budget_s) {
  constexpr double kSecondsEach = 4;
  return static_cast<int>(
      std::clamp<double>(std::ceil(budget_s / kSecondsEach), kFewestProcesses, kComparedProcesses));
}

Result<CompareResult> run_compare(const CompareRequest& request) {
  return CompareSession(request).run();
}

}  // namespace opbench
