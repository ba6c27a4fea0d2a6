#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "measuring/results/profile_result.h"

namespace opbench {

/// What the JSON reports share: what is not known is null with `<field>_reason` beside it.

/// The number, or null with the reason why there is none; one that is not finite counts as none.
void set_number(Json& json, const std::string& field, const std::optional<double>& value,
                const std::string& reason);

/// The text, or null with the reason why it is empty.
void set_text(Json& json, const std::string& field, const std::string& text,
              const std::string& reason);

/// `low` and `high` of a time's interval; null where a single sample has given it.
void set_interval(Json& json, const Measurement& time);

/// Median, interval, quartiles, and how many clean samples stand behind them; or null.
/// `percents`: percentiles to add; those that need more samples are null with the reason.
void set_time(Json& json, const std::string& field, const std::optional<Measurement>& time,
              const std::string& reason, const std::vector<double>& percents = {});

/// The environment object, or null where it is empty.
void set_environment(Json& json, const Environment& environment);

/// Against whom results were checked, how far they were off, and why not.
Json check_json(const CheckResult& check);

/// Errors of units: `[{"unit", "operator", "nodes", "value", "error", "allowed", "exceeds",
/// "reason"}]`
Json unit_errors_json(const std::vector<UnitError>& errors);

}  // namespace opbench
