#include "prediction/workloads/byte_products.h"

namespace opbench {

EffortDef conv2d_integer_effort() { return {"conv2d_integer", count_byte_products}; }

}  // namespace opbench
