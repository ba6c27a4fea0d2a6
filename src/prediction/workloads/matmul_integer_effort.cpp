#include "prediction/workloads/byte_products.h"
#include "prediction/workloads/effort.h"

namespace opbench {
namespace {

void adjust(const KernelSpec& spec, KernelWork& work) {
  work.products_a_lane = byte_products_a_lane(spec.target);
}

}  // namespace

EffortDef matmul_integer_effort() { return {"matmul_integer", adjust}; }

}  // namespace opbench
