#include "records/record/record_environment.h"

#include <nlohmann/json.hpp>

#include "records/json/json_member.h"

namespace opbench {
namespace {

JsonText record_environment_text_of(const Json& json) { return {canonical_text(json)}; }

}  // namespace

void add_environment(const Environment& environment, BenchmarkRecord& record) {
  const Json json = to_json(environment);
  const MachineFacts machine = environment.machine.value_or(MachineFacts());
  const SoftwareFacts software = environment.software.value_or(SoftwareFacts());
  record.hw_model = machine.cpu_model.value;
  record.hardware = machine.system_product.value.value_or(record.hw_model.value_or("unknown"));
  Json hardware_config = {{"machine", member(json, "machine")}};
  constexpr double kGigabyte = 1e9;
  if (const auto bytes = machine.memory_bytes.value) {
    hardware_config["memory_GB"] = static_cast<double>(*bytes) / kGigabyte;
  }
  record.hardware_config = record_environment_text_of(hardware_config);
  Json software_config = {{"software", member(json, "software")}};
  if (software.distribution.value) software_config["os"] = *software.distribution.value;
  record.software_config = record_environment_text_of(software_config);
  Json metadata = {{"state", member(json, "state")}, {"docker_tag", nullptr}};
  metadata["docker_tag_reason"] = "a process cannot see the tag of its image";
  const Known<std::string>& digest = software.container_digest;
  metadata["docker_hash"] = digest.value ? Json(*digest.value) : Json();
  if (!digest.value) {
    metadata["docker_hash_reason"] =
        digest.reason.empty() ? "not in the environment" : digest.reason;
  }
  record.metadata = record_environment_text_of(metadata);
  if (!environment.machine_hash.empty()) record.machine_hash = environment.machine_hash;
  if (!environment.software_hash.empty()) record.software_hash = environment.software_hash;
}

Environment environment_of(const BenchmarkRecord& record) {
  Json json = Json::object();
  const auto take = [&](const std::optional<JsonText>& text, const char* key) {
    const Json part = text ? member(Json::parse(text->text), key) : Json();
    if (!part.is_null()) json[key] = part;
  };
  take(record.hardware_config, "machine");
  take(record.metadata, "state");
  take(record.software_config, "software");
  if (record.machine_hash) json["machine_hash"] = *record.machine_hash;
  if (record.software_hash) json["software_hash"] = *record.software_hash;
  return environment_from(json);
}

}  // namespace opbench
