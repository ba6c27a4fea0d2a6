#include "experiments/sessions/request/replay_request.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include "base/json/byte_text.h"
#include "base/json/json.h"
#include "base/json/json_text.h"

namespace opbench {
namespace {

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

/// Words and paths: these may hold any bytes.
void read(const Json& object, const char* key, std::string& target) {
  const auto value = object.find(key);
  if (value == object.end()) return;
  target = bytes_of(*value).value_or(std::move(target));
}

void read(const Json& object, const char* key, std::map<std::string, std::string>& target) {
  const auto value = object.find(key);
  if (value == object.end() || !value->is_object()) return;
  for (const auto& [name, file] : value->items()) {
    if (auto bytes = bytes_of(file)) target[name] = *std::move(bytes);
  }
}

void read(const Json& object, const char* key, CacheMode& target) {
  std::string name;
  read(object, key, name);
  target = parse_cache_mode(name).value_or(target);
}

void read(const Json& object, const char* key, std::optional<uint64_t>& target) {
  const auto value = object.find(key);
  if (value != object.end() && value->is_number_integer()) target = value->get<uint64_t>();
}

void read(const Json& object, const char* key, std::vector<KernelChoice>& target) {
  const auto list = object.find(key);
  if (list == object.end() || !list->is_array()) return;
  for (const Json& item : *list) {
    if (auto choice = kernel_choice_from_json(item)) target.push_back(std::move(*choice));
  }
}

template <class T>
void write(Json& object, const char* key, const T& value) {
  object[key] = value;
}

void write(Json& object, const char* key, const std::string& value) {
  object[key] = byte_text(value);
}

void write(Json& object, const char* key, const std::map<std::string, std::string>& value) {
  Json files = Json::object();
  for (const auto& [name, file] : value) files[name] = byte_text(file);
  object[key] = std::move(files);
}

void write(Json& object, const char* key, const CacheMode& value) { object[key] = name_of(value); }

void write(Json& object, const char* key, const std::optional<uint64_t>& value) {
  object[key] = value ? Json(*value) : Json();
}

void write(Json& object, const char* key, const std::vector<KernelChoice>& value) {
  if (value.empty()) return;
  for (const KernelChoice& choice : value) object[key].push_back(to_json(choice));
}

/// Calls `visit` with the name and the field of all that a request's text holds.
template <class Request, class Visit>
void visit_fields(Request& request, const Visit& visit) {
  visit("model", request.model.name);
  visit("is_zoo", request.model.is_zoo);
  visit("workload", request.model.workload);
  visit("layouts", request.model.layouts);
  visit("engines", request.engines);
  visit("threads", request.threads);
  visit("cpus", request.settings.cpus);
  visit("batch_size", request.model.extents.batch_size);
  visit("shapes", request.model.extents.shapes);
  visit("dimensions", request.model.extents.dimensions);
  visit("replaces_extents", request.model.extents.replaces_fixed);
  visit("inputs", request.model.inputs);
  visit("seed", request.model.seed);
  visit("randomize_weights", request.model.randomize_weights);
  visit("check", request.measure.check_engine);
  visit("executor", request.settings.executor);
  visit("cache", request.measure.cache);
  visit("measures_units", request.measure.measures_units);
  visit("budget_s", request.measure.budget_s);
  visit("runs", request.measure.runs);
  visit("warm_up", request.measure.warm_up);
  visit("percentiles", request.measure.percentiles);
  visit("precision", request.measure.precision);
  visit("target", request.settings.target);
  visit("kernels", request.settings.kernels);
}

/// From the fields that every record has.
void read_fields(const ReplayItem& item, ProfileRequest& request) {
  const BenchmarkRecord& record = item.record;
  if (item.source == "workload") {
    request.model.workload = workload_text(item.identity);
    request.model.layouts = layouts_of(item.identity);
  } else {
    request.model.is_zoo = item.source == "zoo";
    request.model.name =
        request.model.is_zoo ? record.model.value_or(record.workload) : item.source;
  }
  request.settings.cpus = item.cpus;
  request.model.extents.batch_size = item.batch_size;
  request.model.seed = item.seed;
  request.measure.cache = parse_cache_mode(record.cache.value_or("")).value_or(CacheMode::kHot);
}

template <class T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

}  // namespace

std::string request_json(const ProfileRequest& request) {
  Json json;
  visit_fields(request, [&](const char* key, const auto& field) { write(json, key, field); });
  if (!request.settings.tuning.empty()) json["tuning"] = request.settings.tuning;
  if (!request.settings.device.empty()) json["device"] = request.settings.device;
  if (!request.settings.is_fused) json["is_fused"] = false;
  if (request.settings.parallel != RunSettings().parallel)
    json["parallel"] = request.settings.parallel;
  if (!request.settings.machine.empty()) write(json, "machine_settings", request.settings.machine);
  if (!request.settings.plan.file.empty()) json["plan"] = byte_text(request.settings.plan.file);
  if (!request.settings.plan.sha256.empty()) json["plan_sha256"] = request.settings.plan.sha256;
  return json_text(json);
}

Result<ProfileRequest> parse_request_json(const std::string& text) {
  OPBENCH_TRY(const Json json, parse_json(text, "the request of a record"));
  ProfileRequest request;
  visit_fields(request, [&](const char* key, auto& field) { read(json, key, field); });
  read(json, "tuning", request.settings.tuning);
  read(json, "device", request.settings.device);
  read(json, "is_fused", request.settings.is_fused);
  read(json, "parallel", request.settings.parallel);
  read(json, "machine_settings", request.settings.machine);
  read(json, "plan", request.settings.plan.file);
  read(json, "plan_sha256", request.settings.plan.sha256);
  return request;
}

Result<ProfileRequest> replay_request(const std::vector<const ReplayItem*>& items) {
  ProfileRequest request;
  const ReplayItem& first = *items.front();
  if (first.request.empty()) {
    read_fields(first, request);
  } else {
    OPBENCH_TRY(request, parse_request_json(first.request));
  }
  if (request.model.name.empty() && request.model.workload.empty()) {
    return Error{ErrorCode::kInvalidInput, "the record does not say which model it is of"};
  }
  if (first.record.target) request.settings.target = *first.record.target;
  request.engines.clear();
  request.threads.clear();
  for (const ReplayItem* item : items) {
    add_once(request.engines, item->record.engine);
    add_once(request.threads, static_cast<int>(item->threads));
  }
  return request;
}

}  // namespace opbench
