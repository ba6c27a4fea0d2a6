#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "records/store/rows/text_arena.h"
#include "records/store/rows/trial_row.h"

namespace opbench {

/// Reads lines of AutoTVM 0.2 as Python's json.dumps writes them, several times faster than a JSON
/// parser: the input of a line that begins like the line before is not read again. Takes only what
/// decode_autotvm takes without an issue and what trial_row() has no source for; everything else is
/// refused and goes the general way, with the same rows (a test compares them).
class AutotvmScanner {
 public:
  /// Begins a chunk: texts of rows from now on live in `arena`.
  void begin_chunk(TextArena& arena);

  /// Fills the row, or returns false for a line of another form. `line` is followed by a newline
  /// or a zero.
  bool scan(std::string_view line, TrialRow& row);

 private:
  bool scan_input(const char*& at);
  bool scan_args(const char*& at, char*& out, int depth);
  bool scan_scalar(const char*& at, char*& out);
  bool scan_tensor(const char*& at, char*& out);
  bool scan_config(const char*& at, TrialRow& row);
  bool scan_knob(const char*& at, size_t index, char*& out);
  bool scan_costs(const char*& at, TrialRow& row);
  bool scan_result(const char*& at, TrialRow& row);
  bool scan_version(const char*& at, TrialRow& row);
  void refresh_views();
  void choose_knobs();
  std::string_view names_of_knobs(size_t count);

  TextArena* arena_ = nullptr;
  const char* end_ = nullptr;  ///< of the line
  size_t line_bytes_ = 0;

  // What the lines before had, as text of the line and as values.
  std::string input_, target_, task_, args_;
  uint64_t workload_key_ = 0;
  /// The knobs of the last line with this task.
  struct Knobs {
    std::vector<std::string> heads;  ///< `["tile_f", "sp", `
    std::vector<char> kinds;
    std::string names;  ///< `tile_f:sp tile_y:sp`
    bool is_changed = false;
    std::string_view view;  ///< of the names, in the arena of chunk `view_chunk`
    uint64_t view_chunk = 0;
  };
  std::unordered_map<std::string, Knobs> knobs_of_task_;
  Knobs* knobs_ = nullptr;  ///< of `task_`
  uint64_t chunk_ = 0;
  std::string tvm_version_;
  std::string_view target_view_, task_view_, args_view_, tvm_version_view_;
  std::string scratch_;
};

}  // namespace opbench
