#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

/// The loops that a template makes at a config, with what they read and write: what AutoTVM's cost
/// models look at (docs/reference/tuners.md, "Loop features"). Nothing is compiled for it.
namespace opbench {

/// What is done with a loop; the number is its place among AutoTVM's eleven flags, the first six of
/// which are a GPU's blocks and threads.
enum class LoopKind { kUnrolled = 6, kVectorized = 7, kParallel = 8, kSerial = 9 };

constexpr size_t kNoLoop = static_cast<size_t>(-1);

struct NestLoop {
  int64_t extent = 1;
  LoopKind kind = LoopKind::kSerial;
  size_t parent = kNoLoop;
  int level = 1;  ///< 1: outermost
  int additions = 0;
  int multiplications = 0;
  int divisions = 0;  ///< of floats directly in its body, once an iteration; so the two above
};

/// A loop around an access, and by how many elements the address moves with it.
struct LoopStride {
  size_t loop = 0;
  int64_t stride = 0;  ///< 0: the address does not depend on it
};

struct NestAccess {
  std::string_view buffer;          ///< a literal
  std::vector<LoopStride> strides;  ///< one a loop around it, outermost first
};

struct LoopNest {
  std::vector<NestLoop> loops;       ///< in the order of the text
  std::vector<NestAccess> accesses;  ///< in the order of the text, of a statement its store first
};

/// One of the axes that a loop runs over.
struct AxisPart {
  std::string_view axis;
  int64_t extent = 1;
};

/// By how many elements an address moves with an axis; 0 for axes that are not named.
struct AxisStride {
  std::string_view axis;
  int64_t stride = 0;
};

/// Writes a nest from the outside to the inside.
class NestBuilder {
 public:
  /// Begins a loop over an axis, or over several that were fused, the outermost first.
  void open(LoopKind kind, std::vector<AxisPart> parts);
  void close(int count = 1);

  /// A load or store inside the loops that are open; an open loop is outside of it.
  void access(std::string_view buffer, const std::vector<AxisStride>& strides);

  /// Operations on floats inside the innermost open loop.
  void compute(int additions, int multiplications);

  LoopNest finish() && { return std::move(nest_); }

 private:
  struct OpenLoop {
    size_t loop = 0;
    std::vector<AxisPart> parts;
  };

  LoopNest nest_;
  std::vector<OpenLoop> open_;
};

/// The multiplier of the loop's variable in the flattened address, as TVM writes it. A fused loop
/// whose parts are not adjacent in memory has its variable in a division or remainder, without a
/// multiplier: 1. A loop of one iteration has no variable: 0.
int64_t literal_stride(const std::vector<AxisPart>& parts, const std::vector<AxisStride>& strides);

}  // namespace opbench
