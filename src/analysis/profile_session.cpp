#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <optional>

#include "opbench/analysis/check.h"
#include "opbench/analysis/in_place_rounds.h"
#include "opbench/analysis/lane.h"
#include "opbench/analysis/lane_check.h"
#include "opbench/analysis/model_source.h"
#include "opbench/analysis/profile_request.h"
#include "opbench/analysis/rows.h"
#include "opbench/base/file.h"
#include "opbench/base/hash.h"
#include "opbench/hardware/ceilings.h"
#include "opbench/hardware/environment.h"
#include "opbench/hardware/pinning.h"
#include "opbench/passes/passes.h"
#include "opbench/protocol/tensor_files.h"

namespace opbench {
namespace {

// Of a lane's budget; the rest goes to the units alone.
constexpr double kInPlaceShare = 0.4;

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

// One `profile` or `op` from the request to the result, in the order of its member functions.
class ProfileSession {
 public:
  explicit ProfileSession(const ProfileRequest& request) : request_(request) {}

  Result<ProfileResult> run() {
    OPBENCH_CHECK(read());
    OPBENCH_CHECK(choose_cache());
    OPBENCH_CHECK(describe_machine());
    OPBENCH_CHECK(make_lanes());
    OPBENCH_CHECK(compute_reference());
    start_runner();
    check_lanes();
    measure();
    for (Lane& lane : lanes_) {
      for (std::string& warning : lane.warnings) result_.warnings.push_back(std::move(warning));
      result_.engines.push_back(std::move(lane.result));
    }
    if (is_cancelled()) result_.warnings.push_back("interrupted: what was measured until then");
    return std::move(result_);
  }

 private:
  bool is_cancelled() const { return request_.cancel != nullptr && *request_.cancel; }

  void report(const std::string& stage, const std::string& engine, const std::string& item,
              int64_t done, int64_t total) {
    if (request_.progress) request_.progress({stage, engine, item, done, total, {}, {}, {}});
  }

  Result<void> read() {
    OPBENCH_TRY(target_, parse_target(request_.target));
    if (std::string missing; !runs_here(target_, missing)) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("this machine cannot run code for target \"{}\"", request_.target)}
          .with("missing", missing);
    }
    for (const std::string& name : request_.engines) {
      OPBENCH_TRY(EngineDef definition, find_engine(request_, name));
      definitions_.push_back(std::move(definition));
    }
    OPBENCH_CHECK(validate_check(request_));
    report("read", "", request_.model, 0, 0);
    OPBENCH_TRY(model_, load_model(request_));
    OPBENCH_TRY(inputs_, input_tensors(request_, model_));
    OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
    folder_.emplace(std::move(folder));
    OPBENCH_TRY(input_files_, write_tensors(folder_->path() / "inputs", inputs_));
    const auto types = infer_types(model_);
    has_types_ = types.has_value();
    if (!has_types_) types_error_ = types.error();
    return {};
  }

  // The user's; one of this run where that cannot be written. Not in /dev/shm: kernels may be
  // forbidden to run from there.
  Result<void> choose_cache() {
    cache_ = cache_folder();
    const Result<void> writable = make_writable_folder(cache_);
    if (writable) return {};
    std::error_code ignored;
    const std::filesystem::path place = std::filesystem::temp_directory_path(ignored);
    TemporaryFolder::remove_abandoned(place);
    OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make_in(place));
    own_cache_.emplace(std::move(folder));
    cache_ = own_cache_->path();
    result_.warnings.push_back("nothing is kept for later runs: " + writable.error().message);
    return {};
  }

  Result<void> describe_machine() {
    OPBENCH_TRY(topology_, this_topology());
    const Json environment = capture_environment();
    machine_hash_ = environment.value("machine_hash", "");
    result_.environment_json = environment.dump();
    result_.timestamp = utc_now();
    result_.model = model_.name;
    result_.workload = request_.workload;
    result_.source = model_.source;
    result_.sha256 = model_.sha256;
    result_.scope = request_.workload.empty() ? "model" : "unit";
    result_.target = display_text(target_);
    result_.batch_size = std::max<int64_t>(request_.batch_size, 1);
    result_.seed = request_.seed;
    result_.cache = name_of(request_.cache);
    result_.argv = request_.argv;
    result_.labels = request_.labels;
    result_.metrics = request_.metrics;
    for (const auto& [name, tensor] : inputs_) result_.inputs.emplace_back(name, tensor.type.shape);
    result_.run_id = sha256(fmt::format("{} {} {}", result_.timestamp, ::getpid(), result_.sha256))
                         .substr(0, 16);
    preflight_ = run_preflight();
    result_.noise = preflight_.advice;
    return {};
  }

  Result<void> make_lanes() {
    const std::vector<int> allowed = request_.cpus.empty() ? current_affinity() : request_.cpus;
    for (const int threads : request_.threads) {
      OPBENCH_TRY(const std::vector<int> cpus, choose_cpus(topology_, threads, allowed));
      OPBENCH_TRY(ceilings_[threads], ceilings(cpus, topology_, machine_hash_, cache_));
      for (const EngineDef& definition : definitions_) {
        if (needs_types(definition) && !has_types_) return types_error_;
        OPBENCH_CHECK(add_lane(definition, threads, cpus));
      }
    }
    return {};
  }

  static bool needs_types(const EngineDef& definition) {
    return definition.prepare_model != nullptr || !definition.runs_models;
  }

  EngineOptions options_for(const std::string& engine, int threads, const std::vector<int>& cpus) {
    EngineOptions options;
    options.threads = threads;
    options.cpus = cpus;
    options.target = target_;
    options.layouts = request_.layouts;
    options.observed = values_before_softmax(model_);
    options.folder = folder_->path() / fmt::format("{}-{}", engine, threads);
    std::filesystem::create_directories(options.folder);
    options.cache = cache_;
    options.cancel = request_.cancel;
    options.progress = [this, engine](const std::string& text) {
      report("build", engine, text, 0, 0);
    };
    add_settings(request_, engine, options);
    return options;
  }

  Result<void> add_lane(const EngineDef& definition, int threads, const std::vector<int>& cpus) {
    const LaneInputs shared{request_, model_, inputs_, input_files_, folder_->path()};
    OPBENCH_TRY(Lane lane,
                make_lane(definition, options_for(definition.name, threads, cpus), shared));
    lane.setup.cache = name_of(request_.cache);
    const Ceilings& ceiling = ceilings_[threads];
    for (const BandwidthCeiling& level : ceiling.bandwidth) {
      lane.result.memory_gbytes_per_s = threads == 1 ? level.one_thread : level.all_threads;
    }
    lanes_.push_back(std::move(lane));
    return {};
  }

  Result<void> compute_reference() {
    const std::vector<int>& cpus = lanes_.back().options.cpus;
    const ReferenceInputs inputs{
        request_, model_, has_types_,
        inputs_,  lanes_, options_for("reference", static_cast<int>(cpus.size()), cpus)};
    report("check", "", "reference values", 0, 0);
    OPBENCH_TRY(reference_, make_reference(inputs));
    if (!reference_.exists && !reference_.reason.empty()) {
      result_.warnings.push_back("not checked: " + reference_.reason);
    }
    return {};
  }

  void start_runner() {
    std::vector<EngineSetup> setups;
    for (Lane& lane : lanes_) setups.push_back(lane.setup);
    runner_ = std::make_unique<EngineRunner>(std::move(setups), std::vector<EngineItem>());
  }

  void check_lanes() {
    for (size_t i = 0; i < lanes_.size(); ++i) {
      Lane& lane = lanes_[i];
      const LaneChecker checker{
          *runner_, static_cast<int>(i), reference_, folder_->path() / "checked",
          [&](const std::string& unit, size_t done) {
            report("check", lane.definition.name, unit, static_cast<int64_t>(done),
                   static_cast<int64_t>(lane.groups.size()));
          }};
      check_lane(lane, checker);
    }
  }

  void measure() {
    const std::vector<LaneInPlace> in_place = profile_models();
    const SamplingResult samples = sample_units();
    for (size_t i = 0; i < lanes_.size(); ++i) {
      Lane& lane = lanes_[i];
      describe_engine(i);
      lane.result.peak_gflops = remeasure_peak(lane.options.cpus);
      add_model_times(lane, in_place[i]);
      std::vector<double> unit_s;
      if (in_place[i].times) {
        for (const double ms : in_place[i].times->units_ms) unit_s.push_back(ms * 1e-3);
      }
      if (lane.units.empty() && !in_place[i].units.empty()) {
        fill_rows_of_engine(lane, Json::parse(in_place[i].units), unit_s,
                            ceilings_[lane.result.threads], model_);
      } else {
        fill_rows(lane, samples, unit_s, ceilings_[lane.result.threads], request_);
      }
    }
  }

  void describe_engine(size_t index) {
    const auto hello = runner_->hello(static_cast<int>(index), 0);
    EngineResult& result = lanes_[index].result;
    if (!hello) return;
    // A user's engine may send anything: what is of another kind is left out.
    const Json version = hello->value("version", Json());
    if (version.is_string()) result.version = version;
    const Json call_floor = hello->value("call_floor_ms", Json());
    if (call_floor.is_number()) result.call_floor_ms = call_floor;
    const Json versions = hello->value("versions", Json::object());
    if (!versions.is_object()) return;
    for (const auto& [name, text] : versions.items()) {
      if (text.is_string()) result.versions[name] = text;
    }
  }

  bool may_time_model(const Lane& lane) const {
    return lane.has_model && lane.result.model.end_to_end_reason.empty();
  }

  std::vector<LaneInPlace> profile_models() {
    std::vector<const Lane*> lanes;
    std::vector<int> engines;
    for (size_t i = 0; i < lanes_.size(); ++i) {
      if (!may_time_model(lanes_[i])) continue;
      lanes.push_back(&lanes_[i]);
      engines.push_back(static_cast<int>(i));
    }
    RoundOptions options;
    const double share = request_.measures_units ? kInPlaceShare : 1;
    options.budget = Seconds(request_.budget_s * share);
    options.seed = request_.seed;
    options.cancel = request_.cancel;
    options.progress = [&](size_t lane, int done, int total) {
      report("profile", lanes[lane]->definition.name, model_.name, done, total);
    };
    std::vector<LaneInPlace> found = profile_in_rounds(lanes, engines, *runner_, options);
    std::vector<LaneInPlace> result(lanes_.size());
    for (size_t i = 0; i < engines.size(); ++i) {
      result[static_cast<size_t>(engines[i])] = std::move(found[i]);
    }
    return result;
  }

  SamplingResult sample_units() {
    std::vector<SamplingItem> items;
    for (size_t i = 0; i < lanes_.size(); ++i) {
      for (UnitGroup& group : lanes_[i].groups) {
        if (group.failure || !request_.measures_units) continue;
        add_item(i, group, items);
      }
    }
    SamplingOptions options;
    double budget_s = 0;
    for (const Lane& lane : lanes_) {
      if (lane.groups.empty()) continue;
      budget_s += request_.budget_s * (lane.has_model ? 1 - kInPlaceShare : 1);
    }
    options.budget = Seconds(budget_s);
    options.processes = preflight_.noise == NoiseClass::kHostile ? 5 : 3;
    options.precision = request_.precision;
    options.seed = request_.seed;
    options.noise = preflight_.noise;
    options.clock_resolution = preflight_.clock_resolution;
    SamplingHooks hooks;
    hooks.should_stop = [this] { return is_cancelled(); };
    hooks.progress = [&](const SamplingProgress& progress) {
      if (!request_.progress) return;
      const SamplingItem& item = items[progress.item];
      request_.progress({"measure", lanes_[static_cast<size_t>(item.engine)].definition.name,
                         item.id, static_cast<int64_t>(progress.done),
                         static_cast<int64_t>(progress.total), progress.median_ms,
                         progress.half_width_percent, progress.remaining.count()});
    };
    SteadyClock clock;
    return sample_items(items, *runner_, clock, options, hooks);
  }

  void add_item(size_t index, UnitGroup& group, std::vector<SamplingItem>& items) {
    const Lane& lane = lanes_[index];
    const PreparedUnit& unit = lane.units[group.members.front()];
    SamplingItem item;
    item.id = unit.operator_text;
    item.engine = static_cast<int>(index);
    item.threads = lane.result.threads;
    if (unit.workload) {
      item.expected_s = flops_of(*unit.workload) / 40e9 + bytes_of(*unit.workload) / 10e9;
      item.weight = item.expected_s * static_cast<double>(group.members.size());
    }
    group.item =
        runner_->add({static_cast<int>(index), group.preparation, group.unit_id, item.expected_s});
    items.push_back(std::move(item));
  }

  static void add_model_times(Lane& lane, const LaneInPlace& in_place) {
    ModelResult& model = lane.result.model;
    model.failure = in_place.failure;
    if (in_place.failure) {
      model.end_to_end_reason = to_text(*in_place.failure);
      // Whoever could not run the model has not agreed with anything.
      lane.result.check.passed = lane.result.check.passed && !lane.units.empty();
    }
    model.peak_memory_mb = in_place.peak_memory_mb;
    if (!in_place.times) return;
    model.end_to_end = in_place.times->end_to_end;
    model.sum_in_place_ms = in_place.times->sum_ms;
    model.dispatch_ms = in_place.times->dispatch_ms;
    model.gap_percent = in_place.times->gap_percent;
    model.profiler_slowdown_percent = in_place.times->profiler_slowdown_percent;
  }

  const ProfileRequest& request_;
  ProfileResult result_;
  Target target_;
  std::vector<EngineDef> definitions_;
  Model model_;
  NamedTensors inputs_;
  std::optional<TemporaryFolder> folder_;
  std::filesystem::path cache_;
  std::optional<TemporaryFolder> own_cache_;
  Json input_files_;
  bool has_types_ = false;
  Error types_error_;
  Topology topology_;
  std::string machine_hash_;
  Preflight preflight_;
  std::map<int, Ceilings> ceilings_;
  std::vector<Lane> lanes_;
  Reference reference_;
  std::unique_ptr<EngineRunner> runner_;
};

}  // namespace

Result<ProfileResult> run_profile(const ProfileRequest& request) {
  return ProfileSession(request).run();
}

}  // namespace opbench
