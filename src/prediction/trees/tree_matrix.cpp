#include "prediction/trees/tree_matrix.h"

#include <xgboost/c_api.h>

#include <limits>
#include <utility>

namespace opbench {

Result<void> xgboost_check(int code) {
  if (code == 0) return {};
  return Error{ErrorCode::kSystem, "XGBoost refused what it was asked for"}.with(
      "reason", ::XGBGetLastError());
}

Result<TreeMatrix> TreeMatrix::make(const FeatureTable& features) {
  TreeMatrix matrix;
  OPBENCH_CHECK(xgboost_check(
      ::XGDMatrixCreateFromMat_omp(features.values.data(), features.rows(), features.columns,
                                   std::numeric_limits<float>::quiet_NaN(), &matrix.handle_, 1)));
  return matrix;
}

TreeMatrix::TreeMatrix(TreeMatrix&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)) {}

TreeMatrix::~TreeMatrix() {
  if (handle_ != nullptr) ::XGDMatrixFree(handle_);
}

Result<void> TreeMatrix::set(const char* field, std::span<const float> values) {
  if (values.empty()) return {};
  return xgboost_check(::XGDMatrixSetFloatInfo(handle_, field, values.data(), values.size()));
}

}  // namespace opbench
