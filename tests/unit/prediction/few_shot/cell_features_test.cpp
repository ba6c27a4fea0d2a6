#include "prediction/few_shot/cell_features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/numbers/random.h"

namespace opbench {
namespace {

std::string cell(const std::vector<std::string>& operations) {
  return "|" + operations[0] + "~0|+|" + operations[1] + "~0|" + operations[2] + "~1|+|" +
         operations[3] + "~0|" + operations[4] + "~1|" + operations[5] + "~2|";
}

std::vector<std::string> random_cells(uint64_t seed, size_t count) {
  const std::vector<std::string> names = {"none", "skip", "conv_1x1", "conv_3x3"};
  Random random(seed);
  std::vector<std::string> cells;
  for (size_t i = 0; i < count; ++i) {
    std::vector<std::string> operations;
    for (int edge = 0; edge < 6; ++edge) operations.push_back(names[random.below(4)]);
    cells.push_back(cell(operations));
  }
  return cells;
}

double value_at(const std::vector<SparseFeature>& row, size_t column) {
  double sum = 0;
  for (const SparseFeature& feature : row) sum += feature.column == column ? feature.value : 0;
  return sum;
}

TEST(CellFeatures, MarkCellsWithoutAPath) {
  const std::vector<std::string> cells = {
      cell({"conv", "none", "none", "none", "none", "none"}),   // nothing reaches the last node
      cell({"conv", "none", "none", "none", "conv", "none"}),   // 0 -> 1 -> 3
      cell({"none", "none", "conv", "none", "none", "conv"})};  // 1 -> 2 -> 3, from nowhere
  const auto features = cell_features(cells);
  ASSERT_TRUE(features);
  const size_t mark = features->columns - 1;
  EXPECT_EQ(value_at(features->rows[0], mark), 1);
  EXPECT_EQ(value_at(features->rows[1], mark), 0);
  EXPECT_EQ(value_at(features->rows[2], mark), 1);
}

TEST(CellFeatures, TellEqualCellsFromOthers) {
  std::vector<std::string> cells = random_cells(3, 50);
  cells.push_back(cells.front());
  const auto features = cell_features(cells);
  ASSERT_TRUE(features);
  std::map<std::vector<std::pair<size_t, double>>, std::string> cell_of;
  for (size_t i = 0; i < cells.size(); ++i) {
    std::vector<std::pair<size_t, double>> row;
    for (const SparseFeature& feature : features->rows[i]) {
      EXPECT_LT(feature.column, features->columns);
      row.emplace_back(feature.column, feature.value);
    }
    const auto [place, is_new] = cell_of.emplace(row, cells[i]);
    EXPECT_EQ(place->second, cells[i]);
  }
  EXPECT_EQ(cell_of.size(), std::set<std::string>(cells.begin(), cells.end()).size());
}

TEST(CellFeatures, AreNotThereForOtherTexts) {
  for (const char* text : {"", "resnet-18", "|conv~0|+|conv~2|", "|~0|", "|conv~x|"}) {
    EXPECT_FALSE(cell_features(std::vector<std::string>{text})) << text;
  }
  EXPECT_FALSE(cell_features(std::vector<std::string>{"|a~0|", "|a~0|+|b~1|"}));
}

TEST(SmoothedColumns, RemoveNoise) {
  const std::vector<std::string> cells = random_cells(11, 3000);
  const auto features = cell_features(cells);
  ASSERT_TRUE(features);
  Random random(4);
  DenseMatrix clean(3000, 2), noisy(3000, 2);
  for (size_t row = 0; row < 3000; ++row) {
    for (size_t column = 0; column < 2; ++column) {
      for (const SparseFeature& feature : features->rows[row]) {
        // Operators only: the first 6 x 4 columns.
        if (feature.column < 24)
          clean.at(row, column) += 0.1 * static_cast<double>(feature.column % 5 + column);
      }
      noisy.at(row, column) = clean.at(row, column) + 0.2 * static_cast<double>(random.normal());
    }
  }
  const DenseMatrix smooth = smoothed_columns(*features, noisy);
  double before = 0, after = 0;
  for (size_t i = 0; i < clean.values.size(); ++i) {
    before += std::abs(noisy.values[i] - clean.values[i]);
    after += std::abs(smooth.values[i] - clean.values[i]);
  }
  EXPECT_LT(after, 0.5 * before);
}

}  // namespace
}  // namespace opbench
