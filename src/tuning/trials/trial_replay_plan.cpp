#include "tuning/trials/trial_replay_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors/error_line.h"
#include "base/errors/suggestion.h"
#include "machine/target/device_type.h"
#include "machine/target/parse_target.h"
#include "machine/target/tvm_target.h"
#include "records/formats/best_records.h"
#include "records/formats/logs/tuning_codec.h"

namespace opbench {
namespace {

bool has_failed(const TuningRecord& record) {
  return record.result.error_no != 0 || record.result.costs_s.empty();
}

std::string task_key(const TuningRecord& record) {
  const auto target = parse_tvm_target(record.target);
  return (target ? target->canonical : record.target) + "\n" + workload_key(record);
}

Error skip(std::string reason) { return {ErrorCode::kNoMatch, std::move(reason)}; }

/// The target of a record, if this machine runs its code.
Result<Target> target_here(const std::string& text) {
  const std::string quoted = "target \"" + text + "\"";
  const auto known = parse_tvm_target(text);
  if (!known) return skip(quoted + " cannot be read: " + known.error().message);
  const auto target = parse_target(text);
  if (!target) return skip(quoted + " is not known here: " + target.error().message);
  const DeviceType type = device_type(*target);
  if (type == DeviceType::kOpenCl || type == DeviceType::kCuda) {
    return skip(quoted + " is for a GPU: --target opencl compiles it for an OpenCL device");
  }
  if (std::string missing; !runs_here(*target, missing)) {
    return skip(quoted + " does not run here: " + missing + " is missing");
  }
  return *target;
}

std::string model_of(const Target& target) {
  const auto model = target.attributes.find("model");
  return model == target.attributes.end() ? "" : model->second;
}

/// What is asked for by the name of a model is not measured on what another model's log chose.
Result<Target> target_asked_for(const Target& asked, const std::string& recorded) {
  const std::string wanted = model_of(asked);
  const auto theirs = wanted.empty() ? Result<Target>(asked) : parse_target(recorded);
  const std::string found = theirs ? model_of(*theirs) : "";
  if (wanted.empty() || found == wanted) return asked;
  const bool is_near = !found.empty() && !nearest_name(wanted, {found}).empty();
  return skip("target \"" + recorded + "\" is of " +
              (found.empty() ? "no model" : "the model \"" + found + "\"") +
              ", and --target asks for \"" + wanted + "\"" +
              (is_near ? "; did you mean: " + found + "?" : ""));
}

/// With the template that may be meant.
Error with_guess(Error error, const std::string& name) {
  const std::vector<std::string> known = template_table().names();
  const std::string guess = nearest_name(name, known);
  if (!guess.empty() && guess != name) error.facts.push_back({"did you mean", guess});
  return error;
}

/// Templates that are not TVM's are numbered as today.
Result<LoggedSpace> space_of_log(const TunableTask& task, const KnobConfig& config) {
  if (template_table().find(task.task.name)) return logged_space(task.task, config);
  const KnobConfig whole = with_new_knobs(task, config);
  const auto index = index_of(task.space, whole);
  return LoggedSpace{
      .space = task.space, .config = whole, .is_consistent = index && *index == config.index};
}

/// Version 0.7 took all rows of a tile at once, as a group of one does.
void complete_knobs(const LoggedSpace& logged, KnobConfig& config) {
  if (std::ranges::find(logged.rules, LegacyRule::kNoInnerTile) == logged.rules.end()) return;
  config.knobs.push_back(
      {"tile_inner", "sp", Argument::of_tuple({Argument::of_int(-1), Argument::of_int(1)})});
}

}  // namespace

std::string replay_key(const TuningRecord& record) {
  TuningRecord named = record;
  if (auto* config = std::get_if<KnobConfig>(&named.config)) {
    config->index = 0;
    config->code_hash.reset();
  }
  return config_identity(named);
}

void ReplayPlan::add(const TuningRecord& record, int64_t line) {
  if (!wish_.lines.empty() && !wish_.lines.contains(line)) return;
  if (wish_.is_best_only ? has_failed(record) : is_full()) return;
  ReplayTrial trial{.line = line};
  auto upgraded = upgrade_autotvm(record);
  if (!upgraded) trial.skipped = upgraded.error().message;
  trial.record = upgraded ? *upgraded : record;
  if (!wish_.is_best_only) {
    resolve(trial);
    trials_.push_back(std::move(trial));
    return;
  }
  const auto [known, is_new] = best_.emplace(task_key(trial.record), trials_.size());
  if (is_new) {
    trials_.push_back(std::move(trial));
    return;
  }
  ReplayTrial& best = trials_[known->second];
  const bool is_faster = mean_cost(record.result.costs_s) < mean_cost(best.record.result.costs_s);
  if (is_faster) best = std::move(trial);
}

std::vector<ReplayTrial> ReplayPlan::finish() {
  if (!wish_.is_best_only) return std::move(trials_);
  std::ranges::sort(trials_, {}, &ReplayTrial::line);
  std::vector<ReplayTrial> wanted;
  for (ReplayTrial& trial : trials_) {
    if (is_full()) break;
    resolve(trial);
    wanted.push_back(std::move(trial));
  }
  return wanted;
}

void ReplayPlan::resolve(ReplayTrial& trial) {
  if (!trial.skipped.empty()) return;
  if (has_failed(trial.record)) {
    trial.skipped = fmt::format("it failed then, with error {}", trial.record.result.error_no);
    return;
  }
  if (!std::holds_alternative<KnobConfig>(trial.record.config)) {
    trial.skipped =
        fmt::format("{} records have no config space", name_of(trial.record.origin.format));
    return;
  }
  const KnownTask& known = task_of(trial.record);
  if (known.task == nullptr) {
    trial.skipped = known.skipped;
    return;
  }
  trial.task = known.task.get();
  take_config(trial);
  if (trial.fault || !trial.skipped.empty()) trial.task = nullptr;
  if (trial.task != nullptr) ++repeated_;
}

const ReplayPlan::KnownTask& ReplayPlan::task_of(const TuningRecord& record) {
  const auto [known, is_new] = tasks_.emplace(task_key(record), KnownTask{});
  if (!is_new) return known->second;
  auto task = make_task(record);
  if (task) {
    known->second.task = std::make_unique<TunableTask>(std::move(*task));
  } else {
    known->second.skipped = one_line_text(task.error());
  }
  return known->second;
}

Result<TunableTask> ReplayPlan::make_task(const TuningRecord& record) const {
  constexpr double kGiga = 1 << 30;
  OPBENCH_TRY(const Target target, wish_.target ? target_asked_for(*wish_.target, record.target)
                                                : target_here(record.target));
  auto tunable = tunable_task(recorded_task(record, target), tasks_.size());
  if (!tunable) return with_guess(tunable.error(), record.task);
  const double bytes = bytes_of(tunable->workload);
  if (bytes > wish_.memory_bytes) {
    return skip(fmt::format("its tensors take {:.3g} GiB, more than {:.3g}", bytes / kGiga,
                            wish_.memory_bytes / kGiga));
  }
  return *std::move(tunable);
}

void ReplayPlan::take_config(ReplayTrial& trial) const {
  const auto& logged_config = std::get<KnobConfig>(trial.record.config);
  const auto logged = space_of_log(*trial.task, logged_config);
  if (!logged) {
    trial.skipped = one_line_text(logged.error());
    return;
  }
  if (const auto index = index_of(logged->space, logged->config); !index) {
    trial.fault = index.error();
    return;
  }
  trial.is_index_wrong = !logged->is_consistent;
  trial.config = logged->config;
  complete_knobs(*logged, trial.config);
  // Where the space was another one, the config has another number today.
  if (const auto index = index_of(trial.task->space, trial.config)) trial.config.index = *index;
  if (const auto spec = candidate_of(*trial.task, trial.config); !spec) {
    trial.skipped = one_line_text(spec.error());
  }
}

}  // namespace opbench
