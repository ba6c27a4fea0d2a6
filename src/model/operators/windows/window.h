#pragma once

#include <array>
#include <vector>

#include "model/operators/operand.h"

namespace opbench {

/// One spatial axis of a sliding window. Tap `k` of output `o` reads input
/// `o * stride - pad_begin + k * dilation`, which lies in padding when outside [0, input).
struct WindowAxis {
  int64_t input = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_begin = 0;
  int64_t pad_end = 0;
  int64_t output = 1;

  int64_t reach() const { return (kernel - 1) * dilation + 1; }
  int64_t position(int64_t o, int64_t k) const { return o * stride - pad_begin + k * dilation; }
  /// The taps [first, last) of output `o` that read positions in [low, high).
  std::array<int64_t, 2> taps_within(int64_t o, int64_t low, int64_t high) const;
  /// The taps of output `o` that do not fall into padding.
  std::array<int64_t, 2> taps(int64_t o) const { return taps_within(o, 0, input); }
};

using Window = std::vector<WindowAxis>;

/// The window of a convolution or pool over the spatial extents `input`: kernel extents, strides,
/// dilations, and pads from the attributes, `auto_pad` resolved (SAME: ceil(input / stride)
/// outputs, an odd pad at the end for UPPER, at the beginning for LOWER), `ceil_mode` too (windows
/// that would start in the end padding are dropped). `kInvalidInput` when an output extent is
/// below 1.
Result<Window> window_of(const OperatorCall& call, const Shape& input, const Shape& kernel);

/// The list attribute `name` with `count` values, or `otherwise` for each where it is missing.
/// `kInvalidInput` when it has another length, or a value below `otherwise` or above 2^30.
Result<Integers> window_integers(const OperatorCall& call, const std::string& name, size_t count,
                                 int64_t otherwise);

/// The window with the pads that the attributes give, without `auto_pad`, and outputs of 1.
Result<Window> unresolved_window(const OperatorCall& call, const Shape& input, const Shape& kernel);

/// Attributes that such a window is made of, for OperatorDef::attributes.
std::vector<AttributeDef> window_attributes();

/// strides, dilations and pads of the window, those dropped that are all 1, 1 and 0.
Attributes normal_window(const Window& window);

/// Attributes of a convolution: a window's and `group`.
std::vector<AttributeDef> convolution_attributes();

/// The convolution's window in normal form, and `group` unless it is 1.
Attributes normal_convolution(const OperatorCall& call, const Window& window);

/// 2 for every filter element that meets input, not padding; the bias is not counted.
double convolution_flops(const OperatorCall& call, const Window& window);

/// The outputs' extents.
Shape output_extents(const Window& window);

/// Taps over all outputs of the window that do not fall into padding: a product over the axes.
double tap_count(const Window& window);

/// The same window with exactly three axes, leading ones of extent 1 added.
std::array<WindowAxis, 3> three_axes(const Window& window);

/// The extents after batch and channels.
Shape spatial_extents(const Shape& shape);

}  // namespace opbench
