#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// One workload that kernels are compared on.
struct KernelShape {
  std::string set;       ///< `models`, or one of extra_shapes()
  std::string family;    ///< family_of() its workload
  std::string workload;  ///< canonical text: an anchor alone, without bias
  std::string target = "host";
  std::string shapes;  ///< short form
  bool operator==(const KernelShape&) const = default;
};

/// Convolutions by the extents of their filters, products by their rows: `3x3` (stride 1: Winograd
/// can compute it), `3x3 strided`, `5x5`, `1x1`, `other` (7x7, 1x7, …), `depthwise`, `dense M=1`,
/// `dense`. Nothing for what is no float32 convolution of images or product by one matrix of
/// weights.
std::optional<std::string> family_of(const Workload& workload);

/// Every family, in the order of reports.
const std::vector<std::string>& kernel_families();

/// The set of the shapes that models have, and every other one.
constexpr const char* kModelsSet = "models";
const std::vector<std::string>& extra_sets();

/// A shape of the workload with this text. `kInvalidInput` if it is none, or of no family.
Result<KernelShape> kernel_shape(const std::string& set, const std::string& workload,
                                 const std::string& target = "host");

/// The different anchors of these models of the zoo that have a family, in the order of the models'
/// execution, each once. Errors as those of reading and lowering a model.
Result<std::vector<KernelShape>> model_shapes(const std::vector<std::string>& models);

/// What models have little of: channels that are no multiple of a vector, batches of 4 and 8, and
/// some shapes compiled for AVX2.
Result<std::vector<KernelShape>> extra_shapes();

}  // namespace opbench
