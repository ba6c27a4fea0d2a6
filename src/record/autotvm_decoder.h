#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "opbench/record/json_line.h"
#include "opbench/record/tuning_codec.h"

namespace opbench {

/// What decode_autotvm() says, for many lines: keeps its memory, and what it found out of targets.
class AutotvmDecoder {
 public:
  DecodedLine decode(std::string_view line);

 private:
  using Element = simdjson::dom::element;
  struct Fields;

  bool fault(const std::string& code, const JsonPlace& place, const std::string& message);
  void warn(const std::string& code, const JsonPlace& place, const std::string& message);

  bool decode_object(const Element& line);
  bool read_fields(const Element& line, Fields& fields);
  bool check_version(const Fields& fields);
  bool read_input(const Element& value, bool is_old);
  bool read_target(const Element& value, const JsonPlace& place);
  bool read_kwargs(const Element& value, const JsonPlace& place);
  bool read_arguments(const Element& value, const JsonPlace& place);
  std::optional<Argument> argument(const Element& value, const JsonPlace& place);
  std::optional<Argument> tensor(Argument tuple, const JsonPlace& place);
  bool read_config(const Element& value, const JsonPlace& place, bool is_old);
  bool read_knobs(const Element& value, const JsonPlace& place);
  bool read_knob(const Element& value, const JsonPlace& place);
  bool read_result(const Element& value, const JsonPlace& place);
  bool read_costs(const Element& value, const JsonPlace& place);
  bool read_time(const Element& value, const JsonPlace& place, std::optional<double>& time,
                 bool& is_int);
  bool check_costs(std::vector<double> costs, const JsonPlace& place);
  KnobConfig& config() { return std::get<KnobConfig>(record_.config); }

  JsonLine json_;
  TuningRecord record_;
  std::vector<RecordIssue> issues_;
  std::map<std::string, std::vector<RecordIssue>, std::less<>> targets_;  ///< issues of each
};

}  // namespace opbench
