#include "prediction/predict/fit_predictor.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/numbers/random.h"

namespace opbench {
namespace {

constexpr int kFolds = 5;

double fit_predictor_median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Of every group, the part in which it is left out.
std::map<std::string, int> fit_predictor_parts_of(const SampleSet& samples, int folds) {
  std::set<std::string> groups;
  for (const UnitSample& unit : samples.units) groups.insert(unit.group);
  const std::vector<std::string> names(groups.begin(), groups.end());
  Random random(0, "left-out groups");
  const std::vector<size_t> order = random.shuffled(names.size());
  std::map<std::string, int> parts;
  for (size_t i = 0; i < order.size(); ++i) {
    parts[names[order[i]]] = static_cast<int>(i % static_cast<size_t>(folds));
  }
  return parts;
}

/// The samples of other parts, without kernels that occur in this one.
std::vector<const UnitSample*> others_of(const SampleSet& samples,
                                         const std::map<std::string, int>& parts, int part) {
  std::set<std::string> occurring;
  for (const UnitSample& unit : samples.units) {
    if (parts.at(unit.group) == part) occurring.insert(unit.identity);
  }
  std::vector<const UnitSample*> others;
  for (const UnitSample& unit : samples.units) {
    if (parts.at(unit.group) != part && !occurring.contains(unit.identity)) {
      others.push_back(&unit);
    }
  }
  return others;
}

/// What goes into a card.
struct CardRows {
  std::vector<PredictedPair> pairs;
  std::vector<double> isolated_scores;
  std::vector<double> in_model_scores;
  std::set<std::string> identities;

  void add(const UnitSample& unit, const UnitTime& time) {
    const auto score = [](double predicted, double measured) {
      return std::abs(std::log(measured / predicted));
    };
    if (unit.isolated_s) isolated_scores.push_back(score(time.isolated_s, *unit.isolated_s));
    if (unit.in_model_s) in_model_scores.push_back(score(time.in_model_s, *unit.in_model_s));
    if (unit.in_model_s) {
      pairs.push_back({time.in_model_s, *unit.in_model_s});
    } else if (unit.isolated_s) {
      pairs.push_back({time.isolated_s, *unit.isolated_s});
    }
  }
};

void widen(KindCard& card, const UnitSample& unit) {
  ++card.samples;
  card.schedules.insert(unit.features.schedule);
  const auto& names = unit_feature_names();
  for (size_t i = 0; i < names.size(); ++i) {
    const float value = unit.features.values[i];
    const auto [range, is_new] = card.ranges.emplace(names[i], std::pair(value, value));
    range->second.first = std::min(range->second.first, value);
    range->second.second = std::max(range->second.second, value);
  }
}

void fill_cards(const SampleSet& samples, const std::optional<UnseenPredictions>& unseen,
                UnitPredictor& predictor) {
  std::map<std::string, CardRows> rows;
  CardRows all;
  for (size_t i = 0; i < samples.units.size(); ++i) {
    const UnitSample& unit = samples.units[i];
    widen(predictor.kinds[unit.features.kind], unit);
    widen(predictor.all, unit);
    CardRows& of_kind = rows[unit.features.kind];
    of_kind.identities.insert(unit.identity);
    all.identities.insert(unit.identity);
    if (!unseen) continue;
    of_kind.add(unit, unseen->units[i]);
    all.add(unit, unseen->units[i]);
  }
  const auto fill = [](KindCard& card, CardRows& from) {
    card.workloads = static_cast<int64_t>(from.identities.size());
    card.errors = error_figures(from.pairs);
    card.isolated = IntervalScale(std::move(from.isolated_scores));
    card.in_model = IntervalScale(std::move(from.in_model_scores));
  };
  for (auto& [kind, of_kind] : rows) fill(predictor.kinds[kind], of_kind);
  fill(predictor.all, all);
}

int64_t units_of(const ModelSample& model) {
  int64_t count = 0;
  for (const auto& [unit, times] : model.units) count += times;
  return count;
}

/// What is added to and multiplied with sums, from models for which `counts` is true.
template <class Filter>
ModelCard sum_card(const SampleSet& samples, const UnseenPredictions& unseen,
                   const Filter& counts) {
  ModelCard card;
  std::vector<double> dispatch, overhead, ratios;
  for (const ModelSample& model : samples.models) {
    if (!counts(model)) continue;
    const auto units = static_cast<double>(units_of(model));
    if (model.dispatch_s && units > 0) dispatch.push_back(std::max(*model.dispatch_s, 0.0) / units);
    if (model.call_overhead_s) overhead.push_back(*model.call_overhead_s);
  }
  card.dispatch_s = fit_predictor_median_of(std::move(dispatch));
  card.call_overhead_s = fit_predictor_median_of(std::move(overhead));
  for (size_t i = 0; i < samples.models.size(); ++i) {
    const ModelSample& model = samples.models[i];
    const double predicted =
        unseen.model_sums_s[i] + card.dispatch_s * static_cast<double>(units_of(model));
    const double measured = model.end_to_end_s - card.call_overhead_s;
    if (counts(model) && predicted > 0 && measured > 0) ratios.push_back(measured / predicted);
  }
  if (!ratios.empty()) card.bias = fit_predictor_median_of(std::move(ratios));
  return card;
}

ModelCard model_card(const SampleSet& samples, const std::optional<UnseenPredictions>& unseen) {
  const auto all = [](const ModelSample&) { return true; };
  ModelCard card;
  if (unseen) {
    card = sum_card(samples, *unseen, all);
    const std::vector<double> totals = unseen_totals_s(samples, *unseen);
    std::vector<PredictedPair> pairs;
    std::vector<double> scores;
    for (size_t i = 0; i < totals.size(); ++i) {
      if (totals[i] <= 0) continue;
      pairs.push_back({totals[i], samples.models[i].end_to_end_s});
      scores.push_back(std::abs(std::log(samples.models[i].end_to_end_s / totals[i])));
    }
    card.errors = error_figures(pairs);
    card.scale = IntervalScale(std::move(scores));
  } else {
    UnseenPredictions nothing;
    nothing.model_sums_s.resize(samples.models.size());
    card = sum_card(samples, nothing, all);
    card.bias = 1;
  }
  card.samples = static_cast<int64_t>(samples.models.size());
  return card;
}

}  // namespace

Result<std::optional<UnseenPredictions>> predict_unseen(const SampleSet& samples, int folds) {
  const std::map<std::string, int> parts = fit_predictor_parts_of(samples, folds);
  if (parts.size() < 2) return std::optional<UnseenPredictions>();
  UnseenPredictions unseen;
  unseen.units.resize(samples.units.size());
  for (int part = 0; part < folds; ++part) {
    const std::vector<const UnitSample*> others = others_of(samples, parts, part);
    if (others.empty()) return std::optional<UnseenPredictions>();
    OPBENCH_TRY(const UnitForests forests, fit_forests(others));
    for (size_t i = 0; i < samples.units.size(); ++i) {
      const UnitSample& unit = samples.units[i];
      if (parts.at(unit.group) != part) continue;
      unseen.units[i] = predict_unit(forests, unit.features, unit.context);
    }
  }
  for (const ModelSample& model : samples.models) {
    double sum_s = 0;
    for (const auto& [unit, count] : model.units) {
      sum_s += unseen.units[unit].in_model_s * static_cast<double>(count);
    }
    unseen.model_sums_s.push_back(sum_s);
  }
  return std::optional(std::move(unseen));
}

std::vector<double> unseen_totals_s(const SampleSet& samples, const UnseenPredictions& unseen) {
  std::map<std::string, ModelCard> cards;  // by group that is left out
  std::vector<double> totals;
  for (size_t i = 0; i < samples.models.size(); ++i) {
    const std::string& group = samples.models[i].group;
    if (!cards.contains(group)) {
      cards[group] =
          sum_card(samples, unseen, [&](const ModelSample& other) { return other.group != group; });
    }
    totals.push_back(cards.at(group).total_s(unseen.model_sums_s[i], units_of(samples.models[i])));
  }
  return totals;
}

Result<UnitPredictor> fit_predictor(const SampleSet& samples, const PredictorIdentity& identity,
                                    std::optional<UnseenPredictions>* unseen) {
  if (samples.units.empty()) {
    return Error{ErrorCode::kInvalidInput, "there is no sample to learn from"};
  }
  std::vector<const UnitSample*> all;
  UnitPredictor predictor{.engine = identity.engine,
                          .threads = identity.threads,
                          .machine_hash = identity.machine_hash,
                          .software_hash = identity.software_hash,
                          .schedule_version = identity.schedule_version,
                          .target = identity.target,
                          .timestamp = identity.timestamp,
                          .ceilings = identity.ceilings};
  for (const UnitSample& unit : samples.units) {
    all.push_back(&unit);
    predictor.record_ids.insert(predictor.record_ids.end(), unit.record_ids.begin(),
                                unit.record_ids.end());
  }
  for (const ModelSample& model : samples.models) {
    predictor.record_ids.insert(predictor.record_ids.end(), model.record_ids.begin(),
                                model.record_ids.end());
  }
  OPBENCH_TRY(predictor.forests, fit_forests(all));
  OPBENCH_TRY(auto predictions, predict_unseen(samples, kFolds));
  fill_cards(samples, predictions, predictor);
  predictor.models = model_card(samples, predictions);
  if (unseen != nullptr) *unseen = std::move(predictions);
  return predictor;
}

}  // namespace opbench
