#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace opbench {

/// A bisection, or nights of a suite, killed with -9 again and again; the next call goes on.
struct WatchKillOptions {
  std::string program;           ///< opbench
  std::string engine;            ///< a script: an engine whose argument is the time of a call in ms
  std::filesystem::path folder;  ///< for the repository, the store and the cache
  int kills = 5;
  uint64_t seed = 1;
};

struct WatchKillResult {
  int kills = 0;
  int steps = 0;                      ///< that were kept when a program was killed
  int lost = 0;                       ///< of these, not there afterwards
  int doubled = 0;                    ///< points that are there twice
  bool is_right = false;              ///< the answer at the end
  std::string answer;                 ///< what was printed at the end
  std::vector<std::string> failures;  ///< programs that ended with an error, and why
};

/// Nights of three workloads on one store.
WatchKillResult run_night_kills(const WatchKillOptions& options);

/// The culprit among nine commits of an engine.
WatchKillResult run_bisect_kills(const WatchKillOptions& options);

}  // namespace opbench
