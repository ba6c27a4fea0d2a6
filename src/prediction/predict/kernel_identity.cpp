#include "prediction/predict/kernel_identity.h"

#include <fmt/format.h>

namespace opbench {

std::string kernel_identity(const KernelSpec& spec) {
  return fmt::format("{}|{}|{}", text_of(spec.workload), fmt::join(blocks_of(spec), ","),
                     spec.schedule);
}

}  // namespace opbench
