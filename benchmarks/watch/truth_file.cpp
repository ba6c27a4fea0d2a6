#include <nlohmann/json.hpp>

#include "base/json/json.h"
#include "benchmarks/watch/synthetic_year.h"
#include "watching/series/packed_text.h"

namespace opbench {
namespace {

std::vector<double> doubles_of(const Json& list) { return list.get<std::vector<double>>(); }

YearTruth truth_of_json(const Json& json) {
  YearTruth truth{.seed = json.at("seed").get<uint64_t>(), .noise = json.at("noise")};
  truth.series = json.at("series").get<std::vector<std::string>>();
  for (const Json& change : json.at("changes")) {
    TrueChange made{change.at("night"), change.at("engine"), {}};
    for (const auto& [row, effect] : change.at("effects").items()) {
      made.effects[std::stoi(row)] = effect;
    }
    truth.changes.push_back(std::move(made));
  }
  for (const Json& floor : json.at("floor"))
    truth.floor.push_back(floor.is_null() ? -1 : floor.get<double>());
  const Json& machine = json.at("sim");
  truth.ms = doubles_of(machine.at("ms"));
  truth.sample_sd = doubles_of(machine.at("sigma"));
  truth.night_sd = doubles_of(machine.at("tau"));
  truth.mood_gap = doubles_of(machine.at("gap"));
  truth.chain = machine.at("chain").get<std::vector<std::string>>();
  for (const Json& range : machine.at("alive")) truth.alive.push_back({range.at(0), range.at(1)});
  for (const Json& row : machine.at("code")) {
    std::vector<std::pair<int, double>> steps;
    for (const Json& step : row) steps.push_back({step.at(0), step.at(1)});
    truth.code.push_back(std::move(steps));
  }
  for (const Json& night : machine.at("burst_night"))
    truth.is_burst.push_back(night.get<int>() != 0);
  truth.odd_row = json.at("params").at("outlier_row");
  return truth;
}

}  // namespace

Result<YearTruth> read_truth(const std::string& path) {
  OPBENCH_TRY(const std::string text, read_packed_text(path));
  OPBENCH_TRY(const Json json, parse_json(text, path));
  try {
    return truth_of_json(json);
  } catch (const nlohmann::json::exception& error) {
    return invalid_input("\"" + path + "\" is no truth of a year: " + error.what());
  }
}

}  // namespace opbench
