#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "records/formats/logs/log_decoder.h"

namespace opbench {

/// What decode_autotvm() says, for many lines.
class AutotvmDecoder : private LogDecoder {
 public:
  DecodedLine decode(std::string_view line);

 private:
  struct Fields;

  bool decode_object(const Element& line);
  bool read_fields(const Element& line, Fields& fields);
  bool check_version(const Fields& fields);
  bool read_input(const Element& value, bool is_old);
  bool read_kwargs(const Element& value, const JsonPlace& place);
  bool read_arguments(const Element& value, const JsonPlace& place);
  std::optional<Argument> argument(const Element& value, const JsonPlace& place);
  std::optional<Argument> tensor(Argument tuple, const JsonPlace& place);
  bool read_config(const Element& value, const JsonPlace& place, bool is_old);
  bool read_knobs(const Element& value, const JsonPlace& place);
  bool read_knob(const Element& value, const JsonPlace& place);
  KnobConfig& config() { return std::get<KnobConfig>(record_.config); }
};

}  // namespace opbench
