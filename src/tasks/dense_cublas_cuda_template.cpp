#include "tasks/library_space.h"
#include "tasks/template.h"

namespace opbench {

TemplateDef dense_cublas_cuda_template() {
  return {.name = "dense_cublas.cuda", .space = library_space, .flops = dense_flops};
}

}  // namespace opbench
