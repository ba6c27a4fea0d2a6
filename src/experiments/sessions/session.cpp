#include "experiments/sessions/session.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "base/files/code_folder.h"
#include "engines/catalog/engine_choice.h"
#include "engines/package/unit_placement.h"
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/check/check.h"
#include "experiments/sessions/make_engine_run.h"
#include "experiments/sessions/model/memory_need.h"
#include "experiments/sessions/planned_teams.h"
#include "experiments/sessions/run_code.h"
#include "experiments/sessions/variant_device.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"
#include "machine/target/cuda_arch.h"
#include "machine/target/parse_target.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

bool needs_types(const EngineDef& definition) {
  return definition.prepare_model != nullptr || !definition.runs_models;
}

// A user's engine may send anything: what is of another kind is left out.
void describe(const Json& hello, EngineResult& result) {
  const Json version = hello.value("version", Json());
  if (version.is_string()) result.version = version;
  const Json call_floor = hello.value("call_floor_ms", Json());
  if (call_floor.is_number()) result.call_floor_ms = call_floor;
  const Json device = hello.value("device", Json());
  if (device.is_object()) {
    for (const auto& [name, text] : device.items()) {
      if (text.is_string()) result.device[name] = text;
    }
  }
  const Json versions = hello.value("versions", Json::object());
  if (!versions.is_object()) return;
  for (const auto& [name, text] : versions.items()) {
    if (text.is_string()) result.versions[name] = text;
  }
}

}  // namespace

Result<std::vector<int>> cpus_of(const Topology& topology, const RunSettings& settings,
                                 int threads) {
  return choose_cpus(topology, threads, settings.cpus.empty() ? current_affinity() : settings.cpus);
}

Result<std::unique_ptr<Session>> Session::make(ModelSpec spec, std::vector<Variant> variants,
                                               MeasureOptions measure, RunHooks hooks,
                                               SessionOptions options) {
  std::unique_ptr<Session> session(
      new Session(std::move(spec), std::move(measure), std::move(hooks), std::move(options)));
  OPBENCH_CHECK(session->open(variants));
  return session;
}

Session::Session(ModelSpec spec, MeasureOptions measure, RunHooks hooks, SessionOptions options)
    : spec_(std::move(spec)),
      measure_(std::move(measure)),
      hooks_(std::move(hooks)),
      options_(std::move(options)),
      folder_(options_.folder),
      input_files_(std::make_unique<Json>()),
      fresh_files_(std::make_unique<Json>()) {}

Session::~Session() = default;

void Session::report(const std::string& stage, const std::string& engine, const std::string& item,
                     int64_t done, int64_t total) const {
  if (hooks_.progress) hooks_.progress({stage, engine, item, done, total, {}, {}, {}});
}

Result<void> Session::open(const std::vector<Variant>& variants) {
  OPBENCH_CHECK(read_targets(variants));
  std::vector<EngineDef> definitions;
  for (const Variant& variant : variants) {
    OPBENCH_TRY(EngineDef definition, find_engine(hooks_.user_engines, variant.engine));
    const Target& target = targets_[definitions.size()];
    OPBENCH_CHECK(check_engine_of_device(definition, target, variant));
    OPBENCH_CHECK(check_cache_of_device(definition, target, measure_.cache));
    definitions.push_back(std::move(definition));
  }
  OPBENCH_CHECK(validate_check(spec_, measure_, hooks_, variants));
  OPBENCH_CHECK(read_model());
  if (options_.accept) OPBENCH_CHECK(options_.accept(model_));
  std::vector<std::optional<PlanFile>> plans;
  for (const Variant& variant : variants) {
    OPBENCH_TRY(std::optional<PlanFile> plan, chosen_plan(variant.settings.plan, model_));
    plans.push_back(std::move(plan));
  }
  OPBENCH_CHECK(check_memory(model_.graph, model_.name));
  OPBENCH_CHECK(make_inputs());
  OPBENCH_TRY(topology_, this_topology());
  OPBENCH_CHECK(choose_cache());
  for (size_t i = 0; i < variants.size(); ++i) {
    OPBENCH_TRY(std::vector<int> cpus,
                cpus_of(topology_, variants[i].settings, variants[i].threads));
    if (types_error_ && needs_types(definitions[i])) {
      refused_.push_back({variants[i], std::move(cpus), *types_error_});
    } else {
      OPBENCH_CHECK(add(variants[i], definitions[i], i, cpus, plans[i]));
    }
    if (refused_.size() == variants.size()) return *types_error_;
  }
  std::vector<EngineSetup> setups;
  for (const EngineRun& engine_run : engine_runs_) setups.push_back(engine_run.built.setup);
  runner_ = std::make_unique<EngineRunner>(std::move(setups), std::vector<EngineItem>());
  return {};
}

Result<void> Session::read_targets(const std::vector<Variant>& variants) {
  for (const Variant& variant : variants) {
    OPBENCH_TRY(Target target, parse_target(variant.settings.target));
    OPBENCH_TRY(FoundDevice device,
                device_of_variant(target, variant.settings, options_.takes_emulated));
    targets_.push_back(with_arch(std::move(target), device.arch));
    devices_.push_back(std::move(device));
  }
  return {};
}

Result<void> Session::read_model() {
  report("read", "", spec_.name, 0, 0);
  OPBENCH_TRY(model_, load_model(spec_, measure_, hooks_));
  const auto types = infer_types(model_);
  if (types) return {};
  types_error_ = in_model(types.error(), spec_);
  (void)infer_known_types(model_);  // as far as they go: for the FLOPs of what other engines run
  return {};
}

Result<void> Session::make_inputs() {
  OPBENCH_TRY(inputs_, input_tensors(spec_, model_));
  if (folder_.empty()) {
    OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
    own_folder_.emplace(std::move(folder));
    folder_ = own_folder_->path();
  }
  OPBENCH_TRY(*input_files_, write_tensors(folder_ / "inputs", inputs_));
  return {};
}

// Inputs of the next seed, which no engine has seen when it is timed. None where all are given, or
// where they cannot be made: then the timed calls are not looked at.
void Session::write_fresh_inputs() {
  ModelSpec next = spec_;
  ++next.seed;
  const auto fresh = input_tensors(next, model_);
  const auto is_same = [](const auto& a, const auto& b) { return a.second.data == b.second.data; };
  if (!fresh || std::ranges::equal(*fresh, inputs_, is_same)) return;
  auto files = write_tensors(folder_ / "fresh-inputs", *fresh);
  if (files) *fresh_files_ = std::move(*files);
}

Result<void> Session::choose_cache() {
  OPBENCH_TRY(const CacheChoice choice, opbench::choose_cache());
  cache_ = choice.folder;
  if (!choice.warning.empty()) warnings_.push_back(choice.warning);
  return {};
}

EngineOptions Session::options_for(const Variant& variant, const Target& target,
                                   const std::vector<int>& cpus) const {
  const std::string& engine = variant.engine;
  EngineOptions options;
  options.threads = static_cast<int>(cpus.size());
  options.cpus = cpus;
  options.target = target;
  options.layouts = spec_.layouts;
  options.executor = variant.settings.executor;
  options.fusion = variant.settings.is_fused ? Fusion::kOn : Fusion::kOff;
  options.kernels = variant.settings.kernels;
  options.observed = values_before_softmax(model_);
  options.folder = folder_ / fmt::format("{}-{}-{}", engine_runs_.size(), engine, options.threads);
  std::filesystem::create_directories(options.folder);
  options.cache = cache_;
  options.cancel = hooks_.cancel;
  options.progress = [this, engine](const std::string& text) {
    report("build", engine, text, 0, 0);
  };
  add_settings(hooks_.user_engines, engine, options);
  return options;
}

Result<void> Session::add(const Variant& variant, const EngineDef& definition, size_t index,
                          const std::vector<int>& cpus, const std::optional<PlanFile>& plan) {
  EngineOptions options = options_for(variant, targets_[index], cpus);
  options.device = devices_[index].index;
  options.device_boundary = devices_[index].boundary;
  OPBENCH_TRY(options.device_units, device_units_of(targets_[index], variant.settings));
  if (variant.settings.placement != nullptr) options.placement = *variant.settings.placement;
  const bool is_planned = follows_plan(definition, variant.settings.executor);
  if (is_planned && !plan && !spec_.name.empty() && cpus.size() > 1) {
    return no_plan(variant.settings.executor);
  }
  if (is_planned && plan) {
    OPBENCH_TRY(const std::vector<KernelChoice> kernels,
                planned_kernels(*plan, variant.settings.plan.file));
    options.teams = team_program_of(*plan);
    std::ranges::copy(kernels, std::back_inserter(options.kernels));
  }
  const RunInputs shared{.spec = spec_,
                         .variant = variant,
                         .measure = measure_,
                         .hooks = hooks_,
                         .model = model_,
                         .inputs = inputs_,
                         .input_files = *input_files_,
                         .folder = folder_,
                         .units = options_.units};
  OPBENCH_TRY(EngineRun engine_run,
              make_engine_run(definition, std::move(options), shared, options_.keeper));
  if (is_planned && plan) {
    OPBENCH_CHECK(check_plan_of_run(*plan, variant.settings.plan.file, engine_run));
  }
  engine_runs_.push_back(std::move(engine_run));
  return {};
}

Result<std::string> Session::check() {
  report("check", "", "reference values", 0, 0);
  const EngineRun& last = engine_runs_.back();
  Variant of_reference = last.asked.variant;
  of_reference.engine = kReferences;
  const ReferenceInputs inputs{
      .spec = spec_,
      .measure = measure_,
      .hooks = hooks_,
      .model = model_,
      .has_types = !types_error_,
      .inputs = inputs_,
      .engine_runs = engine_runs_,
      .options = options_for(of_reference, last.asked.options.target, last.asked.options.cpus)};
  OPBENCH_TRY(reference_, make_reference(inputs));
  if (!reference_.note.empty()) warnings_.push_back(reference_.note);
  check_runs();
  return reference_.exists ? "" : reference_.reason;
}

void Session::check_runs() {
  if (reference_.engine != "none") write_fresh_inputs();
  const auto checker_of = [&](size_t index, std::set<std::string> wrong) {
    const EngineRun& engine_run = engine_runs_[index];
    return RunChecker{.runner = *runner_,
                      .engine = static_cast<int>(index),
                      .reference = reference_,
                      .model = model_,
                      .inputs = inputs_,
                      .fresh_inputs = *fresh_files_,
                      .folder = folder_ / fmt::format("checked-{}", index),
                      .cancel = hooks_.cancel,
                      .progress =
                          [&](const std::string& unit, size_t done) {
                            report("check", engine_run.asked.definition.name, unit,
                                   static_cast<int64_t>(done),
                                   static_cast<int64_t>(engine_run.built.groups.size()));
                          },
                      .wrong = std::move(wrong)};
  };
  for (size_t i = 0; i < engine_runs_.size(); ++i) check_run(engine_runs_[i], checker_of(i, {}));
  const std::set<std::string> wrong = wrong_keys(engine_runs_);
  for (size_t i = 0; i < engine_runs_.size(); ++i) {
    const bool is_checked = engine_runs_[i].asked.definition.name != reference_.engine;
    if (is_checked && agrees_at(engine_runs_[i], wrong))
      check_run(engine_runs_[i], checker_of(i, wrong));
  }
  blame_reference(engine_runs_, reference_);
  for (size_t i = 0; i < engine_runs_.size() && measure_.wants_errors; ++i) {
    find_errors(engine_runs_[i], checker_of(i, {}));
  }
}

void Session::describe_engines() {
  for (size_t i = 0; i < engine_runs_.size(); ++i) {
    const auto hello = runner_->hello(static_cast<int>(i), 0);
    if (hello) describe(*hello, engine_runs_[i].found.result);
    engine_runs_[i].built.engine_hash =
        hash_of_engine(runner_->pid(static_cast<int>(i), 0), engine_runs_[i], cache_, folder_);
  }
}

}  // namespace opbench
