#include "model/operators/products/matrix_product.h"

#include <algorithm>
#include <array>
#include <vector>

namespace opbench {
namespace {

constexpr int64_t kMatrixProductRows = 4;
constexpr int64_t kMatrixProductColumns = 8;
constexpr int64_t kMatrixProductDepth = 64;

using Tile = std::array<float, kMatrixProductRows * kMatrixProductColumns>;

/// tile[4, 8] = a[depth, 4] * b[depth, 8], both packed.
void multiply_tile(const float* a, const float* b, int64_t depth, Tile& tile) {
  std::array<std::array<float, kMatrixProductColumns>, kMatrixProductRows> sum{};
  for (int64_t k = 0; k < depth; ++k) {
    for (size_t i = 0; i < kMatrixProductRows; ++i) {
      for (size_t j = 0; j < kMatrixProductColumns; ++j)
        sum[i][j] += a[k * kMatrixProductRows + i] * b[k * kMatrixProductColumns + j];
    }
  }
  for (size_t i = 0; i < kMatrixProductRows; ++i)
    std::ranges::copy(sum[i], tile.begin() + i * kMatrixProductColumns);
}

/// out[depth, width] = a block of `view` from (k, j), lanes past `valid` zero.
void pack(const float* data, int64_t depth_stride, int64_t lane_stride, int64_t depth,
          int64_t valid, int64_t width, float* out) {
  for (int64_t k = 0; k < depth; ++k) {
    for (int64_t j = 0; j < width; ++j) {
      out[k * width + j] = j < valid ? data[k * depth_stride + j * lane_stride] : 0.0F;
    }
  }
}

/// All of `a` in tiles of kMatrixProductRows rows: [m / 4][k][4].
std::vector<float> packed_rows(MatrixView a, int64_t m, int64_t k) {
  const int64_t tiles = (m + kMatrixProductRows - 1) / kMatrixProductRows;
  std::vector<float> packed(static_cast<size_t>(tiles * kMatrixProductRows * k));
  for (int64_t t = 0; t < tiles; ++t) {
    pack(a.data + t * kMatrixProductRows * a.row_stride, a.column_stride, a.row_stride, k,
         std::min(kMatrixProductRows, m - t * kMatrixProductRows), kMatrixProductRows,
         packed.data() + t * kMatrixProductRows * k);
  }
  return packed;
}

}  // namespace

void matrix_product(MatrixView a, MatrixView b, float* c, int64_t c_stride, int64_t m, int64_t n,
                    int64_t k) {
  const std::vector<float> rows = packed_rows(a, m, k);
  const int64_t row_tiles = (m + kMatrixProductRows - 1) / kMatrixProductRows;
  std::vector<float> columns(static_cast<size_t>(k * kMatrixProductColumns));
  for (int64_t j = 0; j < n; j += kMatrixProductColumns) {
    const int64_t width = std::min(kMatrixProductColumns, n - j);
    pack(b.data + j * b.column_stride, b.row_stride, b.column_stride, k, width,
         kMatrixProductColumns, columns.data());
    for (int64_t t = 0; t < row_tiles; ++t) {
      std::array<double, kMatrixProductRows * kMatrixProductColumns> sum{};
      for (int64_t begin = 0; begin < k; begin += kMatrixProductDepth) {
        Tile tile;
        multiply_tile(rows.data() + (t * k + begin) * kMatrixProductRows,
                      columns.data() + begin * kMatrixProductColumns,
                      std::min(kMatrixProductDepth, k - begin), tile);
        for (size_t e = 0; e < tile.size(); ++e) sum[e] += static_cast<double>(tile[e]);
      }
      const int64_t height = std::min(kMatrixProductRows, m - t * kMatrixProductRows);
      for (int64_t i = 0; i < height; ++i) {
        float* row = c + (t * kMatrixProductRows + i) * c_stride + j;
        for (int64_t x = 0; x < width; ++x) {
          row[x] = static_cast<float>(sum[static_cast<size_t>(i * kMatrixProductColumns + x)]);
        }
      }
    }
  }
}

}  // namespace opbench
