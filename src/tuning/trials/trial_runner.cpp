#include "tuning/trials/trial_runner.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "base/system/monotonic_clock.h"
#include "engines/client/handshake.h"
#include "engines/client/time_limits.h"
#include "engines/protocol/tensor_files.h"
#include "measuring/results/sample_flags.h"
#include "measuring/sampling/call_audit.h"
#include "measuring/sampling/engine_runner.h"
#include "model/judging/judgement.h"
#include "records/record/tuning_record.h"

namespace opbench {
namespace {

constexpr Seconds kHelloLimit{60};
/// What an answer may come after its limit when nothing was stopped.
constexpr Seconds kTrialRunnerLate{2};
/// Times the largest cache that are walked before a cold call: most of what was in there is gone,
/// and a trial stays short.
constexpr double kFlushed = 1.25;

tl::unexpected<Failure> failed(FailureKind kind, std::string text) {
  return tl::make_unexpected(Failure{kind, std::move(text)});
}

std::vector<std::pair<std::string, Tensor>> named(const std::vector<Tensor>& tensors) {
  std::vector<std::pair<std::string, Tensor>> named;
  for (size_t i = 0; i < tensors.size(); ++i) {
    named.emplace_back("x" + std::to_string(i), tensors[i]);
  }
  return named;
}

/// A device's own clock leaves out what the host does around a launch.
double time_of(const Sample& sample) { return sample.device_s.value_or(sample.wall_s); }

/// The unit that is the kernel: on a device copies of the inputs come first.
size_t kernel_unit(const TrialCase& trial_case) {
  return trial_case.is_on_device ? trial_case.inputs.size() : 0;
}

/// What is timed: the whole program, or the kernel alone where it has copies around it.
Json timed_unit(const TrialCase& trial_case) {
  return trial_case.is_on_device ? Json(kernel_unit(trial_case)) : Json();
}

bool is_disturbed(const Sample& sample, int threads) {
  return !flag_of(sample, {.number = 1, .threads = threads}).empty();
}

}  // namespace

TrialRunner::TrialRunner(TrialRunnerOptions options)
    : options_(std::move(options)),
      input_files_(std::make_unique<Json>(Json::array())),
      fresh_files_(std::make_unique<Json>(Json::array())) {}

TrialRunner::~TrialRunner() = default;

Result<void> TrialRunner::set_case(TrialCase trial_case) {
  case_ = std::move(trial_case);
  const auto& folder = options_.engine_options.folder;
  const int place = cases_++ % 2;
  OPBENCH_TRY(*input_files_,
              write_tensors(folder / fmt::format("inputs-{}", place), named(case_.inputs)));
  OPBENCH_TRY(*fresh_files_, write_tensors(folder / fmt::format("fresh-inputs-{}", place),
                                           named(case_.fresh_inputs)));
  return {};
}

Outcome<void> TrialRunner::start() {
  if (process_ != nullptr && process_->is_alive()) return {};
  process_.reset();
  auto started = EngineProcess::start(options_.engine.command(options_.engine_options));
  if (!started) return failed(FailureKind::kDeviceLost, started.error().message);
  process_ = std::move(*started);
  process_->limit_memory(options_.memory_bytes);
  const auto call = [&](const std::string& method, const Json& params) {
    return process_->call(method, params, kHelloLimit, options_.cancel);
  };
  const auto hello =
      say_hello(call, {options_.engine_options.threads, options_.engine_options.cpus});
  if (!hello) return failed(FailureKind::kDeviceLost, to_text(hello.error()));
  return {};
}

Outcome<Json> TrialRunner::call(const std::string& method, Json params, Seconds limit) {
  if (process_ == nullptr) return failed(FailureKind::kRunError, "the engine is gone");
  params["name"] = "trial";
  const double begin = monotonic_s();
  auto reply = process_->call(method, params, limit, options_.cancel);
  const Seconds late = Seconds(monotonic_s() - begin) - scaled_limit(limit).value_or(limit);
  was_stopped_ =
      !reply && reply.error().kind == FailureKind::kRunTimeout && late > kTrialRunnerLate;
  if (!reply) process_.reset();  // whatever went wrong, the next kernel gets a fresh one
  // This kernel has ended the device's context: a new process has one that works.
  if (!reply && reply.error().kind == FailureKind::kDeviceLost) {
    return failed(FailureKind::kRunError, reply.error().text);
  }
  return reply;
}

Outcome<double> TrialRunner::prepare(const std::filesystem::path& package, uint64_t index) {
  if (const auto started = start(); !started) return tl::make_unexpected(started.error());
  Json params = {{"kind", "package"}, {"path", package.string()}, {"inputs", *input_files_}};
  if (const auto fault = options_.faults.find(index); fault != options_.faults.end()) {
    params["fault_unit"] = kernel_unit(case_);
    params["fault"] = fault->second;
  }
  const auto prepared = call("prepare", std::move(params), options_.time_limit);
  if (!prepared) return tl::make_unexpected(prepared.error());
  const auto folder = options_.engine_options.folder / "outputs";
  const auto reply = call(
      "run",
      {{"unit", kernel_unit(case_)}, {"inputs", *input_files_}, {"outputs_dir", folder.string()}},
      options_.time_limit);
  if (!reply) return tl::make_unexpected(reply.error());
  if (const auto checked = check(*reply); !checked) {
    process_.reset();
    return tl::make_unexpected(checked.error());
  }
  return reply->value("cpu_s", 0.0);
}

Outcome<void> TrialRunner::check(const Json& reply) const {
  const auto outputs = reply.find("outputs");
  if (outputs == reply.end() || !outputs->is_array() || outputs->empty()) {
    return failed(FailureKind::kRunError, "it gave no output");
  }
  const auto got = read_tensor(outputs->front());
  if (!got) return failed(FailureKind::kRunError, got.error().message);
  const Graph& graph = case_.model->graph;
  const NamedValues inputs = [&] {
    std::map<std::string, Tensor> values;
    for (size_t i = 0; i < graph.inputs.size(); ++i) values[graph.inputs[i].name] = case_.inputs[i];
    return values;
  };
  const auto is_input = [&](const std::string& name) {
    return std::ranges::count(graph.inputs, name, &Value::name) > 0;
  };
  const Judgement found = judge(*got, case_.expected, graph.outputs.front().name,
                                {.model = *case_.model,
                                 .is_known = is_input,
                                 .known = inputs,
                                 .nearby = inputs,
                                 .cancel = options_.cancel});
  if (found.agrees) return {};
  return failed(FailureKind::kWrongResult, text_of(found));
}

Outcome<std::vector<Sample>> TrialRunner::samples(int64_t number, int repeats) {
  const auto reply = call("measure",
                          {{"unit", timed_unit(case_)},
                           {"number", number},
                           {"repeats", repeats},
                           {"cache", case_.has_cold_weights ? "cold-weights" : "hot"},
                           {"flushed", kFlushed}},
                          options_.time_limit);
  if (!reply) return tl::make_unexpected(reply.error());
  return parse_samples(*reply);
}

Outcome<void> TrialRunner::repeat(double call_s, double repeat_s, size_t repeats, Repeats& so_far) {
  // Cold calls are timed one by one.
  const double calls = case_.has_cold_weights ? 1 : std::ceil(repeat_s / std::max(call_s, 1e-9));
  const auto number = std::max<int64_t>(1, static_cast<int64_t>(calls));
  if (number != so_far.number) so_far = {.number = number};
  if (so_far.samples.size() >= repeats) return {};
  const auto missing = static_cast<int>(repeats - so_far.samples.size());
  auto taken = samples(number, missing);
  if (!taken) return tl::make_unexpected(taken.error());
  so_far.samples.insert(so_far.samples.end(), taken->begin(), taken->end());
  return {};
}

std::vector<double> TrialRunner::undisturbed(const Repeats& taken) const {
  const FlagContext context{.number = taken.number,
                            .threads = options_.engine_options.threads,
                            .usual_faults = usual_faults(taken.samples)};
  std::vector<double> times;
  for (const Sample& sample : taken.samples) {
    if (flag_of(sample, context).empty()) times.push_back(time_of(sample));
  }
  return times;
}

std::vector<double> TrialRunner::costs_of(const Repeats& taken) const {
  constexpr size_t kFewest = 3;
  std::vector<double> kept = undisturbed(taken);
  if (kept.size() < kFewest) {
    kept.clear();
    for (const Sample& sample : taken.samples) kept.push_back(time_of(sample));
  }
  if (kept.size() > 2) {
    kept.erase(std::ranges::max_element(kept));
    kept.erase(std::ranges::min_element(kept));
  }
  return kept;
}

Outcome<std::vector<double>> TrialRunner::measure(double first_s, double best_s) {
  // A first call meets memory that was never touched, which costs a millisecond or two.
  constexpr double kHopeless = 3, kFirst = 2e-3;
  constexpr double kSlow = 1.5;  // what a call that nothing disturbed is no slower than by chance
  constexpr double kShortRepeat = 0.5e-3, kLongRepeat = 1e-3;
  constexpr double kLongCall = 0.5, kMost = 2;  // seconds, so that no time limit is in reach
  constexpr size_t kLook = 3;
  constexpr double kRepeats = 10;
  constexpr size_t kEnough = 7, kTurns = 3;  // the fastest of few is so by luck
  // On a device the driver compiles the kernel at its first call.
  if (!case_.is_on_device) {
    if (best_s > 0 && first_s - kFirst > kHopeless * best_s) return std::vector<double>{first_s};
    if (first_s > kLongCall) return std::vector<double>{first_s};
  }
  const auto first = samples(1, 1);
  if (!first) return tl::make_unexpected(first.error());
  const double call_s = time_of(first->front());
  const double limit =
      is_disturbed(first->front(), options_.engine_options.threads) ? kHopeless : kSlow;
  if (best_s > 0 && call_s > limit * best_s) return std::vector<double>{call_s};
  // Repeats of one call are alike, those of the look and those that follow.
  Repeats taken{.number = 1, .samples = *first};
  if (const auto ok = repeat(call_s, kShortRepeat, kLook, taken); !ok) {
    return tl::make_unexpected(ok.error());
  }
  const double look_s = mean_cost(costs_of(taken));
  if (best_s > 0 && look_s > options_.contender * best_s) return costs_of(taken);
  const auto repeats = static_cast<size_t>(std::clamp(kMost / look_s, double{kLook}, kRepeats));
  for (size_t turn = 1; turn <= kTurns; ++turn) {
    if (const auto ok = repeat(look_s, kLongRepeat, turn * repeats, taken); !ok) {
      return tl::make_unexpected(ok.error());
    }
    if (undisturbed(taken).size() >= std::min(kEnough, repeats)) break;
  }
  if (const auto looked = look_at_timed_calls(); !looked) {
    return tl::make_unexpected(looked.error());
  }
  return costs_of(taken);
}

Outcome<void> TrialRunner::look_at_timed_calls() {
  if (fresh_files_->empty()) return {};
  const auto ask = [&](const std::string& method, const Json& params, Seconds limit) {
    return call(method, params, limit);
  };
  const CallAudit found =
      audit_calls(ask, *fresh_files_, options_.engine_options.folder / "audited");
  if (!found.failure) return {};
  process_.reset();
  return tl::make_unexpected(*found.failure);
}

Outcome<std::vector<double>> TrialRunner::measure_precisely() {
  // Short repeats: on a busy machine the longer ones are all disturbed.
  constexpr double kRepeat = 1e-3, kColdRepeat = 10e-3, kMost = 1.0;
  const auto first = samples(1, 2);
  if (!first) return tl::make_unexpected(first.error());
  const double call_s = std::min(time_of(first->front()), time_of(first->back()));
  const double repeat_s = case_.has_cold_weights ? call_s + kColdRepeat : std::max(call_s, kRepeat);
  const double repeats = std::clamp(kMost / repeat_s, 3.0, 100.0);
  Repeats taken;
  if (const auto ok = repeat(call_s, kRepeat, static_cast<size_t>(repeats), taken); !ok) {
    return tl::make_unexpected(ok.error());
  }
  return costs_of(taken);
}

void TrialRunner::release() {
  if (process_ != nullptr && process_->is_alive()) {
    static_cast<void>(call("release", Json::object(), options_.time_limit));
  }
}

}  // namespace opbench
