#include "prediction/costs/expected_seconds.h"

namespace opbench {

double expected_seconds(const Workload& workload) {
  return flops_of(workload) / 40e9 + bytes_of(workload) / 10e9;
}

}  // namespace opbench
