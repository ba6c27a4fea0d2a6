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
#include "engines/protocol/tensor_files.h"
#include "experiments/sessions/check.h"
#include "experiments/sessions/make_lane.h"
#include "experiments/sessions/memory_need.h"
#include "experiments/sessions/planned_teams.h"
#include "machine/resources/cpu_choice.h"
#include "machine/resources/pinning.h"
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
  const Json versions = hello.value("versions", Json::object());
  if (!versions.is_object()) return;
  for (const auto& [name, text] : versions.items()) {
    if (text.is_string()) result.versions[name] = text;
  }
}

}  // namespace

Session::Session(const ProfileRequest& request, std::filesystem::path folder, PackageKeeper* keeper)
    : request_(request),
      folder_(std::move(folder)),
      keeper_(keeper),
      input_files_(std::make_unique<Json>()),
      fresh_files_(std::make_unique<Json>()) {}

Session::~Session() = default;

void Session::report(const std::string& stage, const std::string& engine, const std::string& item,
                     int64_t done, int64_t total) const {
  if (request_.hooks.progress)
    request_.hooks.progress({stage, engine, item, done, total, {}, {}, {}});
}

Result<void> Session::open(const std::vector<std::string>& engines) {
  OPBENCH_TRY(target_, parse_target(request_.settings.target));
  if (std::string missing; !runs_here(target_, missing)) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("this machine cannot run code for target \"{}\"", request_.settings.target)}
        .with("missing", missing);
  }
  for (const std::string& name : engines) {
    OPBENCH_TRY(EngineDef definition, find_engine(request_, name));
    definitions_.emplace(name, std::move(definition));
  }
  OPBENCH_CHECK(validate_check(request_));
  report("read", "", request_.model.name, 0, 0);
  OPBENCH_TRY(model_, load_model(request_));
  const auto types = infer_types(model_);
  has_types_ = types.has_value();
  if (!has_types_) {
    types_error_ = in_model(types.error(), request_);
    (void)infer_known_types(model_);  // as far as they go: for the FLOPs of what other engines run
  }
  OPBENCH_TRY(std::optional<PlanFile> plan, requested_plan(request_, model_));
  if (plan) {
    OPBENCH_TRY(planned_kernels_, planned_kernels(*plan, request_.settings.plan.file));
    plan_ = std::make_unique<const PlanFile>(std::move(*plan));
  }
  OPBENCH_CHECK(check_memory(model_.graph, model_.name));
  OPBENCH_TRY(inputs_, input_tensors(request_, model_));
  if (folder_.empty()) {
    OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
    own_folder_.emplace(std::move(folder));
    folder_ = own_folder_->path();
  }
  OPBENCH_TRY(*input_files_, write_tensors(folder_ / "inputs", inputs_));
  OPBENCH_TRY(topology_, this_topology());
  return choose_cache();
}

// Inputs of the next seed, which no engine has seen when it is timed. None where all are given, or
// where they cannot be made: then the timed calls are not looked at.
void Session::write_fresh_inputs() {
  ProfileRequest next = request_;
  ++next.model.seed;
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

Result<std::vector<int>> Session::cpus_of(int threads) const {
  return choose_cpus(topology_, threads,
                     request_.settings.cpus.empty() ? current_affinity() : request_.settings.cpus);
}

EngineOptions Session::options_for(const std::string& engine, const std::vector<int>& cpus) const {
  EngineOptions options;
  options.threads = static_cast<int>(cpus.size());
  options.cpus = cpus;
  options.target = target_;
  options.layouts = request_.model.layouts;
  options.executor = request_.settings.executor;
  options.fusion = request_.settings.is_fused ? Fusion::kOn : Fusion::kOff;
  options.kernels = request_.settings.kernels;
  options.observed = values_before_softmax(model_);
  const auto definition = definitions_.find(engine);
  const bool is_planned = plan_ != nullptr && definition != definitions_.end() &&
                          follows_plan(definition->second, request_.settings.executor);
  if (is_planned) {
    options.teams = team_program_of(*plan_);
    std::ranges::copy(planned_kernels_, std::back_inserter(options.kernels));
  }
  options.folder = folder_ / fmt::format("{}-{}-{}", lanes_.size(), engine, options.threads);
  std::filesystem::create_directories(options.folder);
  options.cache = cache_;
  options.cancel = request_.hooks.cancel;
  options.progress = [this, engine](const std::string& text) {
    report("build", engine, text, 0, 0);
  };
  add_settings(request_, engine, options);
  return options;
}

std::optional<Error> Session::refusal_of(const std::string& engine) const {
  if (has_types_ || !needs_types(definitions_.at(engine))) return {};
  return types_error_;
}

Result<void> Session::add_lane(const std::string& engine, const std::vector<int>& cpus,
                               UnitKind units) {
  const EngineDef& definition = definitions_.at(engine);
  if (auto refusal = refusal_of(engine)) return std::move(*refusal);
  const bool is_planned = follows_plan(definition, request_.settings.executor);
  if (is_planned && plan_ == nullptr && !request_.model.name.empty() && cpus.size() > 1) {
    return no_plan(request_.settings.executor);
  }
  const LaneInputs shared{request_, model_, inputs_, *input_files_, folder_, units};
  OPBENCH_TRY(Lane lane, make_lane(definition, options_for(engine, cpus), shared, keeper_));
  if (is_planned && plan_ != nullptr) {
    OPBENCH_CHECK(check_plan_of_lane(*plan_, request_.settings.plan.file, lane));
  }
  lane.setup.cache = name_of(request_.measure.cache);
  lanes_.push_back(std::move(lane));
  return {};
}

Result<std::string> Session::compute_reference() {
  const ReferenceInputs inputs{request_,   model_,
                               has_types_, inputs_,
                               lanes_,     options_for("reference", lanes_.back().options.cpus)};
  report("check", "", "reference values", 0, 0);
  OPBENCH_TRY(reference_, make_reference(inputs));
  if (!reference_.note.empty()) warnings_.push_back(reference_.note);
  return reference_.exists ? "" : reference_.reason;
}

void Session::check_lanes() {
  if (reference_.engine != "none") write_fresh_inputs();
  std::vector<EngineSetup> setups;
  for (Lane& lane : lanes_) setups.push_back(lane.setup);
  runner_ = std::make_unique<EngineRunner>(std::move(setups), std::vector<EngineItem>());
  const auto checker_of = [&](size_t index, std::set<std::string> wrong) {
    const Lane& lane = lanes_[index];
    return LaneChecker{.runner = *runner_,
                       .engine = static_cast<int>(index),
                       .reference = reference_,
                       .model = model_,
                       .inputs = inputs_,
                       .fresh_inputs = *fresh_files_,
                       .folder = folder_ / fmt::format("checked-{}", index),
                       .cancel = request_.hooks.cancel,
                       .progress =
                           [&](const std::string& unit, size_t done) {
                             report("check", lane.definition.name, unit, static_cast<int64_t>(done),
                                    static_cast<int64_t>(lane.groups.size()));
                           },
                       .wrong = std::move(wrong)};
  };
  for (size_t i = 0; i < lanes_.size(); ++i) check_lane(lanes_[i], checker_of(i, {}));
  const std::set<std::string> wrong = wrong_keys(lanes_);
  for (size_t i = 0; i < lanes_.size(); ++i) {
    const bool is_checked = lanes_[i].definition.name != reference_.engine;
    if (is_checked && agrees_at(lanes_[i], wrong)) check_lane(lanes_[i], checker_of(i, wrong));
  }
  blame_reference(lanes_, reference_);
  for (size_t i = 0; i < lanes_.size() && request_.measure.wants_errors; ++i) {
    find_errors(lanes_[i], checker_of(i, {}));
  }
}

void Session::describe_engines() {
  for (size_t i = 0; i < lanes_.size(); ++i) {
    const auto hello = runner_->hello(static_cast<int>(i), 0);
    if (hello) describe(*hello, lanes_[i].result);
  }
}

}  // namespace opbench
