#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/json/json.h"
#include "machine/facts/environment_parts.h"
#include "machine/facts/topology.h"

/// What environment.cpp is put together from.
namespace opbench {

/// A file's text without white space at its end; nothing when it cannot be read.
std::optional<std::string> read_text(const std::filesystem::path& path);

/// The value of a line `key : value`; nothing when there is none.
std::optional<std::string> value_of(std::string_view text, std::string_view key);

/// Sets the value, or why there is none; an empty list or table counts as none.
template <class T>
void set_fact(Known<T>& fact, std::optional<T> value, const std::string& why) {
  if constexpr (!std::is_same_v<T, std::string> && requires { value->empty(); }) {
    if (value && value->empty()) value.reset();
  }
  fact = {.value = std::move(value), .reason = {}, .is_there = true};
  if (!fact.value) fact.reason = why;
}

/// A value that is always known, even where it is empty.
template <class T>
void set_fact(Known<T>& fact, T value) {
  fact = {.value = std::move(value), .reason = {}, .is_there = true};
}

/// The three parts of an environment; `root` is where /proc, /sys, /etc are looked for.
MachineFacts machine_facts(const std::filesystem::path& root, const Result<Topology>& topology);
StateFacts state_facts(const std::filesystem::path& root);
SoftwareFacts software_facts(const std::filesystem::path& root);

Json to_json(const MachineFacts& machine);
Json to_json(const StateFacts& state);
Json to_json(const SoftwareFacts& software);

/// The name of a hypervisor from what it calls itself in CPUID ("KVMKVMKVM") or /sys ("xen"):
/// `KVM`, `Hyper-V`, …; the text itself when it is not known.
std::string hypervisor_name(const std::string& signature);

/// The shared libraries that this program was linked to, and those that these need, by name: the
/// file's full version and its build id. Those loaded on first use are not among them, so that the
/// answer is the same at every moment of a run.
Libraries needed_libraries();

/// Versions in the nearest node_modules above `folder`, by package name; empty if there is none.
NamedTexts npm_versions(const std::filesystem::path& folder);

/// The JSON of the machine's facts that stay as they are over boots: the size of memory rounded to
/// GiB, nothing of its spread over NUMA nodes (virtual machines grow and shrink theirs).
Json stable_part(const Json& machine);

}  // namespace opbench
