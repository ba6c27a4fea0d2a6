#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// Another program for the same computation, with operands of its own.
struct Peer {
  std::string name;
  std::function<void()> call;
};

/// oneDNN's calls from this thread on use no other; its workers would wait on the same CPU.
void use_one_thread();

/// oneDNN's implementations of the workload's anchor, its own choice first, then one a layout and
/// algorithm; for an operator that it lacks, memcpy of the output. `kSystem` with oneDNN's reason
/// when it refuses.
Result<std::vector<Peer>> peers_of(const Workload& workload);

}  // namespace opbench
