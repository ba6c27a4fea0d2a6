#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace opbench {

/// Workload texts drawn with a seed, over every kind of operator that carries time: convolutions
/// (odd channels, groups, dilations, strides, 1-D to 3-D), transposed ones, products of matrices
/// (thin, batched, transposed), pools, reductions along any axes, normalisations, elementwise
/// chains, and what moves elements. Each is valid and takes 10^4 to 2 · 10^9 FLOPs, or moves
/// 128 KiB or more. Recurrent layers and attention are in `bench-models`. `only` keeps those that
/// begin with this text; there are fewer than `count` where few of many draws do.
std::vector<std::string> drawn_workloads(uint64_t seed, size_t count, const std::string& only = "");

}  // namespace opbench
