#pragma once

#include <dnnl.hpp>

#include <string>
#include <vector>

namespace opbench {

/// One argument of a primitive: the value that fills it, read with the layout `plain`, and the
/// layout that the primitive wants.
struct PrimitiveArgument {
  int id = 0;
  std::string value;
  dnnl::memory::desc plain;
  dnnl::memory::desc wanted;
};

/// One way to compute a workload.
struct Candidate {
  dnnl::primitive primitive;
  std::string implementation;  ///< algorithm and kernel, as the engine reports it
  std::string kernel;          ///< oneDNN's name of it
  std::vector<PrimitiveArgument> arguments;
  dnnl::memory::desc output;        ///< wanted by the primitive
  dnnl::memory::desc plain_output;  ///< row-major
  std::string summed;               ///< value that the output starts with; empty for none
  bool is_default = true;           ///< oneDNN takes it when nobody names an algorithm or a layout
};

}  // namespace opbench
