#pragma once

#include <string>
#include <vector>

#include "model/operators/resize/resize_request.h"

namespace opbench {

/// An input position that enters a result, and its weight.
struct Tap {
  int64_t at = 0;
  double weight = 1;
};

/// Where one output position of one axis reads; nowhere outside the region of interest, where the
/// extrapolation value stands.
using Taps = std::vector<Tap>;

/// The taps of output position `i` of `axis`.
Taps taps_of(const ResizeRequest& request, const ResizeAxis& axis, int64_t i);

/// Elements on each side of a coordinate that weigh in, before a filter widens.
double reach_of(const std::string& mode);

/// The factor by which an antialiasing filter shrinks distances: 1 unless the axis shrinks.
double filter_scale(const ResizeRequest& request, const ResizeAxis& axis);

/// True if positions outside the input take the extrapolation value.
bool crops(const ResizeRequest& request);

/// True if every output position of the axis is an input position, which leaves it alone.
bool is_kept(const ResizeRequest& request, const ResizeAxis& axis);

}  // namespace opbench
