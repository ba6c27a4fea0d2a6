#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "engines/protocol/server.h"
#include "engines/runtime/loaded_package.h"
#include "engines/serve/segment_workers.h"

namespace opbench {

/// The package that was prepared under a name; null: none.
using FindPackage = std::function<LoadedPackage*(const std::string& name)>;

/// The protocol's `serve` and `advance`: models whose queries run segment by segment.
class ServedQueries {
 public:
  /// Answers `serve`: takes the models, makes their arenas and checks one of each, starts a worker
  /// on each CPU. What was served before ends.
  Outcome<Json> serve(const Json& params, const std::vector<int>& cpus, const FindPackage& find);
  /// Answers `advance`: starts launches and waits for what ends.
  Outcome<Json> advance(const Json& params);
  /// Whether one of these packages is served: it must not be released.
  bool uses(const LoadedPackage* package) const;
  void end();

 private:
  struct Served {
    TeamPackages packages;  ///< by size of team
    std::vector<std::unique_ptr<QueryArena>> arenas;
  };

  Outcome<void> add_model(const Json& asked, size_t arenas, const FindPackage& find);
  Outcome<void> check_outputs(Served& served) const;
  Outcome<SegmentLaunch> launch_of(const Json& asked);

  std::vector<Served> models_;
  std::unique_ptr<SegmentWorkers> workers_;  // ends before the arenas
};

}  // namespace opbench
