#pragma once

#include <string>
#include <string_view>

#include "base/errors/error.h"
#include "machine/target/target.h"
#include "records/record/benchmark_record.h"

namespace opbench {

/// What can be set on one machine and changes the times of units.
struct Configuration {
  int threads = 1;
  VectorIsa isa = VectorIsa::kScalar;  ///< that kernels are compiled for
  bool has_memory_neighbour = false;   ///< another CPU streams through memory meanwhile
  bool operator==(const Configuration&) const = default;
};

/// Label of a record that names its neighbour: `none` (as without the label) or `memory`.
constexpr const char* kNeighbourLabel = "neighbour";
constexpr const char* kMemoryNeighbour = "memory";

/// `sse4.1`, `avx2`, `avx512`; `scalar` and `neon` where a record is of such a target.
std::string name_of(VectorIsa isa);

/// What kernels are compiled for at a level: this machine's own target where it has that level.
/// `kInvalidInput` for `scalar` and `neon`.
Result<Target> target_of(VectorIsa isa);

/// `threads=2,target=avx2,neighbour=none`
std::string text_of(const Configuration& configuration);

/// `base` with what the text changes: any of threads=N, target=sse4.1|avx2|avx512|host and
/// neighbour=none|memory, separated by commas. `kInvalidInput` that quotes an unknown key or value,
/// with the known ones; for a key that is named twice; for an empty text.
Result<Configuration> changed(const Configuration& base, std::string_view text);

/// The configuration that a record was measured in. `kInvalidInput` for a record that names no
/// number of threads, or a target or neighbour that is not known.
Result<Configuration> configuration_of(const BenchmarkRecord& record);

}  // namespace opbench
