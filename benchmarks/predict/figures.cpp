#include "benchmarks/predict/figures.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/files/file.h"
#include "base/json/json.h"
#include "experiments/sessions/run_identity.h"
#include "prediction/predict/baselines.h"
#include "prediction/predict/error_figures.h"
#include "prediction/predict/fit_predictor.h"
#include "prediction/predict/interval_scale.h"

namespace opbench {
namespace {

constexpr double kPredictFiguresLevel = 0.9;
constexpr double kAgreement = 0.05;
constexpr int kModelParts = 20;  ///< in which single models are left out

double score_of(double predicted, double measured) {
  return std::abs(std::log(measured / predicted));
}

/// The half width for models of `group` from the scores of all others.
template <class Scores>
std::optional<double> width_without(const std::string& group, const Scores& scores) {
  std::vector<double> others;
  for (const auto& [of_group, score] : scores) {
    if (of_group != group) others.push_back(score);
  }
  return IntervalScale(std::move(others)).half_width(kPredictFiguresLevel);
}

/// Share of units inside intervals that other groups calibrate, by kind where there are enough.
double unit_coverage(const SampleSet& samples, const UnseenPredictions& unseen) {
  std::map<std::string, std::vector<std::pair<std::string, double>>> by_kind;
  for (size_t i = 0; i < samples.units.size(); ++i) {
    const UnitSample& unit = samples.units[i];
    if (!unit.in_model_s) continue;
    by_kind[unit.features.kind].emplace_back(
        unit.group, score_of(unseen.units[i].in_model_s, *unit.in_model_s));
  }
  double inside = 0;
  double count = 0;
  for (const auto& [kind, scores] : by_kind) {
    std::map<std::string, std::optional<double>> widths;
    for (const auto& [group, score] : scores) {
      if (!widths.contains(group)) widths[group] = width_without(group, scores);
      if (!widths.at(group)) continue;
      count += 1;
      if (score <= *widths.at(group)) inside += 1;
    }
  }
  return count > 0 ? inside / count : 0;
}

Json frozen_models(const SampleSet& samples, const UnseenPredictions& unseen) {
  const std::vector<double> totals = unseen_totals_s(samples, unseen);
  std::vector<std::pair<std::string, double>> scores;
  for (size_t i = 0; i < totals.size(); ++i) {
    scores.emplace_back(samples.models[i].group,
                        score_of(totals[i], samples.models[i].end_to_end_s));
  }
  Json models = Json::object();
  for (size_t i = 0; i < totals.size(); ++i) {
    const auto width = width_without(samples.models[i].group, scores);
    models[samples.models[i].model] = {{"group", samples.models[i].group},
                                       {"predicted_s", totals[i]},
                                       {"half_width", width ? Json(*width) : Json()}};
  }
  return models;
}

/// Baselines that see nothing of a model's group, nor kernels that occur in it.
void add_baselines(const SampleSet& samples, Json& models) {
  std::set<std::string> groups;
  for (const ModelSample& model : samples.models) groups.insert(model.group);
  for (const std::string& group : groups) {
    std::set<std::string> occurring;
    for (const UnitSample& unit : samples.units) {
      if (unit.group == group) occurring.insert(unit.identity);
    }
    SampleSet others = samples;
    for (UnitSample& unit : others.units) {
      if (unit.group == group || occurring.contains(unit.identity)) unit.in_model_s.reset();
    }
    std::erase_if(others.models, [&](const ModelSample& model) { return model.group == group; });
    const Baselines baselines(others);
    for (const ModelSample& model : samples.models) {
      if (model.group != group) continue;
      std::vector<CountedUnit> units;
      for (const auto& [unit, count] : model.units) {
        units.push_back({&samples.units[unit].features, count});
      }
      for (const Baseline baseline : kBaselines) {
        models[model.model]["baselines_s"][name_of(baseline)] = baselines.model_s(baseline, units);
      }
    }
  }
}

Result<Json> frozen_part(SampleSet samples, int parts, bool by_family) {
  if (!by_family) {
    for (UnitSample& unit : samples.units) unit.group = unit.model;
    for (ModelSample& model : samples.models) model.group = model.model;
  }
  OPBENCH_TRY(const auto unseen, predict_unseen(samples, parts));
  if (!unseen) {
    return Error{ErrorCode::kInvalidInput, "there are too few groups of models to leave one out"};
  }
  Json models = frozen_models(samples, *unseen);
  add_baselines(samples, models);
  return Json{{"models", std::move(models)}, {"unit_coverage", unit_coverage(samples, *unseen)}};
}

/// A model with its truth.
struct Judged {
  std::string group;
  double predicted_s = 0;
  double measured_s = 0;
  bool is_inside = false;
};

std::vector<Judged> judged_models(const Json& part,
                                  const std::map<std::string, std::vector<double>>& truth,
                                  bool needs_agreement) {
  std::vector<Judged> judged;
  for (const auto& [name, model] : part.at("models").items()) {
    const auto times = truth.find(name);
    if (times == truth.end() || times->second.size() < 2) continue;
    const auto [least, most] = std::ranges::minmax(times->second);
    if (needs_agreement && most / least - 1 > kAgreement) continue;
    const double predicted = model.at("predicted_s").get<double>();
    const Json& width = model.at("half_width");
    judged.push_back(
        {.group = model.at("group").get<std::string>(),
         .predicted_s = predicted,
         .measured_s = least,
         .is_inside = width.is_number() && score_of(predicted, least) <= width.get<double>()});
  }
  return judged;
}

ErrorFigures figures_of(const std::vector<Judged>& judged) {
  std::vector<PredictedPair> pairs;
  for (const Judged& model : judged) pairs.push_back({model.predicted_s, model.measured_s});
  return error_figures(pairs);
}

std::string predict_figures_text_of(const std::string& name, const ErrorFigures& errors) {
  return fmt::format(
      "{:44} {:4} models  {:5.1f} % within 10 %  {:5.1f} % within 5 %  mean {:5.1f} %"
      "  RMSPE {:5.1f} %  worst {:5.1f} %",
      name, errors.count, errors.within_10 * 100, errors.within_5 * 100, errors.mean * 100,
      errors.rms * 100, errors.worst * 100);
}

double inside_share(const std::vector<Judged>& judged) {
  if (judged.empty()) return 0;
  const auto inside = std::ranges::count_if(judged, &Judged::is_inside);
  return static_cast<double>(inside) / static_cast<double>(judged.size());
}

void note_families(const std::vector<Judged>& judged, Report& report) {
  std::map<std::string, std::vector<Judged>> by_family;
  for (const Judged& model : judged) by_family[model.group].push_back(model);
  for (const auto& [family, models] : by_family) {
    report.note(predict_figures_text_of("  " + family, figures_of(models)) +
                fmt::format("  {:3.0f} % inside", inside_share(models) * 100));
  }
}

void note_baselines(const std::string& what, const Json& part,
                    const std::map<std::string, std::vector<double>>& truth, Report& report) {
  for (const Baseline baseline : kBaselines) {
    Json of_baseline = part;
    const Json& models = part.at("models");
    if (models.empty() || !models.front().contains("baselines_s")) return;  // frozen without them
    for (auto& [name, model] : of_baseline.at("models").items()) {
      model["predicted_s"] = model.at("baselines_s").at(name_of(baseline));
    }
    report.note(predict_figures_text_of(what + ", " + name_of(baseline),
                                        figures_of(judged_models(of_baseline, truth, true))));
  }
}

void add_predict_figures_bars(const std::string& what, const Json& part, double least_within_10,
                              double most_rmspe,
                              const std::map<std::string, std::vector<double>>& truth,
                              Report& report) {
  const std::vector<Judged> agreeing = judged_models(part, truth, true);
  const ErrorFigures errors = figures_of(agreeing);
  report.note(predict_figures_text_of(what + ", visits agree", errors));
  report.note(
      predict_figures_text_of(what + ", all", figures_of(judged_models(part, truth, false))));
  report.add({what + ": models beyond 10 %, %", (1 - errors.within_10) * 100,
              (1 - least_within_10) * 100, errors.count == 0 ? "no model has a truth" : ""});
  report.add({what + ": RMSPE of models, %", errors.rms * 100, most_rmspe * 100,
              errors.count == 0 ? "no model has a truth" : ""});
  const double coverage = inside_share(agreeing);
  report.add({fmt::format("{}: coverage of 90 % intervals of models, distance from 90 %", what),
              std::abs(coverage - kPredictFiguresLevel) * 100, 5});
  const double units = part.at("unit_coverage").get<double>();
  report.add({fmt::format("{}: coverage of 90 % intervals of units, distance from 90 %", what),
              std::abs(units - kPredictFiguresLevel) * 100, 5});
  report.note(fmt::format("{}: intervals hold {:.1f} % of models, {:.1f} % of units", what,
                          coverage * 100, units * 100));
}

}  // namespace

Result<void> freeze_predictions(const Corpus& corpus) {
  std::error_code ignored;
  if (std::filesystem::exists(corpus.frozen_file(), ignored)) return {};
  OPBENCH_TRY(const SampleSet samples, training_samples(corpus));
  std::set<std::string> families;
  for (const UnitSample& unit : samples.units) families.insert(unit.group);
  Report::progress(
      fmt::format("learn from {} units of {} models", samples.units.size(), samples.models.size()));
  OPBENCH_TRY(Json by_family, frozen_part(samples, static_cast<int>(families.size()), true));
  OPBENCH_TRY(Json by_model, frozen_part(samples, kModelParts, false));
  const Json frozen = {{"timestamp", utc_now()},
                       {"units", samples.units.size()},
                       {"family_out", std::move(by_family)},
                       {"model_out", std::move(by_model)}};
  return write_file(corpus.frozen_file(), frozen.dump(1) + "\n");
}

Result<void> report_figures(const Corpus& corpus, Report& report) {
  OPBENCH_TRY(const std::string text, read_file(corpus.frozen_file()));
  OPBENCH_TRY(const Json frozen, parse_json(text, "the frozen predictions"));
  OPBENCH_TRY(const auto truth, true_times(corpus));
  std::vector<PredictedPair> visits;
  size_t agreeing = 0;
  for (const auto& [model, times] : truth) {
    if (times.size() < 2) continue;
    visits.push_back({std::ranges::max(times), std::ranges::min(times)});
    if (visits.back().predicted / visits.back().measured - 1 <= kAgreement) ++agreeing;
  }
  report.note(
      fmt::format("predictions frozen {}, from {} units; truth: {} models, of which {} "
                  "agree within 5 % over two visits",
                  frozen.at("timestamp").get<std::string>(), frozen.at("units").get<size_t>(),
                  visits.size(), agreeing));
  report.note(predict_figures_text_of("noise floor: slower visit, all", error_figures(visits)));
  const Json& by_family = frozen.at("family_out");
  add_predict_figures_bars("family out", by_family, 0.88, 0.08, truth, report);
  note_families(judged_models(by_family, truth, true), report);
  note_baselines("family out", by_family, truth, report);
  const Json& by_model = frozen.at("model_out");
  add_predict_figures_bars("single model out", by_model, 0.95, 0.06, truth, report);
  note_baselines("single model out", by_model, truth, report);
  const ErrorFigures errors = figures_of(judged_models(by_model, truth, true));
  const char* const nothing = errors.count == 0 ? "no model has a truth" : "";
  report.add({"single model out: mean error of models, %", errors.mean * 100, 5, nothing});
  report.add({"single model out: worst error of a model, %", errors.worst * 100, 15, nothing});
  return {};
}

}  // namespace opbench
