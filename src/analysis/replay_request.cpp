#include "opbench/analysis/replay_request.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

#include "opbench/base/json.h"

namespace opbench {
namespace {

constexpr std::pair<CacheMode, const char*> kCacheWords[] = {
    {CacheMode::kHot, "hot"},
    {CacheMode::kColdWeights, "cold-weights"},
    {CacheMode::kColdAll, "cold-all"}};

std::string word_of(CacheMode mode) {
  for (const auto& [cache, word] : kCacheWords) {
    if (cache == mode) return word;
  }
  return "hot";
}

CacheMode cache_of(const std::string& text) {
  for (const auto& [cache, word] : kCacheWords) {
    if (text == word) return cache;
  }
  return CacheMode::kHot;
}

/// Sets `target` when the member is there and of its type.
template <class T>
void read(const Json& object, const char* key, T& target) {
  const auto value = object.find(key);
  if (value == object.end() || value->is_null()) return;
  try {
    target = value->get<T>();
  } catch (const nlohmann::json::exception&) {
    return;  // of another type: as if it were not there
  }
}

void read_request(const Json& json, ProfileRequest& request) {
  read(json, "model", request.model);
  read(json, "is_zoo", request.model_is_zoo);
  read(json, "workload", request.workload);
  read(json, "layouts", request.layouts);
  read(json, "cpus", request.cpus);
  read(json, "batch_size", request.batch_size);
  read(json, "shapes", request.shapes);
  std::map<std::string, std::string> inputs;
  read(json, "inputs", inputs);
  for (const auto& [name, file] : inputs) request.inputs[name] = file;
  read(json, "seed", request.seed);
  if (const auto seed = json.find("randomize_weights");
      seed != json.end() && seed->is_number_integer()) {
    request.randomize_weights = seed->get<uint64_t>();
  }
  read(json, "check", request.check_engine);
  read(json, "executor", request.executor);
  std::string cache;
  read(json, "cache", cache);
  request.cache = cache_of(cache);
  read(json, "measures_units", request.measures_units);
  read(json, "budget_s", request.budget_s);
  read(json, "precision", request.precision);
  read(json, "target", request.target);
}

/// From the fields that every record has.
void read_fields(const ReplayItem& item, ProfileRequest& request) {
  const BenchmarkRecord& record = item.record;
  if (item.source == "workload") {
    request.workload = item.workload;
    request.layouts = item.layouts;
  } else {
    request.model_is_zoo = item.source == "zoo";
    request.model = request.model_is_zoo ? record.model.value_or(record.workload) : item.source;
  }
  request.cpus = item.cpus;
  request.batch_size = item.batch_size;
  request.seed = item.seed;
  request.cache = cache_of(record.cache.value_or("hot"));
}

template <class T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

}  // namespace

std::string request_json(const ProfileRequest& request) {
  Json inputs = Json::object();
  for (const auto& [name, path] : request.inputs) inputs[name] = path.string();
  Json json = {{"model", request.model},
               {"is_zoo", request.model_is_zoo},
               {"workload", request.workload},
               {"layouts", request.layouts},
               {"engines", request.engines},
               {"threads", request.threads},
               {"cpus", request.cpus},
               {"batch_size", request.batch_size},
               {"shapes", request.shapes},
               {"inputs", inputs},
               {"seed", request.seed},
               {"randomize_weights", nullptr},
               {"check", request.check_engine},
               {"executor", request.executor},
               {"cache", word_of(request.cache)},
               {"measures_units", request.measures_units},
               {"budget_s", request.budget_s},
               {"precision", request.precision},
               {"target", request.target}};
  if (request.randomize_weights) json["randomize_weights"] = *request.randomize_weights;
  return json.dump();
}

Result<ProfileRequest> replay_request(const std::vector<const ReplayItem*>& items) {
  ProfileRequest request;
  const ReplayItem& first = *items.front();
  if (first.request.empty()) {
    read_fields(first, request);
  } else {
    OPBENCH_TRY(const Json json, parse_json(first.request, "the request of a record"));
    read_request(json, request);
  }
  if (request.model.empty() && request.workload.empty()) {
    return Error{ErrorCode::kInvalidInput, "the record does not say which model it is of"};
  }
  if (first.record.target) request.target = *first.record.target;
  request.engines.clear();
  request.threads.clear();
  for (const ReplayItem* item : items) {
    add_once(request.engines, item->record.engine);
    add_once(request.threads, static_cast<int>(item->threads));
  }
  return request;
}

}  // namespace opbench
