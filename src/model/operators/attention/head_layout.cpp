#include "model/operators/attention/head_layout.h"

#include <fmt/format.h>

namespace opbench {

Result<HeadLayout> head_layout(const OperatorCall& call, size_t index, const std::string& count) {
  OPBENCH_CHECK(require_rank(call, index, 3, 4));
  const Shape& x = shape_of(call, index);
  if (x.size() == 4) return HeadLayout{x[0], x[1], x[2], x[3], false};
  const int64_t heads = int_attribute(*call.node, count, 0);
  if (heads < 1 || x[2] % heads != 0) {
    return misfit(call, fmt::format("{} {} does not divide the last extent of operand {} of shape "
                                    "{}",
                                    count, heads, index, shape_text(x)));
  }
  return HeadLayout{x[0], heads, x[1], x[2] / heads, true};
}

}  // namespace opbench
