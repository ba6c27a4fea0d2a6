#include "opbench/tasks/gpu_knobs.h"

namespace opbench {

void define_unroll_steps(SpaceBuilder& builder, const std::vector<int64_t>& steps) {
  builder.define_option("auto_unroll_max_step", steps);
}

void define_unrolling(SpaceBuilder& builder, const std::vector<int64_t>& steps,
                      const Target& target) {
  define_unroll_steps(builder, steps);
  const bool is_explicit = target.kind == "nvptx" || target.kind == "rocm";
  builder.define_option("unroll_explicit",
                        is_explicit ? std::vector<int64_t>{1} : std::vector<int64_t>{0, 1});
}

void define_switch(SpaceBuilder& builder, const std::string& name) {
  builder.define_option(name, std::vector<int64_t>{0, 1});
}

}  // namespace opbench
