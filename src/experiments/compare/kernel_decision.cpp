#include "experiments/compare/kernel_decision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/files/file.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/compare/compare_plan.h"
#include "experiments/compare/prepared_variant.h"
#include "machine/target/parse_target.h"
#include "model/operators/workloads/workload.h"

namespace opbench {
namespace {

constexpr size_t kMostNotes = 5;
constexpr int kProcesses = 3;
constexpr double kUnitBudget = 0.25;  ///< seconds at most for a unit, on average
constexpr double kPrecision = 0.02;   ///< a smaller difference is not worth more rounds

/// New time over the default's; nothing: not known.
std::optional<double> ratio_of(const ContestedKernel& kernel) {
  if (kernel.is_default) return 1;
  if (!kernel.result || !kernel.result->times) return std::nullopt;
  return std::exp(kernel.result->times->log_ratios.front().value);
}

bool is_applied(const ContestedKernel& kernel) {
  if (kernel.result && kernel.result->failure) return kernel.result->failed_side == 0;
  const std::optional<double> ratio = ratio_of(kernel);
  return ratio && *ratio <= 1;
}

std::string note_of(const ContestedKernel& kernel) {
  std::string why = "it could not be compared with the default config";
  if (kernel.result && kernel.result->failure) why = to_text(*kernel.result->failure);
  if (kernel.result && kernel.result->times) {
    const std::vector<Measurement>& sides = kernel.result->times->sides;
    why = fmt::format("{:.3g} ms here, the default config {:.3g} ms", sides.back().median_ms,
                      sides.front().median_ms);
  }
  return fmt::format("{} is not applied to {}: {}", kernel.choice.origin, kernel.unit, why);
}

Target target_of(const ProfileRequest& request) { return *parse_target(request.settings.target); }

/// The kernel of a unit by the choices, or by default.
std::optional<KernelSpec> spec_of(const UnitIdentity& unit, const Target& target, int threads,
                                  const KernelChoices& choices) {
  if (!unit.workload) return std::nullopt;
  KernelSpec spec{.workload = *unit.workload, .target = target, .threads = threads};
  for (const int block : unit.blocks) spec.layouts.push_back({block});
  if (choices.complete(spec, {}) == nullptr && !choose_schedule(spec)) return std::nullopt;
  return spec;
}

/// One thread count of one request, in the order of the member functions.
class Contest {
 public:
  Contest(const ProfileRequest& request, int threads) : request_(request), threads_(threads) {}

  Result<std::vector<ContestedKernel>> run() {
    OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
    OPBENCH_CHECK(prepare(folder.path()));
    find_kernels();
    if (!items_.empty()) OPBENCH_CHECK(measure());
    return std::move(kernels_);
  }

 private:
  /// The default configs first, then the candidates.
  Result<void> prepare(const std::filesystem::path& folder) {
    ProfileRequest own = request_;
    own.measure.check_engine = "none";
    own.measure.inject_fault.clear();
    const EngineDef& engine = package_engine_for(target_of(request_));
    const bool can_be_cold = runs_on_cpu(engine);
    if (own.model.workload.empty() && can_be_cold) own.measure.cache = CacheMode::kColdWeights;
    Variant by_default{engine.name, threads_, request_.settings};
    by_default.settings.kernels.clear();
    by_default.settings.candidates.clear();
    Variant tuned = by_default;
    tuned.settings.kernels = request_.settings.candidates;
    OPBENCH_TRY(
        const std::unique_ptr<Session> session,
        Session::make(own.model, {by_default, tuned}, own.measure, own.hooks, {.folder = folder}));
    OPBENCH_TRY(sides_, prepared_variants(*session));
    return {};
  }

  void find_kernels() {
    plan_ = plan_comparison(sides_, {.has_control = false});
    std::set<size_t> seen;
    for (const CompareRow& row : plan_.rows) {
      if (row.is_model || !row.match.units[1]) continue;
      const size_t unit = *row.match.units[1];
      if (sides_[1].units[unit].identity.origin.empty() || !seen.insert(unit).second) continue;
      add(sides_[1].units[unit].identity, row.item);
    }
    for (size_t i = 0; i < sides_[1].units.size(); ++i) {
      const VariantUnit& unit = sides_[1].units[i];
      if (!unit.identity.origin.empty() && seen.insert(i).second) add(unit.identity, std::nullopt);
    }
  }

  void add(const UnitIdentity& unit, std::optional<size_t> item) {
    const Target target = target_of(request_);
    const auto tuned = spec_of(unit, target, threads_, KernelChoices(request_.settings.candidates));
    const auto by_default = spec_of(unit, target, threads_, {});
    if (!tuned) return;
    ContestedKernel kernel;
    kernel.choice = {.workload = workload_text(unit),
                     .blocks = unit.blocks,
                     .schedule = tuned->schedule,
                     .config = tuned->config,
                     .origin = unit.origin,
                     .threads = threads_};
    kernel.unit = unit.operator_text + " " + short_shapes(unit);
    kernel.is_default = by_default && text_of(*by_default) == text_of(*tuned);
    if (item && !kernel.is_default) {
      items_.push_back(plan_.items[*item]);
      measured_.push_back(kernels_.size());
    }
    kernels_.push_back(std::move(kernel));
  }

  EngineSetup setup_of(const PreparedVariant& side, uint64_t seed) const {
    return {.start = process_starter(side.command, seed),
            .threads = threads_,
            .cpus = side.info.cpus,
            .preparations = side.preparations,
            .cache = side.cache};
  }

  Result<void> measure() {
    EngineRunner runner(
        {setup_of(sides_[0], request_.model.seed), setup_of(sides_[1], request_.model.seed)},
        plan_.engine_items);
    for (const int engine : {0, 1}) static_cast<void>(runner.start(engine, kProcesses));
    const PairedOptions options{.budget = Seconds(kUnitBudget * double(items_.size())),
                                .precision = kPrecision,
                                .processes = kProcesses,
                                .seed = request_.model.seed};
    PairedHooks hooks;
    hooks.should_stop = [this] { return request_.hooks.is_cancelled(); };
    hooks.is_decided = [](size_t, const PairedTimes& times) {
      const Interval& interval = times.log_ratios.front().interval;
      return interval.low > 0 || interval.high < 0 || interval.high - interval.low < kPrecision;
    };
    hooks.progress = [this](const SamplingProgress& progress) {
      if (!request_.hooks.progress) return;
      request_.hooks.progress({"choose", package_engine().name, items_[progress.item].id,
                               static_cast<int64_t>(progress.done),
                               static_cast<int64_t>(progress.total), progress.median_ms,
                               progress.half_width_percent, progress.remaining.count()});
    };
    SteadyClock clock;
    PairedResult result = measure_pairs(items_, runner, clock, options, hooks);
    if (result.interrupted) {
      return Error{ErrorCode::kInterrupted, "interrupted before measuring"};
    }
    for (size_t i = 0; i < items_.size(); ++i) {
      kernels_[measured_[i]].result = std::move(result.items[i]);
    }
    return {};
  }

  const ProfileRequest& request_;
  const int threads_;
  std::vector<PreparedVariant> sides_;  ///< by default, then with the candidates
  ComparePlan plan_;
  std::vector<ContestedKernel> kernels_;
  std::vector<PairedItem> items_;
  std::vector<size_t> measured_;  ///< by item: its kernel
};

}  // namespace

bool is_default_config(const KernelChoice& choice, const Target& target) {
  UnitIdentity unit = identity_from({.workload = choice.workload});
  unit.blocks = choice.blocks;
  const auto by_default = spec_of(unit, target, std::max(choice.threads, 1), {});
  return by_default && by_default->schedule == choice.schedule &&
         by_default->config == choice.config;
}

KernelDecision decision_of(std::vector<ContestedKernel> kernels) {
  std::ranges::stable_sort(kernels, std::greater(), [](const ContestedKernel& kernel) {
    return ratio_of(kernel).value_or(0);
  });
  KernelDecision decision;
  size_t refused = 0;
  for (ContestedKernel& kernel : kernels) {
    if (is_applied(kernel)) {
      decision.kernels.push_back(std::move(kernel.choice));
    } else if (++refused <= kMostNotes) {
      decision.notes.push_back(note_of(kernel));
    }
  }
  if (refused > kMostNotes) {
    decision.notes.push_back(
        fmt::format("{} more kernels of the tuning log are not applied: the "
                    "default config is faster here",
                    refused - kMostNotes));
  }
  return decision;
}

Result<KernelDecision> decide_kernels(const ProfileRequest& request,
                                      const std::vector<int>& threads) {
  std::vector<ContestedKernel> all;
  if (request.settings.candidates.empty()) return KernelDecision();
  for (const int count : threads) {
    OPBENCH_TRY(std::vector<ContestedKernel> kernels, Contest(request, count).run());
    std::ranges::move(kernels, std::back_inserter(all));
  }
  return decision_of(std::move(all));
}

Result<ProfileRequest> with_decided_kernels(const ProfileRequest& request,
                                            const std::vector<int>& threads,
                                            std::vector<std::string>& notes) {
  ProfileRequest decided = request;
  const bool has_ours = std::ranges::any_of(request.engines, takes_packages);
  if (request.settings.candidates.empty() || !has_ours) return decided;
  OPBENCH_TRY(KernelDecision decision, decide_kernels(request, threads));
  decided.settings.candidates.clear();
  decided.settings.kernels = std::move(decision.kernels);
  std::ranges::move(decision.notes, std::back_inserter(notes));
  return decided;
}

}  // namespace opbench
