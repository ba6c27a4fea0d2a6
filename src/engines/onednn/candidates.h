#pragma once

#include <dnnl.hpp>

#include <map>
#include <string>
#include <vector>

#include "opbench/base/failure.h"
#include "opbench/onednn_engine/post_ops.h"
#include "opbench/operators/workload.h"

namespace opbench {

/// One argument of a primitive: the value that fills it, read with the layout `plain`, and the
/// layout that the primitive wants.
struct Argument {
  int id = 0;
  std::string value;
  dnnl::memory::desc plain;
  dnnl::memory::desc wanted;
};

/// One way to compute a workload.
struct Candidate {
  dnnl::primitive primitive;
  std::string implementation;  ///< oneDNN's name of the kernel
  std::vector<Argument> arguments;
  dnnl::memory::desc output;        ///< wanted by the primitive
  dnnl::memory::desc plain_output;  ///< row-major
  std::string summed;               ///< value that the output starts with; empty for none
};

/// The ways that oneDNN has for a workload: algorithms and, where it does not choose itself,
/// layouts. kUnsupported with the reason when there is none.
Outcome<std::vector<Candidate>> candidates_for(const Workload& workload,
                                               const dnnl::engine& engine);

}  // namespace opbench
