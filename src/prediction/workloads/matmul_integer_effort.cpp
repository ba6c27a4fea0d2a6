#include "prediction/workloads/byte_products.h"

namespace opbench {

EffortDef matmul_integer_effort() { return {"matmul_integer", count_byte_products}; }

}  // namespace opbench
