#pragma once

#include <string>

#include "base/json/json.h"
#include "experiments/place/place_session.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// The devices, the plans that were run, free placements beside them, timelines and copies.
std::string device_plan_text(const PlaceResult& result, int width, const TextStyle& style);

/// The first plan's file, which is that of --at-least if it was asked for, with `runs` as in
/// `opbench.place/1`. Null where no plan uses both devices.
Json device_plan_json(const PlaceResult& result);

}  // namespace opbench
