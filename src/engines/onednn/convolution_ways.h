#pragma once

#include <dnnl.hpp>

#include <vector>

namespace opbench {

/// An algorithm for a convolution and the layouts of what it reads and writes.
struct ConvolutionWay {
  dnnl::algorithm kind;
  const char* name;
  dnnl::memory::format_tag source = dnnl::memory::format_tag::any;
  dnnl::memory::format_tag output = dnnl::memory::format_tag::any;
};

/// oneDNN's own choice, Winograd, and the layouts that its direct kernels for images are written
/// for: its own choice is not always the fastest of these. Extents as dnnl has them, N and C first.
std::vector<ConvolutionWay> convolution_ways(const dnnl::memory::dims& source);

}  // namespace opbench
