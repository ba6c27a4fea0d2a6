#pragma once

#include "base/json/json.h"

namespace opbench {

/// [{name, shape, dtype?, layout?}] from the ways in which records of 0.1 give their inputs in
/// workload_args: input_shape_dict and input_type_dict; input_name and input_shape; input_shape and
/// args_shape alone, named input0, input1, …
Json inputs_of(const Json& workload_args);

/// The reverse, in the first of these ways.
Json workload_args_of(const Json& inputs);

}  // namespace opbench
