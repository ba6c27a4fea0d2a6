#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/json/json.h"
#include "machine/facts/environment_parts.h"

namespace opbench {

/// What measurements depend on. A part is absent where it was not captured.
struct Environment {
  std::optional<MachineFacts> machine;
  std::optional<StateFacts> state;
  std::optional<SoftwareFacts> software;
  std::string machine_hash, software_hash;  ///< empty: not known
  OtherFacts others;
  bool operator==(const Environment&) const = default;
};

/// What the measurements of this process depend on. Holds no host name, user name or home folder.
/// The machine hash leaves out what changes over boots; the state belongs to neither. Both hashes
/// stay the same while a program runs. `root` is where /proc, /sys and /etc are looked for. Takes a
/// few milliseconds.
Environment capture_environment(const std::filesystem::path& root = "/");

/// {"machine", "state", "software", "machine_hash", "software_hash"}, without what is absent. A
/// field that is not known is null, with `<field>_reason` beside it.
Json to_json(const Environment& environment);

/// The reverse, of whatever version: to_json() gives back the same fields. Empty for JSON that is
/// no object.
Environment environment_from(const Json& json);

/// Why two environments differ: [{"field": "machine.cpu_model", "a": …, "b": …}], one entry a
/// field, null where one has none. Of two lists of words, `a` and `b` hold what only that one has.
/// Reasons and hashes are not compared.
Json environment_diff(const Environment& a, const Environment& b);

}  // namespace opbench
