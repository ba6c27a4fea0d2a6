#include "experiments/predict/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/system/seconds.h"
#include "experiments/profile/profile_session.h"
#include "experiments/unit_times/predicted_model.h"

namespace opbench {
namespace {

constexpr double kAgreement = 0.05;

std::string key_of(const UnitIdentity& unit) {
  return fmt::format("{}|{}|{}", workload_text(unit), fmt::join(layouts_of(unit), ","),
                     unit.schedule);
}

/// A model on its way: its units by key.
struct Candidate {
  EvaluatedModel result;
  std::map<std::string, size_t> places;
};

Result<Candidate> predicted(const ProfileRequest& request, const UnitPredictor& predictor,
                            const Baselines& baselines, double level) {
  OPBENCH_TRY(const PlannedModel planned, plan_model(request));
  Candidate candidate;
  candidate.result.model = planned.name;
  const ModelPrediction prediction = predict_planned(planned, predictor, level);
  candidate.result.predicted = prediction.total;
  std::vector<UnitFeatures> features;
  std::map<std::string, std::string> kinds;
  for (const PlannedStep& step : planned.steps) {
    features.push_back(unit_features(step.kernel(), predictor.ceilings));
    kinds[key_of(step.identity)] = features.back().kind;
  }
  for (const PredictedRow& row : prediction.units) {
    const UnitIdentity& unit = row.identity;
    const std::string key = key_of(unit);
    candidate.places[key] = candidate.result.units.size();
    candidate.result.units.push_back({.kind = kinds.at(key),
                                      .identity = unit,
                                      .count = row.count,
                                      .predicted = row.time.in_model,
                                      .is_in_range = row.time.is_in_range});
  }
  std::vector<CountedUnit> units;
  for (const UnitFeatures& of_step : features) units.push_back({&of_step, 1});
  for (const Baseline baseline : kBaselines) {
    candidate.result.baselines_s[baseline] = baselines.model_s(baseline, units);
  }
  return candidate;
}

/// As is_disturbed of the record (read_samples.h).
bool was_disturbed(const Measurement& time) {
  const auto preempted = time.dropped.find("preempted");
  const auto samples = std::ssize(time.samples);
  return preempted != time.dropped.end() && 3 * preempted->second > samples;
}

void add_visit(const ProfileResult& result, Candidate& candidate) {
  EvaluatedModel& model = candidate.result;
  const EngineResult& engine = result.engines.front();
  if (!engine.model.end_to_end) {
    model.reason = engine.model.end_to_end_reason;
    return;
  }
  if (was_disturbed(*engine.model.end_to_end)) {
    model.reason = "disturbed: other work had the CPUs";
    return;
  }
  const double seconds = ms_to_s(engine.model.end_to_end->median_ms);
  const bool is_fastest = model.visits_s.empty() || seconds < model.measured_s();
  model.visits_s.push_back(seconds);
  if (is_fastest) model.sum_in_model_s = ms_to_s(engine.model.sum_in_place_ms.value_or(0));
  for (const UnitResult& unit : engine.units) {
    const auto place = candidate.places.find(key_of(unit.identity));
    if (place == candidate.places.end() || !unit.in_place_ms) continue;
    double& measured = model.units[place->second].measured_s;
    const double in_place = ms_to_s(*unit.in_place_ms);
    measured = measured > 0 ? std::min(measured, in_place) : in_place;
  }
}

/// How many measured times lie inside of intervals that promise something.
struct Coverage {
  int64_t inside = 0, all = 0;

  void add(const PredictedTime& time, double measured) {
    if (time.is_assumed || time.low_s >= time.high_s) return;
    ++all;
    if (measured >= time.low_s && measured <= time.high_s) ++inside;
  }

  std::optional<double> share() const {
    if (all == 0) return {};
    return static_cast<double>(inside) / static_cast<double>(all);
  }
};

}  // namespace

double EvaluatedModel::measured_s() const {
  return visits_s.empty() ? 0 : std::ranges::min(visits_s);
}

double EvaluatedModel::disagreement() const {
  return visits_s.size() < 2 ? 0 : std::ranges::max(visits_s) / std::ranges::min(visits_s) - 1;
}

void add_figures(Evaluation& evaluation) {
  std::vector<PredictedPair> models, units, visits;
  std::map<Baseline, std::vector<PredictedPair>> baselines;
  Coverage of_models, of_units;
  evaluation.agreeing = 0;
  for (const EvaluatedModel& model : evaluation.models) {
    if (model.visits_s.empty()) continue;
    const double measured = model.measured_s();
    models.push_back({model.predicted.median_s, measured});
    of_models.add(model.predicted, measured);
    if (model.visits_s.size() > 1) visits.push_back({std::ranges::max(model.visits_s), measured});
    if (model.visits_s.size() > 1 && model.disagreement() <= kAgreement) ++evaluation.agreeing;
    for (const auto& [baseline, seconds] : model.baselines_s) {
      baselines[baseline].push_back({seconds, measured});
    }
    for (const EvaluatedUnit& unit : model.units) {
      if (unit.measured_s <= 0) continue;
      units.push_back({unit.predicted.median_s, unit.measured_s});
      of_units.add(unit.predicted, unit.measured_s);
    }
  }
  evaluation.model_coverage = of_models.share();
  evaluation.unit_coverage = of_units.share();
  evaluation.of_predictor = error_figures(models);
  evaluation.of_units = error_figures(units);
  evaluation.of_visits = error_figures(visits);
  for (const auto& [baseline, pairs] : baselines) {
    evaluation.of_baselines[baseline] = error_figures(pairs);
  }
}

Result<Evaluation> evaluate(const EvaluationRequest& request, const UnitPredictor& predictor,
                            const SampleSet& samples) {
  const Baselines baselines(samples);
  std::vector<Candidate> candidates;
  std::vector<ProfileRequest> models = request.models;
  for (ProfileRequest& model : models) {
    model.hooks.progress = request.progress;
    model.hooks.cancel = request.cancel;
    OPBENCH_TRY(Candidate candidate, predicted(model, predictor, baselines, request.level));
    candidates.push_back(std::move(candidate));
  }
  constexpr int kVisits = 2;
  for (int visit = 0; visit < kVisits; ++visit) {
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (request.cancel != nullptr && *request.cancel) break;
      const auto measured = run_profile(models[i]);
      if (measured) {
        add_visit(*measured, candidates[i]);
      } else {
        candidates[i].result.reason = measured.error().message;
      }
    }
  }
  Evaluation evaluation;
  for (Candidate& candidate : candidates) evaluation.models.push_back(std::move(candidate.result));
  add_figures(evaluation);
  return evaluation;
}

}  // namespace opbench
