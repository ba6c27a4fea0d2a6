#include "experiments/sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/errors/suggestion.h"
#include "engines/catalog/engine.h"
#include "engines/catalog/engine_choice.h"
#include "experiments/sessions/make_engine_run.h"
#include "experiments/sessions/model/model_file.h"
#include "experiments/sessions/model/model_source.h"
#include "experiments/sweep/kernel_keys.h"
#include "machine/settings/setting.h"

namespace opbench {
namespace {

using Kind = SweepSetting::Kind;

std::vector<std::string> texts_of(const std::vector<int>& numbers) {
  std::vector<std::string> texts;
  for (const int number : numbers) texts.push_back(std::to_string(number));
  return texts;
}

bool has_key(const std::vector<SweepKey>& keys, const std::string& name) {
  return std::ranges::find(keys, name, &SweepKey::name) != keys.end();
}

std::vector<std::string> without_repeats(const std::vector<std::string>& words) {
  std::vector<std::string> once;
  for (const std::string& word : words) {
    if (std::ranges::find(once, word) == once.end()) once.push_back(word);
  }
  return once;
}

/// Lists of --engine and --threads are keys too.
void add_lists(const ProfileRequest& base, std::vector<SweepKey>& keys) {
  if (base.threads.size() > 1 && !has_key(keys, "threads")) {
    keys.insert(keys.begin(), {"threads", without_repeats(texts_of(base.threads)), true});
  }
  if (base.engines.size() > 1 && !has_key(keys, "engine")) {
    keys.insert(keys.begin(), {"engine", base.engines, false});
  }
}

Result<void> check_count(const std::vector<SweepKey>& keys) {
  double count = 1;
  for (const SweepKey& key : keys) count *= static_cast<double>(key.values.size());
  if (count <= static_cast<double>(SweepPlan::kMostPoints)) return {};
  std::vector<std::string> parts;
  for (const SweepKey& key : keys) {
    parts.push_back(fmt::format("{} of {}", key.values.size(), key.name));
  }
  return invalid_input(fmt::format("{:.0f} points are more than {}", count, SweepPlan::kMostPoints))
      .with("values", join(parts));
}

bool sets_batch(const SweepSetting& setting) {
  const bool is_first = setting.kind == Kind::kInputExtent && setting.dimension == 0;
  return setting.kind == Kind::kBatch || is_first;
}

bool sets_the_same(const SweepSetting& a, const SweepSetting& b) {
  if (a == b) return true;
  if (a.kind == Kind::kMachine && b.kind == Kind::kMachine) {
    const auto setting = setting_table().find(a.input);
    return setting && are_one(**setting, b.input);
  }
  return a.kind != b.kind && sets_batch(a) && sets_batch(b);
}

int to_int(const std::string& text) { return std::stoi(text); }

bool is_of_kernel(const SweepSetting& setting) {
  return setting.kind == Kind::kSchedule || setting.kind == Kind::kKnob;
}

}  // namespace

Result<SweepPlan> SweepPlan::make(ProfileRequest base, std::vector<SweepKey> keys) {
  add_lists(base, keys);
  if (keys.empty()) {
    return invalid_input("nothing to sweep over")
        .with("such as", "--over threads=1,2 --over batch=1,8");
  }
  OPBENCH_CHECK(check_count(keys));
  SweepPlan plan(std::move(base), std::move(keys));
  OPBENCH_CHECK(plan.read_subject());
  OPBENCH_CHECK(plan.add_settings());
  OPBENCH_CHECK(plan.check_kernel_keys());
  OPBENCH_CHECK(plan.check_extents());
  return plan;
}

Result<void> SweepPlan::read_subject() {
  if (!base_.model.workload.empty()) {
    OPBENCH_TRY(workload_, parse_workload(base_.model.workload));
    base_.model.workload = text_of(*workload_);
    return {};
  }
  // The whole of a model is timed, with all its operators in it.
  base_.measure.measures_units = false;
  Model model;
  if (base_.model.is_zoo) {
    ProfileRequest request = base_;
    request.model.extents.shapes.clear();
    OPBENCH_TRY(model, load_outline(request.model, request.measure, request.hooks));
  } else {
    OPBENCH_TRY(model, read_model_file(base_.model, base_.hooks));
  }
  inputs_ = model.graph.inputs;
  return {};
}

Result<void> SweepPlan::add_settings() {
  const SweepSubject subject{workload_ ? &*workload_ : nullptr, inputs_};
  for (size_t i = 0; i < keys_.size(); ++i) {
    OPBENCH_TRY(const SweepSetting setting,
                setting_of(keys_[i], subject, base_.hooks.user_engines));
    for (size_t k = 0; k < i; ++k) {
      if (!sets_the_same(settings_[k], setting)) continue;
      return keys_[i].name == keys_[k].name
                 ? invalid_input(fmt::format("--over names \"{}\" twice", keys_[i].name))
                 : invalid_input(fmt::format("\"{}\" and \"{}\" of --over set the same",
                                             keys_[k].name, keys_[i].name));
    }
    settings_.push_back(setting);
  }
  return {};
}

// An engine that brings its own kernels would take no notice of a schedule.
Result<void> SweepPlan::check_kernel_keys() const {
  const auto kernel_key = std::ranges::find_if(settings_, is_of_kernel);
  if (kernel_key == settings_.end()) return {};
  const std::string& name = keys_[static_cast<size_t>(kernel_key - settings_.begin())].name;
  if (!base_.settings.candidates.empty()) {
    return invalid_input("--tuning-log and --over " + name + " both choose the kernel")
        .with("valid", "one of them");
  }
  std::vector<std::string> engines = base_.engines;
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (settings_[i].kind == Kind::kEngine) engines = keys_[i].values;
  }
  for (const std::string& engine : engines) {
    const auto known = engine_table().find(engine);
    if (known && (*known)->takes_packages) continue;
    return invalid_input("--over " + name + " is for engines that run our kernels, not \"" +
                         engine + "\"");
  }
  return {};
}

// A point that does not fit is a row of the result; when first and last do not, and say the same,
// nothing was asked for that could be measured.
Result<void> SweepPlan::check_extents() const {
  const auto tried = [&](size_t index) -> Result<void> {
    OPBENCH_TRY(const ProfileRequest point, request(index));
    OPBENCH_TRY(const Model model, load_model(point.model, point.measure, point.hooks));
    return {};
  };
  const Result<void> first = tried(0);
  if (first) return {};
  const Result<void> last = tried(size() - 1);
  if (!last && last.error() == first.error()) return Error(first.error());
  return {};
}

SweepPoint SweepPlan::point(size_t index) const {
  SweepPoint point;
  point.index = index;
  point.values = point_values(keys_, index);
  point.engine = base_.engines.front();
  point.threads = base_.threads.front();
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (settings_[i].kind == Kind::kEngine) point.engine = point.values[i];
    if (settings_[i].kind == Kind::kThreads) point.threads = to_int(point.values[i]);
  }
  const Result<ProfileRequest> made = request(index);
  if (!workload_) {
    point.batch = made ? model_batch(*made) : 1;
    return point;
  }
  point.workload = made ? made->model.workload : base_.model.workload;
  const Result<Workload> workload = parse_workload(point.workload);
  if (workload) point.batch = batch_of(*workload);
  return point;
}

int64_t SweepPlan::model_batch(const ProfileRequest& request) const {
  if (request.model.extents.batch_size > 0) return request.model.extents.batch_size;
  if (inputs_.empty() || inputs_[0].dimensions.empty()) return 1;
  const auto shape = request.model.extents.shapes.find(inputs_[0].name);
  const bool is_given = shape != request.model.extents.shapes.end() && !shape->second.empty();
  return std::max<int64_t>(is_given ? shape->second[0] : inputs_[0].dimensions[0].value, 1);
}

Result<ProfileRequest> SweepPlan::request(size_t index) const {
  ProfileRequest request = base_;
  request.engines = {base_.engines.front()};
  request.threads = {base_.threads.front()};
  const std::vector<std::string> values = point_values(keys_, index);
  std::vector<ExtentChange> changes;
  for (size_t i = 0; i < keys_.size(); ++i) {
    apply(i, values[i], request, changes);
  }
  if (workload_) {
    OPBENCH_TRY(const Workload workload, with_extents(*workload_, changes));
    request.model.workload = text_of(workload);
  }
  OPBENCH_CHECK(choose_kernel(values, request));
  replace_batch(request);
  OPBENCH_CHECK(complete_shapes(request));
  add_command(values, request);
  return request;
}

Result<void> SweepPlan::choose_kernel(const std::vector<std::string>& values,
                                      ProfileRequest& request) const {
  KernelKeys kernel;
  for (size_t i = 0; i < settings_.size(); ++i) {
    if (settings_[i].kind == Kind::kSchedule) kernel.schedule = values[i];
    if (settings_[i].kind == Kind::kKnob) kernel.knobs[settings_[i].input] = std::stoll(values[i]);
  }
  if (kernel.is_empty()) return {};
  OPBENCH_TRY(KernelChoice choice, kernel_of(request, kernel));
  request.settings.kernels = {std::move(choice)};
  return {};
}

// A batch that the model's file fixes is replaced, as other extents are.
void SweepPlan::replace_batch(ProfileRequest& request) const {
  const bool has_key =
      std::ranges::find(settings_, Kind::kBatch, &SweepSetting::kind) != settings_.end();
  if (!has_key || request.model.is_zoo) return;
  for (const Value& input : inputs_) {
    const std::vector<Dimension>& dimensions = input.dimensions;
    const bool is_fixed = std::ranges::none_of(dimensions, &Dimension::is_free);
    if (dimensions.empty() || !is_fixed || dimensions[0].value == request.model.extents.batch_size)
      continue;
    Shape& shape = request.model.extents.shapes[input.name];
    for (size_t i = shape.size(); i < dimensions.size(); ++i) shape.push_back(dimensions[i].value);
    shape[0] = request.model.extents.batch_size;
    request.model.extents.replaces_fixed = true;
  }
}

// Shapes that keys made have the batch too, and no free extent left.
Result<void> SweepPlan::complete_shapes(ProfileRequest& request) const {
  for (const SweepSetting& setting : settings_) {
    if (setting.kind != Kind::kInputExtent) continue;
    request.model.extents.replaces_fixed = true;
    Shape& shape = request.model.extents.shapes[setting.input];
    for (size_t i = 0; i < shape.size(); ++i) {
      const bool is_swept = std::ranges::any_of(settings_, [&](const SweepSetting& other) {
        return other.input == setting.input && other.dimension == i;
      });
      if (i == 0 && request.model.extents.batch_size > 0 && !is_swept)
        shape[i] = request.model.extents.batch_size;
      if (shape[i] >= 1) continue;
      const std::string name = fmt::format("{}.{}", setting.input, i);
      return invalid_input(fmt::format("dimension {} of input \"{}\" is free", i, setting.input))
          .with("give", fmt::format("--over {}=…, or --shape {}=D,D…", name, setting.input));
    }
  }
  return {};
}

void SweepPlan::apply(size_t key, const std::string& value, ProfileRequest& request,
                      std::vector<ExtentChange>& changes) const {
  const SweepSetting& setting = settings_[key];
  switch (setting.kind) {
    case Kind::kEngine:
      request.engines = {value};
      break;
    case Kind::kThreads:
      request.threads = {to_int(value)};
      break;
    case Kind::kBatch:
      request.model.extents.batch_size = to_int(value);
      break;
    case Kind::kCache:
      request.measure.cache = parse_cache_mode(value).value_or(request.measure.cache);
      break;
    case Kind::kTarget:
      request.settings.target = value;
      break;
    case Kind::kExecutor:
      request.settings.executor = value;
      break;
    case Kind::kParallel:
      request.settings.parallel = value;
      request.settings.executor =
          has_streams(request.settings) ? planned_executor() : RunSettings().executor;
      request.measure.measures_units =
          request.measure.measures_units && !has_streams(request.settings);
      break;
    case Kind::kFusion:
      request.settings.is_fused = value == "on";
      break;
    case Kind::kSchedule:
    case Kind::kKnob:
      break;  // choose_kernel(), once all of them and the extents are known
    case Kind::kExtent:
      changes.push_back({setting.extent, to_int(value)});
      break;
    case Kind::kMachine:
      request.settings.machine[setting.input] = value;
      break;
    case Kind::kDimension:
      request.model.extents.dimensions[setting.input] = to_int(value);
      break;
    case Kind::kInputExtent:
      bind_input(setting, to_int(value), request);
  }
}

void SweepPlan::bind_input(const SweepSetting& setting, int64_t extent,
                           ProfileRequest& request) const {
  Shape& shape = request.model.extents.shapes[setting.input];
  if (shape.empty()) {
    const auto input = std::ranges::find(inputs_, setting.input, &Value::name);
    for (const Dimension& dimension : input->dimensions) shape.push_back(dimension.value);
  }
  if (setting.dimension < shape.size()) shape[setting.dimension] = extent;
}

void SweepPlan::add_command(const std::vector<std::string>& values, ProfileRequest& request) const {
  std::vector<std::string>& words = request.notes.argv;
  const auto add = [&](const char* option, std::string value) {
    words.emplace_back(option);
    words.push_back(std::move(value));
  };
  if (workload_) words.push_back(request.model.workload);
  add("--engine", request.engines[0]);
  add("--threads", std::to_string(request.threads[0]));
  if (workload_) add("--cache", name_of(request.measure.cache));
  for (const auto& [name, shape] : base_.model.extents.shapes)
    add("--shape", name + "=" + shape_text(shape));
  bool has_batch = request.model.extents.batch_size > 0;
  for (const auto& [name, extent] : request.model.extents.dimensions) {
    add("--dim", fmt::format("{}={}", name, extent));
  }
  // `profile` takes the extents of a model and the machine as they are, `op` the default kernel.
  const bool has_kernel_keys =
      std::ranges::any_of(settings_, is_of_kernel) || !request.settings.machine.empty();
  if (request.model.extents.replaces_fixed || has_kernel_keys) words.at(1) = "sweep";
  for (size_t i = 0; i < keys_.size(); ++i) {
    if (settings_[i].kind == Kind::kTarget) add("--target", values[i]);
    if (settings_[i].kind == Kind::kExecutor) add("--executor", values[i]);
    if (settings_[i].kind == Kind::kParallel) add("--parallel", values[i]);
    if (settings_[i].kind == Kind::kFusion) add("--fusion", values[i]);
    const bool is_batch = settings_[i].kind == Kind::kBatch;
    const bool is_extent = is_batch || settings_[i].kind == Kind::kInputExtent;
    const bool is_kept = is_of_kernel(settings_[i]) || settings_[i].kind == Kind::kMachine ||
                         (is_extent && request.model.extents.replaces_fixed);
    if (!is_kept) continue;
    add("--over", keys_[i].name + "=" + values[i]);
    has_batch = has_batch && !is_batch;
  }
  if (has_batch) add("--batch-size", std::to_string(request.model.extents.batch_size));
}

std::vector<SweepGroup> SweepPlan::groups() const {
  std::map<std::vector<std::string>, size_t> known;
  std::vector<SweepGroup> groups;
  for (size_t index = 0; index < size(); ++index) {
    std::vector<std::string> values = point_values(keys_, index);
    for (size_t i = 0; i < keys_.size(); ++i) {
      const bool is_run = settings_[i].kind == Kind::kEngine || settings_[i].kind == Kind::kThreads;
      if (is_run) values[i].clear();
    }
    const auto [place, is_new] = known.emplace(std::move(values), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].points.push_back(index);
  }
  return groups;
}

}  // namespace opbench
