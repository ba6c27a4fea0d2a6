#pragma once

#include <string>

#include "base/json/json.h"
#include "experiments/place/place_session.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// A row a placement that was run: the simulated and the measured makespan, units on each device,
/// copies, what the check said.
TextTable place_run_table(const PlaceResult& result);

/// A row a copy of a run that has a plan: its bytes, the measured and the modelled time.
TextTable transfer_table(const PlacedRow& row);

/// Both, with headings; empty where nothing was run.
std::string place_runs_text(const PlaceResult& result, int width, const TextStyle& style);

/// `runs` of `opbench.place/1`.
Json place_runs_json(const PlaceResult& result);

}  // namespace opbench
