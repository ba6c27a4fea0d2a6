#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/zoo/zoo_builder.h"

// Single nodes. Every function adds one called `name`, whose result it returns.

namespace opbench {

/// Of an operator without attributes that keeps the shape of its operand.
std::string unary(ZooBuilder& b, std::string type, const std::string& name, const std::string& x);

/// Of two operands; the result has the shape of the first, the second is broadcast.
std::string binary(ZooBuilder& b, std::string type, const std::string& name, const std::string& x,
                   const std::string& y);

/// Leading extents that stay are written as 0, ONNX's word for them; one extent may be -1.
std::string reshape(ZooBuilder& b, const std::string& name, const std::string& x, Shape shape);
std::string transpose(ZooBuilder& b, const std::string& name, const std::string& x,
                      const std::vector<int64_t>& order);
std::string concat(ZooBuilder& b, const std::string& name, const std::vector<std::string>& parts,
                   int64_t axis);

/// Part `index` along `axis`, which goes away unless it is kept with extent 1.
std::string part(ZooBuilder& b, const std::string& name, const std::string& x, int64_t axis,
                 int64_t index, bool is_axis_kept = false);

/// Elements `begin` to before `end` along `axis`, a number from 0.
std::string slice(ZooBuilder& b, const std::string& name, const std::string& x, int64_t axis,
                  int64_t begin, int64_t end);

/// The extent of `x` along `axis` as a value of one integer, taken at run time.
std::string extent(ZooBuilder& b, const std::string& name, const std::string& x, int64_t axis);

/// Elements `begin` to before `end` along `axis`, both values of one integer; `count` of them.
std::string slice_between(ZooBuilder& b, const std::string& name, const std::string& x,
                          int64_t axis, const std::string& begin, const std::string& end,
                          int64_t count);

std::string scale(ZooBuilder& b, const std::string& name, const std::string& x, float factor);

/// Matrix products over the last two dimensions, the others alike.
std::string matmul(ZooBuilder& b, const std::string& name, const std::string& x,
                   const std::string& y);

}  // namespace opbench
