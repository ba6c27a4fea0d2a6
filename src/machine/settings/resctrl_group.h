#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "machine/settings/setting.h"

/// Control of caches and memory bandwidth by resctrl: a run has one group, for all it limits.
namespace opbench {

/// Why there is nothing to control here: no such CPU (its flags, such as `cat_l3`), not mounted,
/// not writable. Empty where groups can be made. `resource`: `L3`, `MB`, its folder below info.
std::string why_no_resctrl(const SettingFiles& files, const std::string& resource,
                           const std::string& flag);

/// A file of the folder of the resource below info.
Result<std::string> resctrl_info(const SettingFiles& files, const std::string& resource,
                                 const std::string& file);

/// What the group's schemata say of a resource, by cache or memory domain: `L3:0=ff;1=ff` is
/// {"0": "ff", "1": "ff"}. Empty if nothing. `group`: its folder.
std::map<std::string, std::string> schemata_of(const SettingFiles& files, const std::string& group,
                                               const std::string& resource);

/// The smallest of the domains' values, as `number_of` reads them; nothing if there is none, or one
/// that it cannot read.
std::optional<int64_t> least_of(const std::map<std::string, std::string>& domains,
                                std::optional<int64_t> (*number_of)(const std::string&));

/// The folder of the group that this process makes, and that of all other processes.
std::string own_resctrl_group();
std::string all_resctrl_group();

/// Steps that enter this process's group, made if it is not there, and limit the resource in every
/// domain to the value.
Result<std::vector<SettingStep>> resctrl_steps(const SettingPlace& place,
                                               const std::string& resource,
                                               const std::string& value);

/// schemata_of() the group that these steps limit.
std::map<std::string, std::string> taken_schemata(const SettingFiles& files,
                                                  const std::vector<SettingStep>& steps,
                                                  const std::string& resource);

}  // namespace opbench
