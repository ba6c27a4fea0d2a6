#include "model/passes/passes.h"

namespace opbench {

Result<std::vector<Unit>> lower(Model& model) {
  OPBENCH_CHECK(infer_types(model));
  OPBENCH_CHECK(fold_constants(model));
  OPBENCH_CHECK(fold_batch_norms(model));
  OPBENCH_CHECK(infer_types(model));
  return fuse(model);
}

}  // namespace opbench
