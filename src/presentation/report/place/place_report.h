#pragma once

#include <string>

#include "base/json/json.h"
#include "experiments/place/place_session.h"
#include "presentation/report/tables/text_table.h"
#include "presentation/report/text/text_style.h"

namespace opbench {

/// A row a method: makespan, modelled energy, how far it is from the optimum (or the bound, where
/// no optimum is known), speed-up over the fastest device alone, units on each device.
TextTable place_table(const PlaceResult& result);

/// A row a unit: its time on each device, and where the methods `optimum` and `frugal` put it.
TextTable place_unit_table(const PlaceResult& result);

/// A row a point of the front of makespan and energy.
TextTable front_table(const PlaceResult& result);

/// A row a constant of the energy model: whether the decision stands when it changes by half.
TextTable flip_table(const PlaceResult& result);

/// Devices and where their times are from, the methods, the front, sensitivity, who runs what.
std::string place_text(const PlaceResult& result, int width, const TextStyle& style);

/// `opbench.place/1`: docs/how-to/placement.md.
Json place_json(const PlaceResult& result);

}  // namespace opbench
