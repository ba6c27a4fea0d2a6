#pragma once

#include <dnnl.hpp>

#include <map>
#include <string>
#include <vector>

#include "base/errors/failure.h"
#include "engines/onednn/post_ops.h"
#include "engines/onednn/primitive_candidate.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// The ways that oneDNN has for a workload: algorithms and layouts, its own choice first. Where it
/// leaves a choice to its caller (the layouts of a pool), all are its own. kUnsupported with the
/// reason when there is none.
Outcome<std::vector<Candidate>> candidates_for(const Workload& workload,
                                               const dnnl::engine& engine);

}  // namespace opbench
