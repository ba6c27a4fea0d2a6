#include "model/operators/windows/window.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers/divisors.h"

namespace opbench {
namespace {

/// Beyond this no window fits into memory; below it no product of two attributes overflows.
constexpr int64_t kLargestAttribute = int64_t{1} << 30;

void pad_to_same_size(WindowAxis& axis, bool upper) {
  axis.output = ceil_div(axis.input, axis.stride);
  const int64_t needed = (axis.output - 1) * axis.stride + axis.reach() - axis.input;
  const int64_t total = std::max<int64_t>(needed, 0);
  axis.pad_begin = upper ? total / 2 : total - total / 2;
  axis.pad_end = total - axis.pad_begin;
}

void set_output(WindowAxis& axis, bool ceil_mode) {
  const int64_t span = axis.input + axis.pad_begin + axis.pad_end - axis.reach();
  if (span < 0) {
    axis.output = 0;
    return;
  }
  axis.output = (ceil_mode ? ceil_div(span, axis.stride) : span / axis.stride) + 1;
  // A window that only rounding up adds may not begin in the padding.
  const bool is_in_padding = (axis.output - 1) * axis.stride >= axis.input + axis.pad_begin;
  if (ceil_mode && is_in_padding) --axis.output;
}

}  // namespace

Result<Integers> window_integers(const OperatorCall& call, const std::string& name, size_t count,
                                 int64_t otherwise) {
  Integers values = ints_attribute(*call.node, name, {});
  if (values.empty()) values.assign(count, otherwise);
  if (values.size() != count) {
    return misfit(call, fmt::format("{} has {} values, needs {}", name, values.size(), count));
  }
  for (const int64_t value : values) {
    if (value < otherwise) {
      return misfit(call, fmt::format("{} {} is below {}", name, value, otherwise));
    }
    if (value > kLargestAttribute) {
      return misfit(call, fmt::format("{} {} is above {}", name, value, kLargestAttribute));
    }
  }
  return values;
}

Result<Window> unresolved_window(const OperatorCall& call, const Shape& input,
                                 const Shape& kernel) {
  const size_t rank = input.size();
  if (kernel.size() != rank) {
    return misfit(call, fmt::format("a kernel of {} extents does not fit {} spatial extents",
                                    kernel.size(), rank));
  }
  OPBENCH_TRY(const Integers strides, window_integers(call, "strides", rank, 1));
  OPBENCH_TRY(const Integers dilations, window_integers(call, "dilations", rank, 1));
  OPBENCH_TRY(const Integers pads, window_integers(call, "pads", 2 * rank, 0));
  Window window(rank);
  for (size_t i = 0; i < rank; ++i) {
    window[i] = {input[i], kernel[i], strides[i], dilations[i], pads[i], pads[rank + i], 1};
    if (kernel[i] < 1) return misfit(call, fmt::format("kernel extent {} is below 1", kernel[i]));
    if (kernel[i] > kLargestAttribute) {
      return misfit(call,
                    fmt::format("kernel extent {} is above {}", kernel[i], kLargestAttribute));
    }
  }
  return window;
}

std::array<int64_t, 2> WindowAxis::taps_within(int64_t o, int64_t low, int64_t high) const {
  const int64_t start = o * stride - pad_begin;
  const int64_t first = start >= low ? 0 : ceil_div(low - start, dilation);
  const int64_t last = high <= start ? 0 : ceil_div(high - start, dilation);
  return {std::min(first, kernel), std::max(std::min(first, kernel), std::min(last, kernel))};
}

Result<Window> window_of(const OperatorCall& call, const Shape& input, const Shape& kernel) {
  OPBENCH_TRY(const std::string auto_pad,
              choice_attribute(call, "auto_pad", "NOTSET",
                               {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}));
  OPBENCH_TRY(Window window, unresolved_window(call, input, kernel));
  const bool ceil_mode = int_attribute(*call.node, "ceil_mode", 0) != 0;
  for (WindowAxis& axis : window) {
    if (auto_pad != "NOTSET") axis.pad_begin = axis.pad_end = 0;
    if (auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER") {
      pad_to_same_size(axis, auto_pad == "SAME_UPPER");
    } else {
      set_output(axis, ceil_mode);
    }
    if (axis.output < 1) {
      return misfit(call, fmt::format("a window of {} does not fit into extent {}", axis.reach(),
                                      axis.input + axis.pad_begin + axis.pad_end));
    }
  }
  return window;
}

std::vector<AttributeDef> window_attributes() {
  return {{"auto_pad", std::string("NOTSET")},
          {"dilations", Integers{}},
          {"kernel_shape", Integers{}},
          {"pads", Integers{}},
          {"strides", Integers{}}};
}

Attributes normal_window(const Window& window) {
  Integers strides;
  Integers dilations;
  Integers pads;
  for (const WindowAxis& axis : window) {
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation);
    pads.push_back(axis.pad_begin);
  }
  for (const WindowAxis& axis : window) pads.push_back(axis.pad_end);
  const auto all = [](const Integers& values, int64_t value) {
    return std::ranges::all_of(values, [&](int64_t v) { return v == value; });
  };
  Attributes result;
  if (!all(strides, 1)) result["strides"] = strides;
  if (!all(dilations, 1)) result["dilations"] = dilations;
  if (!all(pads, 0)) result["pads"] = pads;
  return result;
}

std::vector<AttributeDef> convolution_attributes() {
  std::vector<AttributeDef> attributes = window_attributes();
  attributes.push_back({"group", int64_t{1}});
  return attributes;
}

Attributes normal_convolution(const OperatorCall& call, const Window& window) {
  Attributes result = normal_window(window);
  const int64_t groups = int_attribute(*call.node, "group", 1);
  if (groups != 1) result["group"] = groups;
  return result;
}

double convolution_flops(const OperatorCall& call, const Window& window) {
  const Shape& filters = shape_of(call, 1);
  const double channels =
      static_cast<double>(shape_of(call, 0)[0]) * static_cast<double>(filters[0] * filters[1]);
  return 2 * channels * tap_count(window);
}

Shape output_extents(const Window& window) {
  Shape result;
  for (const WindowAxis& axis : window) result.push_back(axis.output);
  return result;
}

namespace {

/// Pairs of an output position and a tap that lie in the input, counted over the fewer of the two:
/// an extent may be as large as a number.
double tap_count(const WindowAxis& axis) {
  double pairs = 0;
  if (axis.output <= axis.kernel) {
    for (int64_t o = 0; o < axis.output; ++o) {
      pairs += static_cast<double>(axis.taps(o)[1] - axis.taps(o)[0]);
    }
    return pairs;
  }
  for (int64_t tap = 0; tap < axis.kernel; ++tap) {
    // Output o reads input o * stride - shift.
    const int64_t shift = axis.pad_begin - tap * axis.dilation;
    const int64_t first = shift <= 0 ? 0 : ceil_div(shift, axis.stride);
    const int64_t behind = shift + axis.input;
    const int64_t last = behind <= 0 ? 0 : std::min(axis.output, ceil_div(behind, axis.stride));
    pairs += static_cast<double>(std::max<int64_t>(last - first, 0));
  }
  return pairs;
}

}  // namespace

double tap_count(const Window& window) {
  double product = 1;
  for (const WindowAxis& axis : window) {
    product *= tap_count(axis);
  }
  return product;
}

std::array<WindowAxis, 3> three_axes(const Window& window) {
  std::array<WindowAxis, 3> axes;
  std::ranges::copy(window, axes.begin() + static_cast<std::ptrdiff_t>(3 - window.size()));
  return axes;
}

Shape spatial_extents(const Shape& shape) { return {shape.begin() + 2, shape.end()}; }

}  // namespace opbench
