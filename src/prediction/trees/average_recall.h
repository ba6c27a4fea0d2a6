#pragma once

#include <cstddef>
#include <span>

namespace opbench {

/// How well a prediction finds the best: the recall of the first i + 1 places, |{j < i : the j-th
/// as predicted is truly among the first i + 1}| / (i + 1), averaged over i = 0 … most - 1. With
/// fewer rows than that the places beyond them count 0. It is AutoTVM's a-recall@N
/// (docs/reference/tuners.md, "Average recall"), which looks at one place less than it divides by,
/// so that the most is below 1. Of equal values the first is the better.
double average_recall(std::span<const float> predicted, std::span<const float> labels, size_t most);

}  // namespace opbench
