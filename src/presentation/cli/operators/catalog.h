#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "prediction/predict/key_kinds.h"
#include "presentation/cli/operators/operator_entries.h"

namespace opbench {

/// What one call of a workload takes, in ms: expected before anything runs, or measured. The two
/// are never added up.
enum class TimeSource { kPredicted, kMeasured };

/// One workload, or one operator that our engine does not run, in several models.
struct CatalogEntry {
  OperatorEntry what;
  std::string kind;  ///< of operators: unit_kind of the default kernel, else the first operator
  std::string
      schedule;  ///< of the default kernel; `reference` where none takes it; empty: not known
  std::map<std::string, int64_t> config;  ///< of the default kernel
  std::optional<double> predicted_ms;     ///< expected_seconds: FLOPs and bytes at fixed rates
  std::optional<double> measured_ms;

  std::optional<double> ms(TimeSource source) const {
    return source == TimeSource::kPredicted ? predicted_ms : measured_ms;
  }
  /// Of all calls in all models; 0 where it is not known.
  double total_ms(TimeSource source) const;
};

/// The fewest that take a part of the time.
struct Coverage {
  double ms = 0;                                          ///< of all whose time is known
  int64_t timed = 0;                                      ///< workloads whose time is known
  std::vector<size_t> workloads;                          ///< indices of entries, largest first
  std::vector<std::pair<std::string, double>> operators;  ///< and their share, largest first
  std::vector<KindShare> kinds;                           ///< heavy and light, in seconds
};

struct Catalog {
  std::vector<std::string> models;
  std::vector<CatalogEntry> entries;  ///< by predicted time of all calls, largest first
  bool has_measured = false;          ///< whether times were looked for
};

/// The part of the time that the set of `coverage_of` takes.
constexpr double kCovered = 0.9;

/// The fewest workloads, and the fewest kinds of operators, that take kCovered of the time by one
/// source. Entries without a time by it are left out.
Coverage coverage_of(const Catalog& catalog, TimeSource source);

/// Times of `profile --record`'s lines, of units that `engine` ran: the median in the running
/// model, else alone; of several of one workload the last. By canonical text. `kInvalidInput` when
/// the file cannot be read.
Result<std::map<std::string, double>> recorded_ms(const std::filesystem::path& file,
                                                  const std::string& engine);

/// The catalogue of models, one request each. Schedules and configs are the default ones on one
/// thread of this machine; where a workload has several layouts, those of its first place.
Result<Catalog> make_catalog(const std::vector<ProfileRequest>& requests,
                             const std::vector<std::string>& names,
                             const std::map<std::string, double>* measured);

}  // namespace opbench
