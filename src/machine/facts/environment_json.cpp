#include <nlohmann/json.hpp>

#include <cmath>
#include <type_traits>
#include <utility>

#include "machine/facts/environment.h"
#include "machine/facts/facts.h"

namespace opbench {
namespace {

template <class T>
Json value_json(const T& value) {
  return Json(value);
}

Json value_json(const double& value) {
  const bool is_whole = value == std::floor(value) && std::abs(value) < 9e15;
  return is_whole ? Json(static_cast<int64_t>(value)) : Json(value);
}

template <class T>
void add_field(Json& json, const std::string& name, const Known<T>& fact);

Json value_json(const std::vector<CoreKindFacts>& kinds) {
  Json list = Json::array();
  for (const CoreKindFacts& one : kinds) {
    list.push_back({{"kind", one.kind}, {"efficiency", one.efficiency}, {"cores", one.cores}});
  }
  return list;
}

Json value_json(const std::vector<CacheFacts>& caches) {
  Json list = Json::array();
  for (const CacheFacts& one : caches) {
    list.push_back({{"level", one.level},
                    {"instruction", one.instruction},
                    {"bytes", one.bytes},
                    {"line_bytes", one.line_bytes},
                    {"ways", one.ways},
                    {"cpus_sharing", one.cpus_sharing},
                    {"count", one.count}});
  }
  return list;
}

Json value_json(const std::vector<NumaFacts>& nodes) {
  Json list = Json::array();
  for (const NumaFacts& one : nodes) {
    list.push_back({{"node", one.node},
                    {"memory_bytes", one.memory_bytes},
                    {"cpus", one.cpus},
                    {"distances", one.distances}});
  }
  return list;
}

Json value_json(const Libraries& libraries) {
  Json object = Json::object();
  for (const auto& [name, library] : libraries) {
    Json one = Json::object();
    one["file"] = library.file;
    add_field(one, "build_id", library.build_id);
    object[name] = std::move(one);
  }
  return object;
}

template <class T>
void add_field(Json& json, const std::string& name, const Known<T>& fact) {
  if (!fact.is_there) return;
  json[name] = fact.value ? value_json(*fact.value) : Json();
  if (!fact.value && !fact.reason.empty()) json[name + "_reason"] = fact.reason;
}

/// Throws an exception of Json where a member is missing or of another type. What it reads wrongly
/// (a fraction as a whole number) is not what is written back, and so is not taken.
template <class T>
T value_from(const Json& json, std::type_identity<T>) {
  return json.get<T>();
}

template <class T>
void take_field(Json& json, const std::string& name, Known<T>& fact);

std::vector<CoreKindFacts> value_from(const Json& json,
                                      std::type_identity<std::vector<CoreKindFacts>>) {
  std::vector<CoreKindFacts> kinds;
  for (const Json& one : json) {
    kinds.push_back(
        {.kind = one.at("kind"), .efficiency = one.at("efficiency"), .cores = one.at("cores")});
  }
  return kinds;
}

std::vector<CacheFacts> value_from(const Json& json, std::type_identity<std::vector<CacheFacts>>) {
  std::vector<CacheFacts> caches;
  for (const Json& one : json) {
    caches.push_back({.level = one.at("level"),
                      .instruction = one.at("instruction"),
                      .bytes = one.at("bytes"),
                      .line_bytes = one.at("line_bytes"),
                      .ways = one.at("ways"),
                      .cpus_sharing = one.at("cpus_sharing"),
                      .count = one.at("count")});
  }
  return caches;
}

std::vector<NumaFacts> value_from(const Json& json, std::type_identity<std::vector<NumaFacts>>) {
  std::vector<NumaFacts> nodes;
  for (const Json& one : json) {
    nodes.push_back({.node = one.at("node"),
                     .memory_bytes = one.at("memory_bytes"),
                     .cpus = one.at("cpus"),
                     .distances = one.at("distances")});
  }
  return nodes;
}

Libraries value_from(const Json& json, std::type_identity<Libraries>) {
  Libraries libraries;
  for (const auto& [name, library] : json.items()) {
    Json fields = library;
    LibraryFacts& one = libraries[name];
    one.file = fields.at("file");
    take_field(fields, "build_id", one.build_id);
  }
  return libraries;
}

/// Moves the field and its reason out of the object. Leaves there what would be written otherwise.
template <class T>
void take_field(Json& json, const std::string& name, Known<T>& fact) {
  const auto found = json.find(name);
  if (found == json.end()) return;
  Known<T> taken{.is_there = true};
  const std::string name_of_reason = name + "_reason";
  if (found->is_null()) {
    const auto reason = json.find(name_of_reason);
    if (reason != json.end() && !reason->is_string()) return;
    if (reason != json.end()) taken.reason = reason->template get<std::string>();
    if (reason != json.end() && taken.reason.empty()) return;
    json.erase(name_of_reason);
  } else {
    try {
      taken.value = value_from(*found, std::type_identity<T>());
    } catch (const Json::exception&) {
      return;
    }
    if (canonical_text(value_json(*taken.value)) != canonical_text(*found)) return;
  }
  json.erase(name);
  fact = std::move(taken);
}

OtherFacts others_of(const Json& rest) {
  OtherFacts others;
  for (const auto& [name, value] : rest.items()) others[name] = value.dump();
  return others;
}

void add_others(Json& json, const OtherFacts& others) {
  for (const auto& [name, text] : others) json[name] = Json::parse(text);
}

MachineFacts machine_from(Json json) {
  MachineFacts machine;
#define OPBENCH_MACHINE_FACT(type, name) take_field(json, #name, machine.name);
#include "machine/facts/environment_fields.inc"
  machine.others = others_of(json);
  return machine;
}

StateFacts state_from(Json json) {
  StateFacts state;
#define OPBENCH_STATE_FACT(type, name) take_field(json, #name, state.name);
#include "machine/facts/environment_fields.inc"
  state.others = others_of(json);
  return state;
}

SoftwareFacts software_from(Json json) {
  SoftwareFacts software;
#define OPBENCH_SOFTWARE_FACT(type, name) take_field(json, #name, software.name);
#include "machine/facts/environment_fields.inc"
  software.others = others_of(json);
  return software;
}

/// Moves a part out of the object.
template <class Part, class Read>
void take_part(Json& json, const char* name, std::optional<Part>& part, const Read& read) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_object()) return;
  part = read(*found);
  json.erase(name);
}

void take_hash(Json& json, const char* name, std::string& hash) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_string() || found->get<std::string>().empty()) return;
  hash = found->get<std::string>();
  json.erase(name);
}

}  // namespace

Json to_json(const MachineFacts& machine) {
  Json json = Json::object();
#define OPBENCH_MACHINE_FACT(type, name) add_field(json, #name, machine.name);
#include "machine/facts/environment_fields.inc"
  add_others(json, machine.others);
  return json;
}

Json to_json(const StateFacts& state) {
  Json json = Json::object();
#define OPBENCH_STATE_FACT(type, name) add_field(json, #name, state.name);
#include "machine/facts/environment_fields.inc"
  add_others(json, state.others);
  return json;
}

Json to_json(const SoftwareFacts& software) {
  Json json = Json::object();
#define OPBENCH_SOFTWARE_FACT(type, name) add_field(json, #name, software.name);
#include "machine/facts/environment_fields.inc"
  add_others(json, software.others);
  return json;
}

Json to_json(const Environment& environment) {
  Json json = Json::object();
  if (environment.machine) json["machine"] = to_json(*environment.machine);
  if (environment.state) json["state"] = to_json(*environment.state);
  if (environment.software) json["software"] = to_json(*environment.software);
  if (!environment.machine_hash.empty()) json["machine_hash"] = environment.machine_hash;
  if (!environment.software_hash.empty()) json["software_hash"] = environment.software_hash;
  add_others(json, environment.others);
  return json;
}

Environment environment_from(const Json& json) {
  Environment environment;
  if (!json.is_object()) return environment;
  Json rest = json;
  take_part(rest, "machine", environment.machine, machine_from);
  take_part(rest, "state", environment.state, state_from);
  take_part(rest, "software", environment.software, software_from);
  take_hash(rest, "machine_hash", environment.machine_hash);
  take_hash(rest, "software_hash", environment.software_hash);
  environment.others = others_of(rest);
  return environment;
}

}  // namespace opbench
