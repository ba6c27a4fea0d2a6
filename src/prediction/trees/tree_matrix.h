#pragma once

#include <span>

#include "base/errors/error.h"
#include "prediction/trees/feature_table.h"

namespace opbench {

/// `kSystem` with XGBoost's own message unless a call of it returned 0.
Result<void> xgboost_check(int code);

/// Features, with labels or without, as XGBoost has them.
class TreeMatrix {
 public:
  /// `load_xgboost` has succeeded. Copies what it gets.
  static Result<TreeMatrix> make(const FeatureTable& features);
  TreeMatrix(TreeMatrix&& other) noexcept;
  TreeMatrix& operator=(TreeMatrix&&) = delete;
  ~TreeMatrix();

  /// One value a row; an empty list changes nothing. `field`: label, weight, base_margin.
  Result<void> set(const char* field, std::span<const float> values);

  void* handle() const { return handle_; }

 private:
  TreeMatrix() = default;
  void* handle_ = nullptr;
};

}  // namespace opbench
