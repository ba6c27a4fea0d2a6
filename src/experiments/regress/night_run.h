#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "experiments/regress/night_rows.h"
#include "experiments/regress/suite.h"
#include "experiments/sessions/request/run_hooks.h"
#include "machine/facts/environment.h"
#include "measuring/results/profile_result.h"
#include "records/store/store_folder.h"

namespace opbench {

/// The right to measure nights of a suite on one store. It ends with the object, or with the
/// program, however that ends.
class NightLock {
 public:
  /// `kEnvironment` where another program measures this suite: its number and since when.
  static Result<NightLock> take(const std::filesystem::path& store, const std::string& suite);

 private:
  explicit NightLock(FolderLock lock) : lock_(std::move(lock)) {}
  FolderLock lock_;
};

/// The folder of a store for what belongs to a suite beside its records.
std::filesystem::path watch_folder(const std::filesystem::path& store, const std::string& suite);

struct NightRequest {
  Suite suite;
  std::filesystem::path store;
  std::string branch;
  std::string commit;        ///< of the watched engines
  std::string night;         ///< its name; empty: the one that was cut off, else a new one
  std::string surroundings;  ///< surroundings_of()
  std::map<std::string, std::string> frozen;  ///< commits of frozen controls, by engine
  std::string filled_for;        ///< the night for which this one is measured afterwards
  std::vector<SuiteCase> cases;  ///< these alone, in a night of this name; empty: all of the suite
  std::vector<std::string> argv;
  RunHooks hooks;
  /// Measures a case; the profile of the real machine.
  std::function<Result<ProfileResult>(const ProfileRequest&)> measure;
};

struct NightOutcome {
  NightLabels labels;
  int measured = 0;                 ///< cases, in this call
  int kept = 0;                     ///< cases that were measured before this call
  int open = 0;                     ///< cases that were not reached
  std::vector<Fact> failures = {};  ///< of cases: what could not be measured, and why
};

/// Measures the cases of tonight that the store does not have yet, one by one; each is in the store
/// before the next begins. A night that was cut off, of the same branch, commit and method, goes on
/// within 18 hours. Errors of the store; a case that cannot be measured is a failure, not an error.
Result<NightOutcome> run_night(const NightRequest& request);

/// How a suite is measured, as one name: budget of a case, cache, rules of this program.
std::string method_of(const Suite& suite);

/// Kernel, microcode, compiler and libraries of others, as one name.
std::string surroundings_of(const Environment& environment);

}  // namespace opbench
