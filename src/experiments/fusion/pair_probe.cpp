#include "experiments/fusion/pair_probe.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include "base/numbers/random.h"
#include "model/graph/onnx_file.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

constexpr size_t kModels = 5;
// Short ones, so that on a busy machine some lie between the turns of other work.
constexpr int kRepeats = 8;
constexpr Seconds kRepeat{0.0008};

/// What only moves data between an engine's own layouts is no operator of the model.
bool is_layout_change(const std::string& operator_name) {
  return operator_name.starts_with("Reorder");
}

}  // namespace

Result<std::unique_ptr<PairProbe>> PairProbe::make(const FusionRequest& request,
                                                   const std::string& engine,
                                                   const OperatorPair& pair,
                                                   const std::filesystem::path& folder) {
  std::unique_ptr<PairProbe> probe(new PairProbe);
  probe->seed_ = request.seed;
  const PairModels models = models_of(pair);
  const std::array<const Model*, kModels> in_order = {&models.rest_of_first, &models.rest_of_second,
                                                      &models.first, &models.second, &models.both};
  std::vector<EngineSetup> setups;
  std::vector<EngineItem> items;
  for (const Model* model : in_order) {
    const std::filesystem::path path = folder / (model->name + ".onnx");
    OPBENCH_CHECK(write_onnx(*model, path));
    OPBENCH_TRY(
        std::unique_ptr<Session> session,
        Session::make({.name = path.string(), .seed = request.seed},
                      {{.engine = engine, .threads = request.threads}}, {.check_engine = "none"},
                      {.cancel = request.cancel, .user_engines = request.user_engines}));
    probe->sessions_.push_back(std::move(session));
    setups.push_back(probe->sessions_.back()->engine_runs().front().built.setup);
    items.push_back({.engine = static_cast<int>(items.size()), .name = kModelPreparation});
  }
  probe->runner_ = std::make_unique<EngineRunner>(std::move(setups), std::move(items));
  for (size_t i = 0; i < kModels; ++i) {
    const auto started = probe->runner_->start(static_cast<int>(i), kProcesses);
    const auto ready = started ? probe->calibrate(i) : started;
    if (!ready) return Error{ErrorCode::kSystem, to_text(ready.error())};
  }
  return probe;
}

Outcome<void> PairProbe::calibrate(size_t model) {
  for (int process = 0; process < kProcesses; ++process) {
    const auto samples = runner_->measure(model, process, 1, kRepeats, Seconds(0.02), 2);
    if (!samples) return tl::unexpected(samples.error());
    if (process > 0) continue;
    double least = samples->front().wall_s;
    for (const Sample& sample : *samples) least = std::min(least, sample.wall_s);
    const double calls = kRepeat.count() / std::max(least, 1e-7);
    numbers_.push_back(std::max<int64_t>(1, static_cast<int64_t>(calls)));
  }
  return {};
}

/// The least of some repeats: neighbours only delay.
Outcome<double> PairProbe::time_of(size_t model, int process) {
  const auto samples = runner_->measure(model, process, numbers_[model], kRepeats, Seconds(0), 1);
  if (!samples) return tl::unexpected(samples.error());
  double least = samples->front().wall_s;
  for (const Sample& sample : *samples) least = std::min(least, sample.wall_s);
  return least;
}

Outcome<void> PairProbe::measure(int rounds, PairRounds& into) {
  into.resize(kProcesses);
  Random random(seed_, "rounds " + std::to_string(into.front().size()));
  for (int round = 0; round < rounds; ++round) {
    for (int process = 0; process < kProcesses; ++process) {
      std::array<double, kModels> times = {};
      for (const size_t model : random.shuffled(kModels)) {
        const auto time = time_of(model, process);
        if (!time) return tl::unexpected(time.error());
        times[model] = *time;
      }
      into[static_cast<size_t>(process)].push_back(
          {times[0], times[1], times[2], times[3], times[4]});
    }
  }
  return {};
}

/// By our own fusion where the engine takes our packages, else by what it profiles.
std::optional<size_t> PairProbe::kernels_of(size_t model) {
  const Session& session = *sessions_[model];
  if (sessions_[model]->engine_runs().front().asked.definition.takes_packages) {
    Model lowered = session.model();
    const auto units = lower(lowered);
    return units ? std::optional(units->size()) : std::nullopt;
  }
  const auto reply = runner_->call(static_cast<int>(model), 0, kModelPreparation, "profile",
                                   {{"runs", 2}}, Seconds(60));
  if (!reply || !reply->contains("units")) return {};
  const auto& units = reply->at("units");
  return static_cast<size_t>(std::ranges::count_if(
      units, [](const Json& unit) { return !is_layout_change(unit.value("operator", "")); }));
}

std::optional<bool> PairProbe::says_fused() {
  std::array<size_t, kModels> kernels = {};
  for (size_t i = 0; i < kModels; ++i) {
    const auto count = kernels_of(i);
    if (!count) return {};
    kernels[i] = *count;
  }
  // rest of first, rest of second, first, second, both
  return kernels[4] + kernels[1] < kernels[2] + kernels[3];
}

}  // namespace opbench
