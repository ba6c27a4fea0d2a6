#include "machine/settings/resctrl_group.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "base/errors/suggestion.h"
#include "machine/target/cpu_features.h"

namespace opbench {
namespace {

constexpr const char* kResctrl = "sys/fs/resctrl";

std::string schemata_text(const std::string& resource,
                          const std::map<std::string, std::string>& domains) {
  std::vector<std::string> parts;
  for (const auto& [domain, value] : domains) parts.push_back(domain + "=" + value);
  return resource + ":" + join(parts, ";");
}

}  // namespace

std::string why_no_resctrl(const SettingFiles& files, const std::string& resource,
                           const std::string& flag) {
  if (files.read(fmt::format("{}/info/{}/num_closids", kResctrl, resource))) {
    return files.why_unwritable(std::string(kResctrl) + "/schemata");
  }
  if (!cpu_flags_of(files.read("proc/cpuinfo").value_or("")).contains(flag)) {
    return fmt::format("this CPU, or the virtual machine, cannot do it (no {})", flag);
  }
  const std::string place = files.place(kResctrl).string();
  if (files.read(std::string(kResctrl) + "/schemata")) {
    return fmt::format("\"{}\" offers no {}", place, resource);
  }
  return fmt::format("resctrl is not mounted; needs root: mount -t resctrl resctrl {}", place);
}

Result<std::string> resctrl_info(const SettingFiles& files, const std::string& resource,
                                 const std::string& file) {
  return files.read(fmt::format("{}/info/{}/{}", kResctrl, resource, file));
}

std::map<std::string, std::string> schemata_of(const SettingFiles& files, const std::string& group,
                                               const std::string& resource) {
  std::map<std::string, std::string> domains;
  std::istringstream lines(files.read(group + "/schemata").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(' '));
    if (!line.starts_with(resource + ":")) continue;
    std::istringstream parts(line.substr(resource.size() + 1));
    for (std::string part; std::getline(parts, part, ';');) {
      const size_t equals = part.find('=');
      if (equals == std::string::npos) continue;
      const size_t begin = part.find_first_not_of(' ', equals + 1);
      if (begin != std::string::npos) domains[part.substr(0, equals)] = part.substr(begin);
    }
  }
  return domains;
}

std::string own_resctrl_group() {
  return fmt::format("{}/{}{}", kResctrl, kSettingGroup, ::getpid());
}

std::string all_resctrl_group() { return kResctrl; }

Result<std::vector<SettingStep>> resctrl_steps(const SettingPlace& place,
                                               const std::string& resource,
                                               const std::string& value) {
  const std::string group = own_resctrl_group();
  std::vector<SettingStep> steps;
  SettingStep limit{.path = group + "/schemata"};
  const bool is_made = place.files.read(limit.path).has_value();
  // What the group has had of it; a new one ends with all that was limited in it.
  const auto before = schemata_of(place.files, group, resource);
  if (is_made && !before.empty()) limit.before = schemata_text(resource, before);
  auto domains = schemata_of(place.files, kResctrl, resource);
  if (domains.empty()) {
    return Error{
        ErrorCode::kEnvironment,
        fmt::format("\"{}\" names no domain of {}",
                    place.files.place(std::string(kResctrl) + "/schemata").string(), resource)};
  }
  for (auto& [domain, limited] : domains) limited = value;
  limit.after = schemata_text(resource, domains);
  if (!is_made) steps.push_back({.kind = SettingStep::Kind::kFolder, .path = group});
  steps.push_back(std::move(limit));
  if (!is_made) steps.push_back({.kind = SettingStep::Kind::kEnter, .path = group + "/tasks"});
  return steps;
}

std::optional<int64_t> least_of(const std::map<std::string, std::string>& domains,
                                std::optional<int64_t> (*number_of)(const std::string&)) {
  std::optional<int64_t> least;
  for (const auto& [domain, text] : domains) {
    const auto number = number_of(text);
    if (!number) return {};
    least = std::min(least.value_or(*number), *number);
  }
  return least;
}

std::map<std::string, std::string> taken_schemata(const SettingFiles& files,
                                                  const std::vector<SettingStep>& steps,
                                                  const std::string& resource) {
  const auto limit = std::ranges::find(steps, SettingStep::Kind::kWrite, &SettingStep::kind);
  if (limit == steps.end()) return {};
  return schemata_of(files, limit->path.substr(0, limit->path.rfind('/')), resource);
}

}  // namespace opbench
