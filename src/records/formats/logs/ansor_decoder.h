#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "records/formats/logs/log_decoder.h"

namespace opbench {

/// What decode_ansor() says, for many lines (docs/reference/formats.md, "Ansor logs"). Costs have
/// six digits there.
class AnsorDecoder : private LogDecoder {
 public:
  DecodedLine decode(std::string_view line);

 private:
  bool decode_object(const Element& line);
  bool read_version(const Element& value);
  bool read_input(const Element& value);
  bool read_task(const Element& value, const JsonPlace& place);
  bool read_task_rest(const std::vector<Element>& items, const JsonPlace& place);
  bool read_key(const std::string& key, const JsonPlace& place);
  bool read_state(const Element& value, const JsonPlace& place);
  bool read_step(const Element& value, const JsonPlace& place);
  AnsorConfig& config() { return std::get<AnsorConfig>(record_.config); }

  JsonLine key_json_;
};

}  // namespace opbench
