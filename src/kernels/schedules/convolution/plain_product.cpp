#include "kernels/schedules/convolution/plain_product.h"

#include <halide14/Halide.h>

#include "kernels/schedules/narrow.h"

namespace opbench {
namespace {

using Halide::Expr;
using Halide::Func;
using Halide::RDom;
using Halide::Var;

/// The input at a tap, zero outside; positions are clamped so that nothing outside is read.
Expr data_at_tap(const ConvGeometry& g, const RDom& r, const std::vector<Var>& v,
                 const Expr& channel, const ProductOperands::Read& data) {
  std::vector<Expr> at;
  Expr is_inside = Halide::Internal::const_true();
  for (size_t d = 0; d < g.kernel.size(); ++d) {
    const int extent = narrow(g.extent[d]);
    const Expr position = v[d] * narrow(g.stride[d]) +
                          r[static_cast<int>(d)] * narrow(g.dilation[d]) - narrow(g.pad[d]);
    const int64_t reach = (g.output[g.output.size() - 1 - d] - 1) * g.stride[d] +
                          (g.kernel[d] - 1) * g.dilation[d] - g.pad[d];
    if (g.pad[d] == 0 && reach < extent) {
      at.push_back(position);
      continue;
    }
    is_inside = is_inside && position >= 0 && position < extent;
    at.push_back(Halide::clamp(position, 0, extent - 1));
  }
  at.push_back(channel);
  at.push_back(v.back());
  return Halide::select(is_inside, data(at), 0.0f);
}

}  // namespace

std::vector<Var> spatial_vars(const ConvGeometry& g) {
  static constexpr const char* kNames[] = {"x", "y", "z"};
  std::vector<Var> v;
  for (int d = 0; d < g.rank(); ++d) v.emplace_back(kNames[d]);
  v.emplace_back("c");
  v.emplace_back("n");
  return v;
}

Func define_plain_product(const ConvGeometry& g, const std::vector<Var>& v, RDom& r,
                          const ProductOperands& operands) {
  Halide::Region ranges;
  for (const int64_t extent : g.kernel) ranges.emplace_back(0, narrow(extent));
  ranges.emplace_back(0, narrow(g.group_in()));
  r = RDom(ranges);
  const Expr c = v[v.size() - 2];
  const Expr tap_channel = r[g.rank()];
  const Expr channel = g.groups == 1
                           ? tap_channel
                           : (c / narrow(g.group_out())) * narrow(g.group_in()) + tap_channel;
  std::vector<Expr> weight_at;
  for (int d = 0; d < g.rank(); ++d) weight_at.emplace_back(r[d]);
  weight_at.push_back(tap_channel);
  weight_at.push_back(c);
  Func product("product");
  product(v) = operands.bias != nullptr ? operands.bias({c}) : Expr(0.0f);
  product(v) += data_at_tap(g, r, v, channel, operands.data) * operands.weight(weight_at);
  return product;
}

}  // namespace opbench
