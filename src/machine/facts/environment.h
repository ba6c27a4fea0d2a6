#pragma once

#include <filesystem>
#include <string>

#include "base/json/json.h"

namespace opbench {

/// What the measurements of this process depend on: {"machine", "state", "software",
/// "machine_hash", "software_hash"}. A field that cannot be known here is null, with
/// `<field>_reason` beside it. Holds no host name, user name or home folder. The machine hash
/// leaves out what changes over boots; the state belongs to neither. Both hashes stay the same
/// while a program runs. `root` is where /proc, /sys and /etc are looked for. Takes a few
/// milliseconds.
Json capture_environment(const std::filesystem::path& root = "/");

/// Why two environments differ: [{"field": "machine.cpu_model", "a": …, "b": …}], one entry a
/// field, null where one has none. Of two lists of words, `a` and `b` hold what only that one has.
/// Reasons and hashes are not compared.
Json environment_diff(const Json& a, const Json& b);

}  // namespace opbench
