#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace Halide {
class Pipeline;
}

// Cache lines asked for before they are read. What reads memory in order is mostly served by the
// core itself; but it stops at the ends of pages, and not everything has arrived in time.

namespace opbench {

/// Floats that loops read in the order in which they lie.
struct BufferStream {
  std::string buffer;
  /// Variables of the loops that read the same part of it again: only in the first of their rounds
  /// does it come from far.
  std::vector<std::string> again;
};

/// From now on every innermost loop of the pipeline that reads the stream asks for the lines that
/// it reads 4 KiB later. Its module needs `prefetch_bitcode`.
void prefetch_stream(Halide::Pipeline& pipeline, const BufferStream& stream);

/// LLVM's bitcode, for x86, of the function that the loops call, which is inlined.
const std::vector<uint8_t>& prefetch_bitcode();

}  // namespace opbench
