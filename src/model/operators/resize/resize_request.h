#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/operators/operand.h"

namespace opbench {

/// How one axis is resized. `scale` is the one asked for: an output extent, which is whole, may be
/// below `scale * in`.
struct ResizeAxis {
  int64_t in = 1;
  int64_t out = 1;
  double scale = 1;
  double roi_begin = 0;  ///< of the part that tf_crop_and_resize keeps, 0 … 1
  double roi_end = 1;
};

/// Attributes and operands of both Resize and the older Upsample, whose coordinates are asymmetric.
struct ResizeRequest {
  std::string mode = "nearest";
  std::string coordinates = "half_pixel";
  std::string rounding = "round_prefer_floor";
  double cubic_a = -0.75;
  double extrapolation = 0;
  bool excludes_outside = false;
  bool is_antialiased = false;
  std::vector<ResizeAxis> axes;  ///< one for every dimension
};

/// The request of a call. `kInvalidInput` when attributes are unknown, when scales, sizes, axes or
/// the region of interest do not fit the rank or are not known before the run, or when an output
/// extent cannot be addressed.
Result<ResizeRequest> resize_request(const OperatorCall& call);

/// True for Upsample and for Resize of opset 10.
bool is_old_resize(const OperatorCall& call);

/// Resize with operands for every axis: those of older opsets gain the coordinates that they imply,
/// the attribute `axes` of newer ones goes away.
Node modern_resize(const OperatorCall& call, std::map<std::string, Tensor>& constants);

}  // namespace opbench
