#include "experiments/sessions/request/run_request.h"

#include <utility>

namespace opbench {

RunRequest run_of(ProfileRequest request) {
  return {.model = std::move(request.model),
          .settings = std::move(request.settings),
          .measure = std::move(request.measure),
          .hooks = std::move(request.hooks),
          .notes = std::move(request.notes)};
}

ProfileRequest profile_of(RunRequest run, std::vector<std::string> engines,
                          std::vector<int> threads) {
  return {.model = std::move(run.model),
          .engines = std::move(engines),
          .threads = std::move(threads),
          .settings = std::move(run.settings),
          .measure = std::move(run.measure),
          .hooks = std::move(run.hooks),
          .notes = std::move(run.notes)};
}

}  // namespace opbench
