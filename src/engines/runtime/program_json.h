#pragma once

#include "base/errors/error.h"
#include "base/json/json.h"
#include "engines/runtime/program.h"

namespace opbench {

/// program.json of a package.
Json to_json(const Program& program);

/// `kInvalidInput` when a field is missing, of the wrong kind, or points outside its list, when
/// a slot lies outside its memory or does not hold its tensor, or when a step may start while
/// another uses the memory that it writes or reads.
Result<Program> parse_program(const Json& json);

}  // namespace opbench
