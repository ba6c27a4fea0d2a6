#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/sessions/request/measure_options.h"
#include "experiments/sessions/request/model_spec.h"
#include "experiments/sessions/request/run_hooks.h"
#include "model/graph/graph.h"
#include "model/operators/operator.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// A model with what a ModelSpec says of its inputs.
struct RequestedModel : Model {
  std::set<std::string> fixed_inputs;              ///< that became constants
  std::map<std::string, std::string> input_files;  ///< by input: of `--check expected:DIR`
};

/// The model that `spec` names, with every extent bound and weights randomised if asked: a file,
/// a built-in model (written to the cache once, then read like a file) or a workload as a model of
/// one unit. Results that nobody reads are left out. In a model with branches, integer inputs that
/// `spec` gives as numbers become constants. `kInvalidInput` as the readers and passes say,
/// with the model's name.
Result<RequestedModel> load_model(const ModelSpec& spec, const MeasureOptions& measure,
                                  const RunHooks& hooks);

/// The same for what asks for shapes only, in milliseconds: a built-in model is an outline (zoo.h),
/// and so is a workload; a file is read as it is.
Result<RequestedModel> load_outline(const ModelSpec& spec, const MeasureOptions& measure,
                                    const RunHooks& hooks);

/// The error with the model's name in a line `in:`, unless it names that already.
Error in_model(Error error, const ModelSpec& spec);

/// A workload as a model: weights become constants with values from `seed`.
Model model_of_workload(const Workload& workload, uint64_t seed);
/// The same without values: matrices and filters have a type alone, other weights are zeros.
Model outline_of_workload(const Workload& workload);

/// Values for a tensor from a seed and a name: uniform in the range; integers 0 or 1, or the first
/// two above a range's low end.
Tensor seeded_tensor(const TensorType& type, uint64_t seed, const std::string& name,
                     ValueRange range = {});

/// `kInvalidInput` when an input of `spec` is unknown, or its file or number does not fit.
Result<void> check_inputs(const ModelSpec& spec, const RequestedModel& model);

/// A tensor for every graph input: from the files of `spec`, else from those of the expected
/// outputs, else from its seed. `kInvalidInput` when a file does not fit, or an input name is
/// unknown.
Result<std::vector<std::pair<std::string, Tensor>>> input_tensors(const ModelSpec& spec,
                                                                  const RequestedModel& model);

}  // namespace opbench
