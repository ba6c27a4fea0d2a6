#pragma once

#include <functional>
#include <vector>

#include "kernels/schedules/convolution/conv_geometry.h"

namespace Halide {
class RDom;
class Var;
}  // namespace Halide

namespace opbench {

/// How a convolution reads its operands, at ONNX coordinates given innermost first.
struct ProductOperands {
  using Read = std::function<Halide::Expr(const std::vector<Halide::Expr>& at)>;
  Read data, weight;
  Read bias = nullptr;  ///< null: none
};

/// x, y, z, c, n as far as the convolution has them.
std::vector<Halide::Var> spatial_vars(const ConvGeometry& geometry);

/// The convolution of any rank and grouping over plain data, at `vars`: one update over `taps`,
/// which it sets to the axes of the kernel, innermost first, then the channels of a group. What
/// lies outside the input is zero and is not read.
Halide::Func define_plain_product(const ConvGeometry& geometry,
                                  const std::vector<Halide::Var>& vars, Halide::RDom& taps,
                                  const ProductOperands& operands);

}  // namespace opbench
