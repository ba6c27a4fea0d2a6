#include "experiments/partition/part_timer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "experiments/devices/device_times.h"
#include "experiments/sessions/request/run_request.h"
#include "experiments/sessions/sampling_options.h"

namespace opbench {
namespace {

/// Some items of a runner, each beside its device's neighbour.
class PartRunner : public Runner {
 public:
  PartRunner(EngineRunner& runner, std::vector<size_t> items,
             std::vector<const BusyNeighbour*> neighbours)
      : runner_(runner), items_(std::move(items)), neighbours_(std::move(neighbours)) {}

  Outcome<std::vector<Sample>> measure(size_t item, int process, int64_t number, int repeats,
                                       Seconds warm_up, int warm_up_calls) override {
    if (neighbours_[item] != nullptr) neighbours_[item]->resume();
    auto samples = runner_.measure(items_[item], process, number, repeats, warm_up, warm_up_calls);
    if (neighbours_[item] != nullptr) neighbours_[item]->pause();
    return samples;
  }

  Outcome<void> recover(size_t item, int process) override {
    return runner_.recover(items_[item], process);
  }

 private:
  EngineRunner& runner_;
  std::vector<size_t> items_;
  std::vector<const BusyNeighbour*> neighbours_;  ///< by item; null: none
};

}  // namespace

ProfileRequest part_request(const RunRequest& request, const DeviceChoice& device,
                            const std::string& workload, bool is_checked) {
  ProfileRequest own = device_request(request, device);
  own.model.workload = workload;
  if (!is_checked) own.measure.check_engine = "none";
  return own;
}

/// A workload on a device. The control has the session of what it repeats.
struct PartTimer::Part {
  size_t device = 0;
  bool is_control = false;
  std::shared_ptr<Session> session;

  const EngineRun& engine_run() const { return session->engine_runs().front(); }
};

PartTimer::PartTimer(const RunRequest& request, const std::vector<DeviceChoice>& devices)
    : request_(request), devices_(devices) {}

PartTimer::~PartTimer() = default;

Result<size_t> PartTimer::add(size_t device, const std::string& workload, bool is_checked) {
  auto part = std::make_unique<Part>();
  part->device = device;
  const ProfileRequest request = part_request(request_, devices_[device], workload, is_checked);
  OPBENCH_TRY(
      part->session,
      Session::make(request.model, variants_of(request.engines, request.threads, request.settings),
                    request.measure, request.hooks));
  Session& session = *part->session;
  if (is_checked) {
    OPBENCH_TRY(const std::string unchecked, session.check());
    if (!unchecked.empty()) warnings_.push_back("not checked: " + unchecked);
    session.runner().stop(0);
    for (const UnitGroup& group : part->engine_run().built.groups) {
      if (!group.failure) continue;
      return Error{ErrorCode::kPartial,
                   fmt::format("a part could not be timed on {}", devices_[device].name)}
          .with("workload", workload)
          .with("reason", to_text(*group.failure));
    }
  }
  for (const auto* some : {&session.warnings(), &session.engine_runs().front().built.warnings}) {
    for (const std::string& warning : *some) {
      if (std::ranges::count(warnings_, warning) == 0) warnings_.push_back(warning);
    }
  }
  parts_.push_back(std::move(part));
  return parts_.size() - 1;
}

size_t PartTimer::add_again(size_t number) {
  auto part = std::make_unique<Part>(*parts_[number]);
  part->is_control = true;
  parts_.push_back(std::move(part));
  return parts_.size() - 1;
}

Result<void> PartTimer::start() {
  for (const DeviceChoice& device : devices_) {
    OPBENCH_TRY(std::optional<BusyNeighbour> neighbour, neighbour_of(device));
    if (neighbour) neighbour->pause();
    neighbours_.push_back(std::move(neighbour));
  }
  // An engine for each device, with a package for each workload; one more for the control.
  std::vector<EngineSetup> setups(devices_.size() + 1);
  std::vector<EngineItem> items;
  for (size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = *parts_[i];
    const EngineRun& engine_run = part.engine_run();
    const size_t engine = part.is_control ? devices_.size() : part.device;
    EngineSetup& setup = setups[engine];
    Preparation preparation = engine_run.built.setup.preparations.front();
    preparation.name = fmt::format("part {}", i);
    EngineItem item{.engine = static_cast<int>(engine), .name = preparation.name};
    const bool is_one_unit =
        engine_run.built.groups.size() == 1 && engine_run.built.groups.front().members.size() == 1;
    if (is_one_unit) item.unit = engine_run.built.groups.front().unit_id;
    std::vector<Preparation> all = std::move(setup.preparations);
    if (all.empty()) setup = engine_run.built.setup;
    all.push_back(std::move(preparation));
    setup.preparations = std::move(all);
    items.push_back(std::move(item));
  }
  preflight_ = run_preflight(Seconds(request_.measure.budget_s));
  noise_text_ = preflight_.advice;
  const size_t engines = setups.size();
  runner_ = std::make_unique<EngineRunner>(std::move(setups), std::move(items));
  for (size_t engine = 0; engine < engines; ++engine) {
    if (engine == devices_.size() && !parts_.back()->is_control) continue;
    // What does not start fails again, with its reason, where it is timed.
    static_cast<void>(runner_->start(static_cast<int>(engine), SamplingOptions().processes));
  }
  return {};
}

Result<std::vector<Measurement>> PartTimer::measure(const std::vector<size_t>& numbers,
                                                    Seconds budget) {
  std::vector<SamplingItem> items;
  std::vector<const BusyNeighbour*> neighbours;
  for (const size_t number : numbers) {
    const Part& part = *parts_[number];
    items.push_back({.id = part.session->spec().workload,
                     .engine = part.is_control ? static_cast<int>(devices_.size())
                                               : static_cast<int>(part.device),
                     .threads = part.engine_run().asked.options.threads});
    const auto& neighbour = neighbours_[part.device];
    neighbours.push_back(neighbour ? &*neighbour : nullptr);
  }
  SamplingOptions options = sampling_options(request_.measure, request_.model.seed, preflight_);
  options.budget = budget;
  SamplingHooks hooks;
  hooks.should_stop = [this] { return request_.hooks.is_cancelled(); };
  hooks.progress = [&](const SamplingProgress& progress) {
    if (!request_.hooks.progress) return;
    request_.hooks.progress({"measure", devices_[parts_[numbers[progress.item]]->device].name,
                             items[progress.item].id, static_cast<int64_t>(progress.done),
                             static_cast<int64_t>(progress.total), progress.median_ms,
                             progress.half_width_percent, progress.remaining.count()});
  };
  PartRunner runner(*runner_, numbers, std::move(neighbours));
  SteadyClock clock;
  const SamplingResult result = sample_items(items, runner, clock, options, hooks);
  if (result.interrupted) return Error{ErrorCode::kInterrupted, "interrupted"};
  std::vector<Measurement> times;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const ItemResult& one = result.items[i];
    if (!one.time) {
      return Error{ErrorCode::kPartial, fmt::format("a part could not be timed on {}",
                                                    devices_[parts_[numbers[i]]->device].name)}
          .with("workload", items[i].id)
          .with("reason", one.failure ? to_text(*one.failure) : "no time");
    }
    times.push_back(*one.time);
  }
  return times;
}

std::string PartTimer::target_of(size_t number) const {
  return display_text(parts_[number]->session->target());
}

std::string PartTimer::schedule_of(size_t number) const {
  // Changes of layout have no nodes.
  const std::vector<PreparedUnit>& units = parts_[number]->engine_run().built.units;
  const auto first = std::ranges::find_if(
      units, [](const PreparedUnit& unit) { return !unit.identity.nodes.empty(); });
  return first == units.end() ? "" : first->identity.schedule;
}

}  // namespace opbench
