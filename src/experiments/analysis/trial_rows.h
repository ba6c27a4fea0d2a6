#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "prediction/analysis/correlate.h"

namespace opbench {

/// Trials of one task with one target, as factors: the knobs of their configs.
struct TrialRows {
  std::string task, target;
  std::vector<Factor> factors;    ///< one value a row; NaN where the config lacks the knob
  std::vector<size_t> workloads;  ///< the number of each row's workload
  std::vector<double> times_s;    ///< NaN for a failure
  std::vector<std::string> workload_names;
  size_t failed = 0;
  size_t rows() const { return times_s.size(); }
};

/// Which trials count.
struct TrialFilter {
  std::string task;    ///< empty: all
  std::string target;  ///< a part of the target's text; empty: all
};

/// A knob of one config.
struct TrialKnob {
  std::string name, kind;  ///< sp, re, an, ot
  const Json* value = nullptr;
};

/// Gathers trials by task and target.
class TrialCollector {
 public:
  /// Adds a factor for each knob. A split (`sp`) gives the parts that the config names: `tile_x`
  /// for one part, `tile_x.1`, `tile_x.2` for several. Other knobs give their number, or their text
  /// as a word. `time_s`: NaN for a failure.
  void add(const std::string& task, const std::string& target, const std::string& workload,
           const std::vector<TrialKnob>& knobs, double time_s);

  /// By task and target.
  std::vector<TrialRows> take();

 private:
  struct Group {
    TrialRows rows;
    std::map<std::string, size_t> factors, workloads;
    std::map<std::pair<size_t, std::string>, size_t> words;  ///< by factor
  };
  static void set(Group& group, const std::string& name, double value);
  static void set_word(Group& group, const std::string& name, const std::string& word);
  static void add_knob(Group& group, const TrialKnob& knob);

  std::map<std::pair<std::string, std::string>, Group> groups_;
};

/// What was read, and what it was read from.
struct TrialsRead {
  std::vector<TrialRows> tasks;
  size_t others = 0;   ///< records that are no trials with knobs
  size_t damaged = 0;  ///< places of files that should have held a record
};

/// The trials of log files in any format. `kInvalidInput` where a file cannot be read or is in no
/// known format.
Result<TrialsRead> trials_of_files(const std::vector<std::string>& paths,
                                   const TrialFilter& filter);

/// The trials of a store. Errors as query_store().
Result<TrialsRead> trials_of_store(const std::filesystem::path& folder, const TrialFilter& filter);

}  // namespace opbench
