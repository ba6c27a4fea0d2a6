#pragma once

#include <string>
#include <string_view>

#include "records/formats/logs/log_decoder.h"

namespace opbench {

/// What decode_metaschedule() says, for many lines (docs/reference/formats.md, "MetaSchedule
/// databases").
class MetascheduleDecoder : private LogDecoder {
 public:
  /// `workload_line` finds the text of a workload by its index; an empty one is not there.
  template <class Find>
  DecodedLine decode(std::string_view line, const Find& workload_line) {
    begin();
    if (!read_line(line)) return end(false);
    return end(read_workload(workload_line(config().workload_index)));
  }

  /// The structural hash of a workload's line; empty if it has none.
  std::string hash_of(std::string_view workload_line);

 private:
  bool read_line(std::string_view line);
  bool read_workload(std::string_view workload_line);
  bool read_costs(const Element& value, const JsonPlace& place);
  bool read_times(const Element& value, const JsonPlace& place);
  bool read_trace(const Element& value, const JsonPlace& place);
  bool read_json_target(const Element& value, const JsonPlace& place);
  bool read_args_info(const Element& value, const JsonPlace& place);
  TraceConfig& config() { return std::get<TraceConfig>(record_.config); }

  JsonLine workload_json_;
  bool has_instructions_ = false;
};

}  // namespace opbench
