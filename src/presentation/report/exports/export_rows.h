#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "measuring/results/profile_result.h"

/// What the exports ask of the rows of a profile.
namespace opbench {

/// A unit of an engine, or without one its whole model.
struct ExportRow {
  const EngineResult* engine = nullptr;
  const UnitResult* unit = nullptr;
};

/// Every unit of every engine and behind them the engine's model, without what was interrupted
/// before it had a time.
std::vector<ExportRow> rows_of_export(const ProfileResult& profile);

/// The time alone of a unit, the end-to-end time of a model; nothing if there is none.
const Measurement* time_of_row(const ExportRow& row);

/// The median of that, else a unit's mean inside the model. Milliseconds a call.
std::optional<double> ms_of_row(const ExportRow& row);

/// Why it has no time; nothing if it has one.
std::optional<Failure> failure_of_row(const ExportRow& row);

/// The canonical workload of a unit, else its operator and shapes.
std::string name_of_unit(const UnitResult& unit);

/// Clean samples in milliseconds a call; empty where the report does not hold them.
std::vector<double> clean_ms(const Measurement& time);

/// The processor, else `unknown`.
std::string hardware_of(const ProfileResult& profile);

/// `kNoMatch`: nothing to write, with the first failure of the profile if one is the reason.
Error nothing_to_export(const ProfileResult& profile, const std::string& what);

}  // namespace opbench
