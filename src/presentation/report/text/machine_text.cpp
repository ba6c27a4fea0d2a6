#include "presentation/report/text/machine_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errors/suggestion.h"
#include "base/json/json.h"
#include "base/text/display_width.h"

namespace opbench {
namespace {

/// The field's text; empty when it is absent or null.
std::string text_at(const Json& object, const std::string& field) {
  if (!object.is_object() || !object.contains(field)) return "";
  const Json& value = object[field];
  if (value.is_null()) return "";
  return printable(value.is_string() ? value.get<std::string>() : value.dump());
}

std::string machine_text_bytes_text(const Json& bytes) {
  constexpr double kKibi = 1024;
  if (!bytes.is_number()) return "";
  double value = bytes.get<double>();
  for (const char* unit : {"B", "KiB", "MiB"}) {
    if (value < kKibi) return fmt::format("{:.4g} {}", value, unit);
    value /= kKibi;
  }
  return fmt::format("{:.4g} GiB", value);
}

/// `L1 32 KiB, L2 1 MiB`: the data caches of one CPU.
std::string caches_text(const Json& machine) {
  if (!machine.contains("caches") || !machine["caches"].is_array()) return "";
  std::vector<std::string> parts;
  for (const Json& cache : machine["caches"]) {
    if (!cache.is_object() || cache.value("instruction", false)) continue;
    const std::string part =
        "L" + text_at(cache, "level") + " " +
        machine_text_bytes_text(cache.contains("bytes") ? cache["bytes"] : Json());
    if (parts.empty() || parts.back() != part) parts.push_back(part);
  }
  return join(parts);
}

void add(std::vector<std::string>& parts, const std::string& before, const std::string& text,
         const std::string& after = "") {
  if (!text.empty()) parts.push_back(before + text + after);
}

std::string hardware_line(const Json& machine) {
  std::vector<std::string> parts;
  add(parts, "", text_at(machine, "cpu_model"));
  add(parts, "capped to ", text_at(machine, "cpu_cap"), " by OPBENCH_CPU");
  const std::string cores = text_at(machine, "cores");
  const std::string cpus = text_at(machine, "cpus");
  add(parts, "", cores, cores == "1" ? " core" : " cores");
  if (cpus != cores) add(parts, "", cpus, " CPUs");
  add(parts, "", caches_text(machine));
  if (machine.contains("memory_bytes")) {
    add(parts, "memory ", machine_text_bytes_text(machine["memory_bytes"]));
  }
  return join(parts);
}

std::string system_line(const Json& environment) {
  const Json none = Json::object();
  const auto part = [&](const char* name) -> const Json& {
    return environment.contains(name) && environment[name].is_object() ? environment[name] : none;
  };
  std::vector<std::string> parts;
  add(parts, "", text_at(part("software"), "distribution"));
  add(parts, "kernel ", text_at(part("software"), "kernel"));
  add(parts, "in ", text_at(part("software"), "container"));
  add(parts, "on ", text_at(part("machine"), "hypervisor"));
  add(parts, "quota of ", text_at(part("machine"), "cpu_quota"), " CPUs");
  add(parts, "governor ", text_at(part("state"), "governor"));
  return join(parts);
}

}  // namespace

std::vector<std::string> machine_lines(const std::string& environment_json) {
  const Result<Json> environment = parse_json(environment_json, "environment");
  if (!environment || !environment->is_object()) return {};
  std::vector<std::string> lines;
  if (environment->contains("machine") && (*environment)["machine"].is_object()) {
    const std::string line = hardware_line((*environment)["machine"]);
    if (!line.empty()) lines.push_back(line);
  }
  if (const std::string line = system_line(*environment); !line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace opbench
