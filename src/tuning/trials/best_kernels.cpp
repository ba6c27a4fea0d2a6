#include "tuning/trials/best_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/errors/suggestion.h"
#include "kernels/tasks/legacy_space.h"
#include "machine/target/tvm_target.h"
#include "records/formats/logs/tuning_codec.h"
#include "records/formats/record_scan.h"
#include "tuning/trials/candidate.h"
#include "tuning/trials/chosen_kernel.h"
#include "tuning/trials/own_task.h"
#include "tuning/trials/zero_shot_file.h"

namespace opbench {
namespace {

struct Timed {
  KernelChoice choice;
  double mean_s = 0;
};

struct Best {
  Timed fastest;
  std::optional<Timed> of_default;
};

/// The fastest of many trials is partly luck: less than this says nothing.
constexpr double kMargin = 0.02;

bool is_default_config(const KernelSpec& spec, int threads) {
  KernelSpec usual = spec;
  usual.threads = threads;
  return choose_schedule(usual) && usual.schedule == spec.schedule && usual.config == spec.config;
}

/// As today's space has it: splits of old logs have all sizes.
KnobConfig config_today(const TunableTask& task, const KnobConfig& config) {
  if (!template_table().find(task.task.name)) return with_new_knobs(task, config);
  const auto logged = logged_space(task.task, config);
  return with_new_knobs(task, logged ? logged->config : config);
}

const KernelChoice& chosen(const Best& best) {
  const bool keeps_default =
      best.of_default && best.fastest.mean_s > best.of_default->mean_s * (1 - kMargin);
  return keeps_default ? best.of_default->choice : best.fastest.choice;
}

class BestKernels {
 public:
  BestKernels(const std::string& file, const Target& target, Target identity, int threads)
      : file_(file), target_(target), identity_(std::move(identity)), threads_(threads) {}

  void take(const TuningRecord& logged, int64_t line) {
    ++records_;
    const auto upgraded = upgrade_autotvm(logged);
    if (!upgraded) reasons_.insert(upgraded.error().message);
    const TuningRecord& record = upgraded ? *upgraded : logged;
    const auto* config = std::get_if<KnobConfig>(&record.config);
    if (record.result.error_no != 0 || config == nullptr) return;
    if (!is_of_target(record)) return;
    const TunableTask* task = task_of(record);
    if (task == nullptr) return;
    const KnobConfig whole = config_today(*task, *config);
    const auto index = index_of(task->space, whole);
    const auto spec = index ? candidate_of(*task, whole) : Result<KernelSpec>(index.error());
    if (!spec) {
      reasons_.insert(spec.error().message);
      return;
    }
    // Templates of TVM are never the default.
    KernelChoice choice = chosen_kernel(*spec, fmt::format("{}:{}", file_, line));
    const bool is_default = !choice.is_of_anchor && is_default_config(*spec, threads_);
    keep({std::move(choice), mean_cost(record.result.costs_s)}, is_default);
  }

  Result<std::vector<KernelChoice>> finish() {
    std::vector<KernelChoice> choices;
    for (const auto& [key, best] : best_) choices.push_back(chosen(best));
    if (!choices.empty()) return choices;
    Error error{ErrorCode::kInvalidInput,
                fmt::format("tuning log \"{}\" has no kernel for this target", file_)};
    error.facts.push_back({"target", display_text(target_)});
    error.facts.push_back({"records", std::to_string(records_)});
    if (!other_targets_.empty()) {
      error.facts.push_back(
          {"of other targets", join({other_targets_.begin(), other_targets_.end()})});
    }
    for (const std::string& reason : reasons_) error.facts.push_back({"reason", reason});
    return error;
  }

 private:
  bool is_of_target(const TuningRecord& record) {
    if (record.target != last_target_) {
      const auto theirs = parse_tvm_target(record.target);
      is_same_ = theirs && theirs->identity == identity_;
      last_target_ = record.target;
    }
    if (!is_same_) other_targets_.insert(record.target);
    return is_same_;
  }

  /// Null when it has no schedule here; each task is looked at once.
  const TunableTask* task_of(const TuningRecord& record) {
    const auto [place, is_new] = tasks_.try_emplace(workload_key(record));
    if (is_new) {
      auto tunable = tunable_task(recorded_task(record, target_), 0);
      if (tunable) {
        place->second = std::move(*tunable);
      } else {
        reasons_.insert(tunable.error().message);
      }
    }
    return place->second ? &*place->second : nullptr;
  }

  void keep(Timed timed, bool is_default) {
    const KernelChoice& choice = timed.choice;
    if (!has_usual_blocks(choice, target_)) {
      reasons_.insert(fmt::format("channels in blocks other than {}", float_lanes(target_)));
      return;
    }
    const std::string key = fmt::format("{} {}", choice.workload, fmt::join(choice.blocks, ","));
    const auto [place, is_new] = best_.try_emplace(key, Best{timed, std::nullopt});
    Best& best = place->second;
    if (is_default && (!best.of_default || timed.mean_s < best.of_default->mean_s))
      best.of_default = timed;
    if (timed.mean_s < best.fastest.mean_s) best.fastest = std::move(timed);
  }

  const std::string& file_;
  const Target& target_;
  const Target identity_;
  const int threads_;
  int64_t records_ = 0;
  std::string last_target_;
  bool is_same_ = false;
  std::set<std::string> other_targets_;
  std::set<std::string> reasons_;
  std::map<std::string, std::optional<TunableTask>> tasks_;
  std::map<std::string, Best> best_;
};

}  // namespace

Result<std::vector<KernelChoice>> best_kernels(const std::string& file, const Target& target,
                                               int threads) {
  OPBENCH_TRY(auto chosen, read_zero_shot(file, target));
  if (chosen) return std::move(*chosen);
  OPBENCH_TRY(const TvmTarget here, parse_tvm_target(display_text(target)));
  BestKernels best(file, target, here.identity, threads);
  const ScanReport report =
      scan_records(file, {}, [&](const AnyRecord& record, const ReadItem& item) {
        if (const auto* trial = std::get_if<TuningRecord>(&record)) best.take(*trial, item.line);
      });
  if (report.failure) return *report.failure;
  return best.finish();
}

}  // namespace opbench
