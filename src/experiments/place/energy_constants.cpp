#include "experiments/place/energy_constants.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/errors/suggestion.h"

namespace opbench {
namespace {

class EnergyReader {
 public:
  explicit EnergyReader(const std::string& what) : what_(what) {}

  Result<EnergyConstants> read(const toml::table& table) {
    EnergyConstants constants{.name = what_};
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      const toml::table* section = node.as_table();
      if (section == nullptr) return refuse(fmt::format("\"{}\" must be a table", name), node);
      if (name == "cpu") {
        OPBENCH_TRY(constants.cpu, power(name, *section));
      } else if (name == "variant") {
        OPBENCH_TRY(constants.variants, powers(name, *section));
      } else if (name == "device") {
        OPBENCH_TRY(constants.devices, powers(name, *section));
      } else if (name == "transfer") {
        OPBENCH_CHECK(check_keys(*section, {"pj_per_byte"}));
        OPBENCH_TRY(constants.transfer_pj_per_byte, number(name, "pj_per_byte", *section));
      } else {
        return placed(unknown_name("table", name, {"cpu", "device", "transfer", "variant"}), node);
      }
    }
    return constants;
  }

 private:
  Error placed(Error error, const toml::node& node) const {
    return std::move(error).with("in", fmt::format("{}:{}", what_, node.source().begin.line));
  }
  Error refuse(std::string why, const toml::node& node) const {
    return placed(invalid_input(std::move(why)), node);
  }

  Result<std::map<std::string, DevicePower>> powers(const std::string& name,
                                                    const toml::table& section) const {
    std::map<std::string, DevicePower> found;
    for (const auto& [key, node] : section) {
      const std::string full = name + "." + std::string(key.str());
      if (!node.is_table()) return refuse(fmt::format("\"{}\" must be a table", full), node);
      OPBENCH_TRY(found[std::string(key.str())], power(full, *node.as_table()));
    }
    return found;
  }

  Result<DevicePower> power(const std::string& name, const toml::table& section) const {
    OPBENCH_CHECK(check_keys(section, {"busy_w", "idle_w", "source"}));
    DevicePower power;
    OPBENCH_TRY(power.busy_w, number(name, "busy_w", section));
    OPBENCH_TRY(power.idle_w, number(name, "idle_w", section));
    if (const toml::node* source = section.get("source"); source != nullptr) {
      if (!source->is_string()) {
        return refuse(fmt::format("\"{}.source\" must be a text", name), *source);
      }
      power.source = source->value_or(std::string());
    }
    if (power.busy_w >= power.idle_w) return power;
    return refuse(fmt::format("\"{}\" draws {} W when busy and {} W when idle", name, power.busy_w,
                              power.idle_w),
                  section);
  }

  Result<void> check_keys(const toml::table& section, const std::vector<std::string>& known) const {
    for (const auto& [key, node] : section) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      return placed(unknown_name("key", key.str(), known), node);
    }
    return {};
  }

  Result<double> number(const std::string& name, const std::string& key,
                        const toml::table& section) const {
    const toml::node* node = section.get(key);
    if (node == nullptr) return refuse(fmt::format("\"{}\" lacks \"{}\"", name, key), section);
    const auto value = node->value<double>();
    if (value && std::isfinite(*value) && *value >= 0) return *value;
    return refuse(fmt::format("\"{}.{}\" must be a number of at least 0", name, key), *node);
  }

  const std::string& what_;
};

toml::table table_of(const DevicePower& power) {
  toml::table table{{"busy_w", power.busy_w}, {"idle_w", power.idle_w}};
  if (!power.source.empty()) table.insert("source", power.source);
  return table;
}

toml::table table_of(const std::map<std::string, DevicePower>& powers) {
  toml::table table;
  for (const auto& [name, power] : powers) table.insert(name, table_of(power));
  return table;
}

}  // namespace

bool is_measured(const DevicePower& power) { return power.source.starts_with("measured"); }

std::string energy_text(const EnergyConstants& constants) {
  const toml::table table{
      {"cpu", table_of(constants.cpu)},
      {"variant", table_of(constants.variants)},
      {"device", table_of(constants.devices)},
      {"transfer", toml::table{{"pj_per_byte", constants.transfer_pj_per_byte}}}};
  std::ostringstream text;
  text << fmt::format(
              "# What devices draw, for `opbench place --energy FILE`. A device whose source is\n"
              "# \"measured\" has the watts of a meter; the rest is from {}.\n\n",
              constants.name)
       << table << "\n";
  return text.str();
}

Result<EnergyConstants> parse_energy(std::string_view text, const std::string& what) {
  try {
    const toml::table table = toml::parse(text);
    if (table.empty()) return invalid_input(fmt::format("\"{}\" holds no constants", what));
    return EnergyReader(what).read(table);
  } catch (const toml::parse_error& error) {
    return invalid_input(fmt::format("\"{}\" is no TOML", what))
        .with("reason", std::string(error.description()))
        .with("in", fmt::format("{}:{}", what, error.source().begin.line));
  }
}

Result<std::vector<DevicePower>> powers_of(const EnergyConstants& constants,
                                           const PlaceGraph& graph) {
  std::vector<DevicePower> powers;
  for (const PlaceDevice& device : graph.devices) {
    const auto own = constants.devices.find(device.name);
    const auto variant = constants.variants.find(device.variant);
    if (own != constants.devices.end()) {
      powers.push_back(own->second);
    } else if (device.cpus.empty()) {
      return invalid_input(
                 fmt::format("there are no energy constants of device \"{}\"", device.name))
          .with("in", constants.name)
          .with("to add them",
                fmt::format("[device.{}] with busy_w and idle_w; --energy FILE", device.name));
    } else {
      const auto count = static_cast<double>(device.cpus.size());
      const DevicePower& one =
          variant != constants.variants.end() ? variant->second : constants.cpu;
      powers.push_back({one.busy_w * count, one.idle_w * count, one.source});
    }
  }
  return powers;
}

std::vector<EnergyConstant> constants_in(EnergyConstants& constants) {
  std::vector<EnergyConstant> all;
  const auto add = [&](const std::string& name, DevicePower& power) {
    all.push_back({name + ".busy_w", &power.busy_w});
    all.push_back({name + ".idle_w", &power.idle_w});
  };
  add("cpu", constants.cpu);
  for (auto& [name, power] : constants.variants) add("variant." + name, power);
  for (auto& [name, power] : constants.devices) add("device." + name, power);
  all.push_back({"transfer.pj_per_byte", &constants.transfer_pj_per_byte});
  return all;
}

}  // namespace opbench
