#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "machine/facts/topology.h"

/// What environment.cpp is put together from.
namespace opbench {

/// A file's text without white space at its end; nothing when it cannot be read.
std::optional<std::string> read_text(const std::filesystem::path& path);

/// The value of a line `key : value`; nothing when there is none.
std::optional<std::string> value_of(std::string_view text, std::string_view key);

/// Adds `name: value`, or `name: null` and `name_reason: why`.
void add_fact(Json& json, const std::string& name, const std::optional<std::string>& value,
              const std::string& why);
void add_fact(Json& json, const std::string& name, const std::optional<double>& value,
              const std::string& why);
/// The same; a value that is null, or an empty list or object, is missing.
void add_json_fact(Json& json, const std::string& name, Json value, const std::string& why);

/// The three parts of the environment object; `root` is where /proc, /sys, /etc are looked for.
Json machine_facts(const std::filesystem::path& root, const Result<Topology>& topology);
Json state_facts(const std::filesystem::path& root);
Json software_facts(const std::filesystem::path& root);

/// The name of a hypervisor from what it calls itself in CPUID ("KVMKVMKVM") or /sys ("xen"):
/// `KVM`, `Hyper-V`, …; the text itself when it is not known.
std::string hypervisor_name(const std::string& signature);

/// The shared libraries that this program was linked to, and those that these need, by name: the
/// file's full version and its build id. Those loaded on first use are not among them, so that the
/// answer is the same at every moment of a run.
Json needed_libraries();

/// Versions in the nearest node_modules above `folder`, by package name; empty if there is none.
Json npm_versions(const std::filesystem::path& folder);

/// The machine's facts that stay as they are over boots: the size of memory rounded to
/// GiB, nothing of its spread over NUMA nodes (virtual machines grow and shrink theirs).
Json stable_part(const Json& machine);

}  // namespace opbench
