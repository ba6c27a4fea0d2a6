#include "model/operators/products/batched_product.h"

#include <fmt/format.h>

namespace opbench {

Result<BatchedProduct> batched_product(const OperatorCall& call, size_t a, size_t b) {
  OPBENCH_CHECK(require_rank(call, a, 1, 16));
  OPBENCH_CHECK(require_rank(call, b, 1, 16));
  const Shape& left = shape_of(call, a);
  const Shape& right = shape_of(call, b);
  BatchedProduct p;
  p.k = left.back();
  const int64_t k_of_b = right[right.size() > 1 ? right.size() - 2 : 0];
  if (p.k != k_of_b) {
    return misfit(call, fmt::format("operands {} and {} differ in the summed extent ({} and {})",
                                    shape_text(left), shape_text(right), p.k, k_of_b));
  }
  const Shape a_batch(left.begin(), left.end() - (left.size() > 1 ? 2 : 1));
  const Shape b_batch(right.begin(), right.end() - (right.size() > 1 ? 2 : 1));
  OPBENCH_TRY(p.batch, broadcast(call, a_batch, b_batch));
  p.a_strides = broadcast_strides(a_batch, p.batch);
  p.b_strides = broadcast_strides(b_batch, p.batch);
  p.shape = p.batch;
  if (left.size() > 1) p.shape.push_back(p.m = left[left.size() - 2]);
  if (right.size() > 1) p.shape.push_back(p.n = right.back());
  return p;
}

double product_flops(const BatchedProduct& product) {
  return 2.0 * static_cast<double>(element_count(product.shape)) * static_cast<double>(product.k);
}

}  // namespace opbench
