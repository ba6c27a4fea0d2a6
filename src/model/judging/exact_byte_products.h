#pragma once

#include <functional>
#include <string>

#include "model/graph/graph.h"

namespace opbench {

/// Whether the value `name`, computed from the known ones, follows from sums of products of 8-bit
/// integers: a MatMulInteger, ConvInteger, QLinearMatMul or QLinearConv, or a Conv, Gemm or MatMul
/// of two dequantized operands, which engines compute as one of these.
///
/// Such sums are exact in integers. An engine may be far from them: `vpmaddubsw`, the product of
/// CPUs without VNNI, saturates the sum of two products at 16 bits.
bool follows_byte_products(const Graph& graph, const std::string& name,
                           const std::function<bool(const std::string&)>& is_known);

}  // namespace opbench
