#include "engines/client/time_limits.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/numbers/number.h"
#include "base/text/printable.h"

namespace opbench {

Outcome<Seconds> scaled_limit(Seconds limit) {
  const char* text = std::getenv("OPBENCH_TIME_LIMITS");
  if (text == nullptr || *text == '\0') return limit;
  const auto factor = parse_number(text);
  if (factor && *factor > 0) return limit * *factor;
  return tl::make_unexpected(
      Failure{FailureKind::kRunError,
              fmt::format("OPBENCH_TIME_LIMITS must be above 0, not \"{}\"", printable(text))});
}

}  // namespace opbench
