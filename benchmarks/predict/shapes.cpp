#include "benchmarks/predict/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "machine/target/parse_target.h"
#include "records/formats/record_scan.h"
#include "tuning/trials/candidate.h"
#include "tuning/trials/own_task.h"

namespace opbench {
namespace {

Result<ConfigSpace> space_of_any(const Task& task) {
  if (!is_own_task(task.name)) return space_of(task);
  OPBENCH_TRY(TunableTask tunable, tunable_task(task, 0));
  return std::move(tunable.space);
}

/// `1x64x56x56 64x64x3x3 1 1 …`
std::string shape_name(const Task& task) {
  std::string name;
  for (const Argument& argument : task.arguments) {
    if (argument.kind == ArgumentKind::kString && is_own_task(task.name)) return argument.text;
    if (argument.kind != ArgumentKind::kTensor && argument.kind != ArgumentKind::kTuple) continue;
    if (!name.empty()) name += " ";
    for (size_t i = 0; i < argument.items.size(); ++i)
      name += (i == 0 ? "" : "x") + std::to_string(argument.items[i].integer);
  }
  return name;
}

class LogReader {
 public:
  void take(const TuningRecord& record) {
    const auto* config = std::get_if<KnobConfig>(&record.config);
    if (config == nullptr) return;
    MeasuredShape* shape = shape_of(record);
    const auto index = shape == nullptr ? Result<uint64_t>(0) : index_of(shape->space, *config);
    if (shape == nullptr || !index) {
      ++left_out_;
      return;
    }
    const bool has_failed = record.result.error_no != 0 || record.result.costs_s.empty();
    const double time_s = has_failed ? kInfinity : mean_cost(record.result.costs_s);
    const auto [place, is_new] = shape->times_s.try_emplace(*index, time_s);
    place->second = std::min(place->second, time_s);
    shape->best_s = std::min(shape->best_s, time_s);
    const auto count = static_cast<double>(shape->times_s.size());
    if (is_new) shape->trial_s += (record.result.all_cost_s.value_or(0) - shape->trial_s) / count;
  }

  /// Shapes with at least `least` configs, in groups of three at least.
  Groups finish(size_t least) {
    Groups groups;
    for (auto& [key, shape] : shapes_) {
      if (!shape || shape->times_s.size() < least || shape->best_s == kInfinity) continue;
      groups[group_of_.at(key)].push_back(std::move(*shape));
    }
    std::erase_if(groups, [](const auto& group) { return group.second.size() < 3; });
    return groups;
  }

  size_t left_out() const { return left_out_; }

 private:
  /// Null when its target or space is not known.
  MeasuredShape* shape_of(const TuningRecord& record) {
    const std::string key = record.target + "\n" + workload_key(record);
    const auto [place, is_new] = shapes_.try_emplace(key);
    if (is_new) {
      if (const auto target = parse_target(record.target)) {
        MeasuredShape shape{
            .name = {}, .task = recorded_task(record, *target), .space = {}, .times_s = {}};
        shape.name = shape_name(shape.task);
        if (auto space = space_of_any(shape.task)) {
          shape.space = std::move(*space);
          group_of_[key] = fmt::format("{} on {}", record.task, record.target);
          place->second = std::move(shape);
        }
      }
    }
    return place->second ? &*place->second : nullptr;
  }

  std::map<std::string, std::optional<MeasuredShape>> shapes_;
  std::map<std::string, std::string> group_of_;
  size_t left_out_ = 0;
};

}  // namespace

Result<Groups> read_shapes(const std::string& folder, size_t least, Report& report) {
  std::error_code failure;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failure)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  if (failure) {
    return Error{ErrorCode::kInvalidInput, fmt::format("cannot read folder \"{}\"", folder)}.with(
        "reason", failure.message());
  }
  std::ranges::sort(files);
  LogReader reader;
  for (const std::string& file : files) {
    const ScanReport scan = scan_records(file, {}, [&](const AnyRecord& record, const ReadItem&) {
      if (const auto* trial = std::get_if<TuningRecord>(&record)) reader.take(*trial);
    });
    if (scan.failure) Report::progress("left out: " + to_text(*scan.failure));
  }
  Groups groups = reader.finish(least);
  if (reader.left_out() > 0)
    report.note(fmt::format("{} trials without a known space are left out", reader.left_out()));
  if (!groups.empty()) return groups;
  return Error{ErrorCode::kNoMatch,
               fmt::format("no three shapes of a template with {} configs each", least)}
      .with("in", folder)
      .with("give", "--measure MODEL to measure some, or a lower --least");
}

}  // namespace opbench
