#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/system/monotonic_clock.h"
#include "base/system/spin_pause.h"
#include "engines/runtime/device_runs.h"
#include "engines/runtime/executor.h"
#include "engines/runtime/step_watch.h"

namespace opbench {
namespace {

/// Workers spin about 2.5 ms for each other before they sleep: longer than most units take, as a
/// worker that has to be woken loses more than it gained. A worker without a CPU then frees one.
constexpr int kStepSpins = 100000;

/// Workers that share the loops of some steps.
struct WorkerTeam {
  explicit WorkerTeam(size_t members) : team(members, kStepSpins), context{&team} {}
  Team team;
  KernelContext context;
};

/// The run in which a step ended last.
struct alignas(64) Ending {
  std::atomic<uint32_t> run = 0;
};

/// A step as one worker sees it.
struct Entry {
  size_t step = 0;
  BoundStep* bound = nullptr;  ///< null: the worker helps
  KernelContext* context = nullptr;
  Team* team = nullptr;       ///< null: the worker is alone
  size_t member = 0;          ///< of the team
  uint64_t number = 0;        ///< of the step in the list, from 1
  bool is_on_device = false;  ///< the worker launches it and waits
  std::vector<const Ending*> waits;
};

/// Each worker runs its program; a step starts when the steps that it waits for have ended. What a
/// step writes reaches who waits for it through `Ending`, and a helper through `Team`.
class ConcurrentExecutor : public Executor {
 public:
  explicit ConcurrentExecutor(LoadedPackage& package)
      : package_(package), pool_(package.pool().team()), endings_(package.program().steps.size()) {
    for (const Step& step : package.program().steps) texts_.push_back(watch_text(step));
  }

  Result<void> bind() {
    const TeamProgram& teams = package_.program().teams;
    programs_.resize(static_cast<size_t>(teams.workers));
    bound_.reserve(teams.steps.size());
    for (const TeamStep& step : teams.steps) {
      OPBENCH_CHECK(add_step(step));
    }
    return {};
  }

  int run() override {
    run_ = static_cast<uint32_t>(++runs_);
    failure_.store(0, std::memory_order_relaxed);
    pool_.run_on_each(run_worker, this);
    return failure_.load(std::memory_order_relaxed);
  }

  int run_timed(std::span<double> step_s) override {
    times_ = step_s;
    const int code = run();
    times_ = {};
    return code;
  }

 private:
  Result<void> add_step(const TeamStep& step) {
    std::unique_ptr<WorkerTeam>& team = teams_[step.workers];
    if (team == nullptr) team = std::make_unique<WorkerTeam>(step.workers.size());
    const auto index = static_cast<size_t>(step.step);
    const Step& planned = package_.program().steps[index];
    OPBENCH_TRY(BoundStep bound,
                package_.bind_places(planned, package_.places_of(planned), team->context));
    bound_.push_back(std::move(bound));
    const bool is_shared = step.workers.size() > 1;
    const uint64_t number = bound_.size();
    for (size_t member = 0; member < step.workers.size(); ++member) {
      Entry entry{.step = index,
                  .bound = member == 0 ? &bound_.back() : nullptr,
                  .context = &team->context,
                  .team = is_shared ? &team->team : nullptr,
                  .member = member,
                  .number = number,
                  .is_on_device = planned.runs_on == MemoryScope::kDevice};
      if (member == 0) {
        for (const int wait : step.waits) {
          entry.waits.push_back(&endings_[static_cast<size_t>(wait)]);
        }
      }
      programs_[static_cast<size_t>(step.workers[member])].push_back(std::move(entry));
    }
    return {};
  }

  static int run_worker(void* executor, int worker, uint8_t*) {
    auto* self = static_cast<ConcurrentExecutor*>(executor);
    const auto index = static_cast<size_t>(worker);
    for (const Entry& entry : self->programs_[index]) {
      watch_step(index, self->texts_[entry.step].c_str());
      self->run_entry(entry);
    }
    watch_step(index, nullptr);
    return 0;
  }

  void run_entry(const Entry& entry) {
    const uint64_t number = (runs_ - 1) * endings_.size() + entry.number;
    if (entry.bound == nullptr) {
      entry.team->help(entry.member, number);
      return;
    }
    for (const Ending* ending : entry.waits) wait_for(*ending);
    const double before = times_.empty() ? 0 : monotonic_s();
    run_step(entry);
    if (!times_.empty()) times_[entry.step] = monotonic_s() - before;
    if (entry.team != nullptr) entry.team->dismiss(number);
    std::atomic<uint32_t>& ended = endings_[entry.step].run;
    ended.store(run_);
    ended.notify_all();
  }

  // No kernel may be called on what a failed step left. Who fails first says why.
  void run_step(const Entry& entry) {
    if (failure_.load(std::memory_order_relaxed) != 0) return;
    int code = entry.bound->run();
    if (code == 0 && entry.is_on_device) code = finish_on_device(package_, *entry.context);
    int none = 0;
    if (code == 0 || !failure_.compare_exchange_strong(none, code)) return;
    std::string words = std::exchange(entry.context->failure, {});
    if (!words.empty()) package_.context().failure = texts_[entry.step] + ": " + words;
  }

  void wait_for(const Ending& ending) const {
    for (int spin = 0; spin < kStepSpins; ++spin) {
      if (ending.run.load(std::memory_order_acquire) == run_) return;
      spin_pause();
    }
    for (uint32_t seen = ending.run.load(); seen != run_; seen = ending.run.load()) {
      ending.run.wait(seen);
    }
  }

  LoadedPackage& package_;
  Team& pool_;
  std::vector<Ending> endings_;                                    ///< by step
  std::vector<std::string> texts_;                                 ///< by step, for step_watch
  std::map<std::vector<int>, std::unique_ptr<WorkerTeam>> teams_;  ///< by workers, leader first
  std::vector<BoundStep> bound_;
  std::vector<std::vector<Entry>> programs_;  ///< by worker
  uint64_t runs_ = 0;
  uint32_t run_ = 0;  ///< the last of them, as endings keep it
  std::atomic<int> failure_ = 0;
  std::span<double> times_;
};

Result<std::unique_ptr<Executor>> make_concurrent_executor(LoadedPackage& package) {
  const bool has_teams = !package.program().teams.steps.empty();
  return has_teams ? make_team_executor(package) : make_sequential_executor(package);
}

}  // namespace

Result<std::unique_ptr<Executor>> make_team_executor(LoadedPackage& package) {
  const TeamProgram& teams = package.program().teams;
  if (teams.workers != package.pool().threads()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the package is for {} workers, the engine has {}", teams.workers,
                             package.pool().threads())};
  }
  auto executor = std::make_unique<ConcurrentExecutor>(package);
  OPBENCH_CHECK(executor->bind());
  return executor;
}

ExecutorDef concurrent_executor() {
  return {.name = "concurrent",
          .summary = "a plan: units side by side, on the workers that it names",
          .follows_plan = true,
          .make = make_concurrent_executor};
}

}  // namespace opbench
