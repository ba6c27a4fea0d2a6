#include "kernels/tasks/template.h"
#include "kernels/tasks/templates/library_space.h"

namespace opbench {

TemplateDef dense_cublas_cuda_template() {
  return {.name = "dense_cublas.cuda", .space = library_space, .flops = dense_flops};
}

}  // namespace opbench
