#include "records/record/record_environment.h"

#include <nlohmann/json.hpp>

#include "records/json/json_member.h"

namespace opbench {
namespace {

JsonText record_environment_text_of(const Json& json) { return {canonical_text(json)}; }

}  // namespace

void add_environment(const Json& environment, BenchmarkRecord& record) {
  const Json machine = member(environment, "machine");
  const Json software = member(environment, "software");
  record.hw_model = text_member(machine, "cpu_model");
  const auto product = text_member(machine, "system_product");
  record.hardware = product.value_or(record.hw_model.value_or("unknown"));
  Json hardware_config = {{"machine", machine}};
  const Json memory = member(machine, "memory_bytes");
  constexpr double kGigabyte = 1e9;
  if (memory.is_number()) hardware_config["memory_GB"] = memory.get<double>() / kGigabyte;
  record.hardware_config = record_environment_text_of(hardware_config);
  Json software_config = {{"software", software}};
  const auto distribution = text_member(software, "distribution");
  if (distribution) software_config["os"] = *distribution;
  record.software_config = record_environment_text_of(software_config);
  Json metadata = {{"state", member(environment, "state")}, {"docker_tag", nullptr}};
  metadata["docker_tag_reason"] = "a process cannot see the tag of its image";
  metadata["docker_hash"] = member(software, "container_digest");
  if (metadata["docker_hash"].is_null()) {
    metadata["docker_hash_reason"] =
        text_member(software, "container_digest_reason").value_or("not in the environment");
  }
  record.metadata = record_environment_text_of(metadata);
  record.machine_hash = text_member(environment, "machine_hash");
  record.software_hash = text_member(environment, "software_hash");
}

}  // namespace opbench
