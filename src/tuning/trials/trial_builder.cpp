#include "tuning/trials/trial_builder.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <csignal>

#include "base/json/byte_text.h"
#include "base/system/monotonic_clock.h"
#include "engines/client/time_limits.h"
#include "engines/package/package.h"
#include "machine/resources/pinning.h"

namespace opbench {
namespace fs = std::filesystem;

struct TrialBuilder::Worker {
  int number = 0;
  int cpu = 0;
  bool shares_cpu = false;  ///< with what is timed
  std::unique_ptr<EngineProcess> process;
  int compiled = 0;
  std::atomic<int> pid = 0;  ///< 0: none
  std::thread thread;
};

namespace {

/// Compilers never give all memory back.
constexpr int kMostKernels = 500;
/// Seconds that an answer may come after its limit when nothing was stopped.
constexpr double kTrialBuilderLate = 2;

Failure as_build_failure(Failure failure) {
  if (failure.kind == FailureKind::kRunError) failure.kind = FailureKind::kBuildError;
  if (failure.kind == FailureKind::kRunTimeout) failure.kind = FailureKind::kBuildTimeout;
  return failure;
}

PlannedStep only_step(const BuildOrder& order) {
  const Graph& graph = order.spec.workload.graph;
  std::vector<std::string> nodes;
  for (const Node& node : graph.nodes) nodes.push_back(node.name);
  PlannedStep step = step_of(order.spec, "", std::move(nodes));
  for (const Value& input : graph.inputs) step.values.operands.push_back(input.name);
  step.values.output = graph.outputs.front().name;
  return step;
}

}  // namespace

TrialBuilder::TrialBuilder(TrialBuilderOptions options) : options_(std::move(options)) {
  for (const int cpu : options_.cpus) {
    auto worker = std::make_unique<Worker>();
    worker->number = static_cast<int>(workers_.size());
    worker->cpu = cpu;
    worker->shares_cpu = options_.measured.contains(cpu);
    workers_.push_back(std::move(worker));
  }
  for (const auto& worker : workers_) worker->thread = std::thread([&] { serve(*worker); });
}

TrialBuilder::~TrialBuilder() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    orders_.clear();
  }
  changed_.notify_all();
  for (const auto& worker : workers_) {
    if (const int pid = worker->pid; pid > 0) ::kill(pid, SIGKILL);
  }
  for (const auto& worker : workers_) worker->thread.join();
  for (const BuiltTrial& trial : done_) discard(trial);
}

void TrialBuilder::add(BuildOrder order) {
  {
    const std::lock_guard lock(mutex_);
    orders_.push_back(std::move(order));
    ++open_;
  }
  changed_.notify_all();
}

std::optional<BuiltTrial> TrialBuilder::take() {
  constexpr std::chrono::milliseconds kPause{50};  // to see that it was cancelled
  std::unique_lock lock(mutex_);
  while (done_.empty() && open_ > 0 && !is_cancelled()) changed_.wait_for(lock, kPause);
  if (done_.empty() || is_cancelled()) return std::nullopt;
  BuiltTrial trial = std::move(done_.front());
  done_.pop_front();
  --open_;
  return trial;
}

void TrialBuilder::wait_until_built() {
  constexpr std::chrono::milliseconds kPause{50};  // as above
  std::unique_lock lock(mutex_);
  while (done_.size() < open_ && !is_cancelled()) changed_.wait_for(lock, kPause);
}

void TrialBuilder::discard(const BuiltTrial& trial) {
  std::error_code ignored;
  if (!trial.package.empty()) fs::remove_all(trial.package, ignored);
  if (!trial.objects.empty()) fs::remove_all(trial.objects, ignored);
}

void TrialBuilder::serve(Worker& worker) {
  static_cast<void>(pin_this_thread({worker.cpu}));
  for (;;) {
    BuildOrder order;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return ends_ || !orders_.empty(); });
      if (ends_) break;
      order = std::move(orders_.front());
      orders_.pop_front();
    }
    BuiltTrial trial = build(worker, order);
    {
      const std::lock_guard lock(mutex_);
      done_.push_back(std::move(trial));
    }
    changed_.notify_all();
  }
  worker.pid = 0;
  worker.process.reset();
}

BuiltTrial TrialBuilder::build(Worker& worker, const BuildOrder& order) {
  const double begin = monotonic_s();
  BuiltTrial trial{.index = order.index};
  const std::string name = fmt::format("trial-{}", order.index);
  trial.objects = options_.objects / name;
  trial.package = options_.packages / name;
  const KernelKey key{fmt::format("trial_{}", order.index), trial.objects / "kernel.o"};
  trial.failure = compile(worker, order, key);
  if (!trial.failure) {
    // What this process does counts as building too.
    std::shared_lock lock(quiet_, std::defer_lock);
    if (worker.shares_cpu) lock.lock();
    PackageOptions options{
        .target = order.spec.target, .folder = trial.package, .cache = trial.objects};
    const Graph& graph = order.spec.workload.graph;
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      if (order.spec.workload.is_weight(graph.inputs[i].name)) continue;
      options.layouts[graph.inputs[i].name] = order.spec.layouts[i].block;
    }
    options.layouts[graph.outputs.front().name] = order.spec.output_layout().block;
    const auto package = package_kernel(*order.model, only_step(order), key, options);
    if (!package) trial.failure = {FailureKind::kBuildError, package.error().message};
  }
  trial.seconds = monotonic_s() - begin;
  return trial;
}

std::optional<Failure> TrialBuilder::compile(Worker& worker, const BuildOrder& order,
                                             const KernelKey& key) {
  const double begin = monotonic_s(), paused_before = paused_s_;
  const double limit = scaled_limit(options_.time_limit).value_or(options_.time_limit).count();
  std::optional<Failure> failure = compile_once(worker, order, key);
  if (!failure || failure->kind != FailureKind::kBuildTimeout) return failure;
  const bool was_stopped = monotonic_s() - begin > limit + kTrialBuilderLate;  // with this program
  const bool was_paused = worker.shares_cpu && paused_s_ - paused_before > limit / 2;
  return was_stopped || was_paused ? compile_once(worker, order, key) : failure;
}

std::optional<Failure> TrialBuilder::compile_once(Worker& worker, const BuildOrder& order,
                                                  const KernelKey& key) {
  if (is_cancelled()) return Failure{FailureKind::kCancelled, "interrupted"};
  if (const auto started = start(worker); !started) return started.error();
  Json params = {{"spec", text_of(order.spec)},
                 {"function", key.function},
                 {"object", byte_text(key.object.string())}};
  const auto fault = options_.faults.find(order.index);
  if (fault != options_.faults.end()) params["fault"] = fault->second;
  const auto reply = worker.process->call("compile", params, options_.time_limit, options_.cancel);
  ++worker.compiled;
  std::error_code ignored;
  if (!reply) {
    const Failure failure = as_build_failure(reply.error());
    // A refused config is an answer like any other; who knows what else leaves behind.
    if (failure.kind != FailureKind::kInvalidConfig) end(worker);
    return failure;
  }
  if (!fs::exists(key.object, ignored)) {
    return Failure{FailureKind::kBuildError, "the build worker wrote no object"};
  }
  return std::nullopt;
}

Outcome<void> TrialBuilder::start(Worker& worker) {
  const bool is_old = worker.compiled >= kMostKernels;
  if (worker.process != nullptr && worker.process->is_alive() && !is_old) return {};
  std::shared_lock lock(quiet_, std::defer_lock);
  if (worker.shares_cpu) lock.lock();
  end(worker);
  const fs::path log = options_.packages / fmt::format("build-worker-{}.log", worker.number);
  auto started = EngineProcess::start({options_.worker, {}, {worker.cpu}, log});
  if (!started) {
    return tl::make_unexpected(Failure{FailureKind::kBuildError, started.error().message});
  }
  worker.process = std::move(*started);
  worker.process->limit_memory(options_.memory_bytes);
  worker.pid = worker.process->pid();
  return {};
}

void TrialBuilder::end(Worker& worker) {
  worker.pid = 0;
  worker.process.reset();
  worker.compiled = 0;
}

void TrialBuilder::signal_workers(int signal) {
  for (const auto& worker : workers_) {
    if (const int pid = worker->pid; worker->shares_cpu && pid > 0) ::kill(pid, signal);
  }
}

TrialBuilder::Quiet::Quiet(TrialBuilder& builder)
    : builder_(builder), lock_(builder.quiet_), begin_s_(monotonic_s()) {
  builder_.signal_workers(SIGSTOP);
}

TrialBuilder::Quiet::~Quiet() {
  builder_.signal_workers(SIGCONT);
  builder_.paused_s_ += monotonic_s() - begin_s_;
}

}  // namespace opbench
