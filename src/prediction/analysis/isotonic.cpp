#include "prediction/analysis/isotonic.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace opbench {
namespace {

struct Block {
  double mean = 0, weight = 0;
  double squares = 0;  ///< within the block, about its mean
  size_t count = 0;
};

Block joined(const Block& a, const Block& b) {
  Block both{.weight = a.weight + b.weight, .count = a.count + b.count};
  both.mean = (a.mean * a.weight + b.mean * b.weight) / both.weight;
  const double apart = a.mean - b.mean;
  both.squares = a.squares + b.squares + apart * apart * a.weight * b.weight / both.weight;
  return both;
}

/// Blocks of the rising fit; `after` gets the squares left after each further value.
std::vector<Block> rising_blocks(const std::vector<double>& y, const std::vector<double>& weights,
                                 std::vector<double>* after = nullptr) {
  std::vector<Block> blocks;
  double squares = 0;
  for (size_t i = 0; i < y.size(); ++i) {
    Block block{y[i], weights[i], 0, 1};
    while (!blocks.empty() && blocks.back().mean > block.mean) {
      squares -= blocks.back().squares + block.squares;
      block = joined(blocks.back(), block);
      squares += block.squares;
      blocks.pop_back();
    }
    blocks.push_back(block);
    if (after != nullptr) after->push_back(squares);
  }
  return blocks;
}

MonotoneFit fit_of(const std::vector<Block>& blocks) {
  MonotoneFit fit{.levels = blocks.size()};
  for (const Block& block : blocks) {
    fit.squares += block.squares;
    fit.values.insert(fit.values.end(), block.count, block.mean);
  }
  return fit;
}

std::vector<double> negated(std::vector<double> values) {
  for (double& value : values) value = -value;
  return values;
}

std::vector<double> reversed(std::vector<double> values) {
  std::ranges::reverse(values);
  return values;
}

MonotoneFit with_negated_values(MonotoneFit fit) {
  fit.values = negated(std::move(fit.values));
  return fit;
}

std::vector<double> part(const std::vector<double>& values, size_t begin, size_t end) {
  return {values.begin() + static_cast<std::ptrdiff_t>(begin),
          values.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace

MonotoneFit rising_fit(const std::vector<double>& y, const std::vector<double>& weights) {
  return fit_of(rising_blocks(y, weights));
}

MonotoneFit falling_fit(const std::vector<double>& y, const std::vector<double>& weights) {
  return with_negated_values(rising_fit(negated(y), weights));
}

MonotoneFit valley_fit(const std::vector<double>& y, const std::vector<double>& weights) {
  // A fall read forwards, and a rise read backwards, are rises of -y.
  std::vector<double> before = {0};  // squares of a fall of the first i values
  std::vector<double> behind = {0};  // of a rise of the last i
  rising_blocks(negated(y), weights, &before);
  rising_blocks(negated(reversed(y)), reversed(weights), &behind);
  size_t split = 0;
  for (size_t i = 0; i <= y.size(); ++i) {
    const double squares = before[i] + behind[y.size() - i];
    if (squares < before[split] + behind[y.size() - split]) split = i;
  }
  MonotoneFit fit = falling_fit(part(y, 0, split), part(weights, 0, split));
  const MonotoneFit rise = rising_fit(part(y, split, y.size()), part(weights, split, y.size()));
  fit.values.insert(fit.values.end(), rise.values.begin(), rise.values.end());
  fit.squares += rise.squares;
  fit.levels += rise.levels;
  return fit;
}

MonotoneFit peak_fit(const std::vector<double>& y, const std::vector<double>& weights) {
  return with_negated_values(valley_fit(negated(y), weights));
}

}  // namespace opbench
