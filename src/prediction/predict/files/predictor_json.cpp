#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/json.h"
#include "base/json/json_text.h"
#include "machine/ceilings/ceilings.h"
#include "prediction/predict/files/predictor_file.h"
#include "records/json/json_member.h"

namespace opbench {
namespace {

constexpr std::string_view kPredictorSchema = "opbench.predictor/2";
constexpr std::string_view kAnySchema =  // of whatever version
    kPredictorSchema.substr(0, kPredictorSchema.find('/') + 1);

Json json_of(const IntervalScale& scale) {
  return {{"count", scale.size()}, {"scores", scale.scores()}};
}

Json json_of(const ErrorFigures& errors) {
  return {{"count", errors.count},        {"mean", errors.mean},
          {"median", errors.median},      {"rms", errors.rms},
          {"worst", errors.worst},        {"within_5", errors.within_5},
          {"within_10", errors.within_10}};
}

Json json_of(const KindCard& card) {
  Json ranges = Json::object();
  for (const auto& [name, range] : card.ranges) ranges[name] = {range.first, range.second};
  return {{"samples", card.samples},
          {"workloads", card.workloads},
          {"schedules", card.schedules},
          {"errors", json_of(card.errors)},
          {"ranges", std::move(ranges)},
          {"isolated_scale", json_of(card.isolated)},
          {"in_model_scale", json_of(card.in_model)}};
}

Json json_of(const ScheduleForest& forest) {
  return {{"columns", forest.columns.names()},
          {"isolated", to_json(forest.isolated)},
          {"in_model", to_json(forest.in_model)}};
}

Json json_of(const ModelCard& card) {
  return {{"samples", card.samples},
          {"errors", json_of(card.errors)},
          {"scale", json_of(card.scale)},
          {"dispatch_s", card.dispatch_s},
          {"call_overhead_s", card.call_overhead_s},
          {"bias", card.bias}};
}

// The readers throw nlohmann's exceptions, which parse_predictor turns into an error.

IntervalScale scale_of(const Json& json) {
  return IntervalScale::from_kept(json.at("scores").get<std::vector<double>>(),
                                  json.at("count").get<size_t>());
}

ErrorFigures errors_of(const Json& json) {
  return {.count = json.at("count").get<int64_t>(),
          .mean = json.at("mean").get<double>(),
          .median = json.at("median").get<double>(),
          .rms = json.at("rms").get<double>(),
          .worst = json.at("worst").get<double>(),
          .within_5 = json.at("within_5").get<double>(),
          .within_10 = json.at("within_10").get<double>()};
}

KindCard card_of(const Json& json) {
  KindCard card{.samples = json.at("samples").get<int64_t>(),
                .workloads = json.at("workloads").get<int64_t>(),
                .schedules = json.at("schedules").get<std::set<std::string>>(),
                .errors = errors_of(json.at("errors")),
                .isolated = scale_of(json.at("isolated_scale")),
                .in_model = scale_of(json.at("in_model_scale"))};
  for (const auto& [name, range] : json.at("ranges").items()) {
    card.ranges[name] = {range.at(0).get<float>(), range.at(1).get<float>()};
  }
  return card;
}

ModelCard model_card_of(const Json& json) {
  return {.samples = json.at("samples").get<int64_t>(),
          .errors = errors_of(json.at("errors")),
          .scale = scale_of(json.at("scale")),
          .dispatch_s = json.at("dispatch_s").get<double>(),
          .call_overhead_s = json.at("call_overhead_s").get<double>(),
          .bias = json.at("bias").get<double>()};
}

Result<FeatureColumns> columns_of(const Json& json) {
  return FeatureColumns::named(json.get<std::vector<std::string>>());
}

Result<ScheduleForest> predictor_json_forest_of(const Json& json) {
  ScheduleForest forest;
  OPBENCH_TRY(forest.columns, columns_of(json.at("columns")));
  const size_t columns = forest.columns.names().size();
  OPBENCH_TRY(forest.isolated, regression_trees_from_json(json.at("isolated"), columns));
  OPBENCH_TRY(forest.in_model, regression_trees_from_json(json.at("in_model"), columns));
  if (forest.isolated.is_empty() && forest.in_model.is_empty()) {
    return Error{ErrorCode::kInvalidInput, "a forest without trees"};
  }
  return forest;
}

Result<UnitForests> forests_of(const Json& json) {
  UnitForests forests;
  for (const auto& [schedule, forest] : json.at("schedules").items()) {
    OPBENCH_TRY(forests.schedules[schedule], predictor_json_forest_of(forest));
  }
  OPBENCH_TRY(forests.general, predictor_json_forest_of(json.at("general")));
  const Json& place = json.at("place");
  OPBENCH_TRY(forests.place_columns, columns_of(place.at("columns")));
  OPBENCH_TRY(forests.place,
              regression_trees_from_json(place.at("trees"), forests.place_columns.names().size()));
  return forests;
}

Result<UnitPredictor> predictor_of(const Json& json) {
  UnitPredictor predictor;
  predictor.engine = json.at("engine").get<std::string>();
  predictor.threads = json.at("threads").get<int>();
  predictor.machine_hash = json.at("machine_hash").get<std::string>();
  predictor.software_hash = json.at("software_hash").get<std::string>();
  predictor.schedule_version = json.at("schedule_version").get<std::string>();
  predictor.target = json.at("target").get<std::string>();
  predictor.timestamp = json.at("timestamp").get<std::string>();
  OPBENCH_TRY(predictor.ceilings, parse_ceilings(json.at("ceilings").dump()));
  predictor.all = card_of(json.at("all"));
  for (const auto& [kind, card] : json.at("kinds").items()) predictor.kinds[kind] = card_of(card);
  predictor.models = model_card_of(json.at("models"));
  OPBENCH_TRY(predictor.forests, forests_of(json.at("forests")));
  predictor.record_ids = json.at("records").get<std::vector<std::string>>();
  return predictor;
}

}  // namespace

std::string to_text(const UnitPredictor& predictor) {
  Json kinds = Json::object();
  for (const auto& [kind, card] : predictor.kinds) kinds[kind] = json_of(card);
  Json forests = {{"schedules", Json::object()}};
  for (const auto& [schedule, forest] : predictor.forests.schedules) {
    forests["schedules"][schedule] = json_of(forest);
  }
  forests["general"] = json_of(predictor.forests.general);
  forests["place"] = {{"columns", predictor.forests.place_columns.names()},
                      {"trees", to_json(predictor.forests.place)}};
  const Json json = {{"schema", kPredictorSchema},
                     {"id", predictor.id()},
                     {"engine", predictor.engine},
                     {"threads", predictor.threads},
                     {"machine_hash", predictor.machine_hash},
                     {"software_hash", predictor.software_hash},
                     {"schedule_version", predictor.schedule_version},
                     {"target", predictor.target},
                     {"timestamp", predictor.timestamp},
                     {"ceilings", Json::parse(to_text(predictor.ceilings))},
                     {"all", json_of(predictor.all)},
                     {"kinds", std::move(kinds)},
                     {"models", json_of(predictor.models)},
                     {"forests", std::move(forests)},
                     {"records", predictor.record_ids}};
  return json_text(json) + "\n";
}

Result<UnitPredictor> parse_predictor(const std::string& text) {
  OPBENCH_TRY(const Json json, parse_json(text, "the predictor"));
  const std::string schema = text_member(json, "schema").value_or("");
  if (schema != kPredictorSchema) {
    const bool is_other = schema.starts_with(kAnySchema);
    return Error{ErrorCode::kInvalidInput,
                 is_other ? fmt::format("the predictor has another form, \"{}\"", schema)
                          : "this is no predictor"}
        .with("needed", fmt::format("\"schema\": \"{}\"", kPredictorSchema));
  }
  try {
    return predictor_of(json);
  } catch (const Json::exception& exception) {
    return Error{ErrorCode::kInvalidInput, "the predictor is damaged"}.with("reason",
                                                                            exception.what());
  }
}

}  // namespace opbench
