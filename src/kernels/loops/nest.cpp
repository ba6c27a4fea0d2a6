#include "kernels/loops/nest.h"

namespace opbench {

bool has_nest(const std::string& template_name) {
  return nest_table().find(template_name).has_value();
}

}  // namespace opbench
