#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/json/json.h"

namespace opbench {

/// Events of a Chrome trace, which Perfetto reads too. Times are whole nanoseconds inside, so that
/// slices that touch do not overlap by a rounding.
class TraceEvents {
 public:
  TraceEvents();

  void name_process(int process, const std::string& name);
  void name_thread(int process, int thread, const std::string& name);

  /// A slice from `begin_ms` to `end_ms`. Slices of a thread must nest.
  void add_slice(int process, int thread, const std::string& name, const std::string& category,
                 double begin_ms, double end_ms, Json arguments);

  /// A moment with a note.
  void add_instant(int process, int thread, const std::string& name, double at_ms, Json arguments);

  /// An arrow from inside one slice, at `from_ms`, to the begin of another, at `to_ms`, not before.
  void add_flow(int process, int from_thread, double from_ms, int to_thread, double to_ms);

  /// The whole file.
  Json file(Json other_data) &&;

 private:
  std::shared_ptr<Json> events_;  ///< a list; the type is declared here only
  int64_t flows_ = 0;
};

}  // namespace opbench
