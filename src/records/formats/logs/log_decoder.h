#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/formats/logs/tuning_codec.h"
#include "records/json/json_line.h"

namespace opbench {

/// What decoders of tuning logs share: one is kept for many lines, with its memory and what it
/// found out of targets. The functions return whether the record can still be good.
class LogDecoder {
 protected:
  using Element = simdjson::dom::element;

  void begin();
  DecodedLine end(bool is_good);

  /// Notes an error; false.
  bool fault(const std::string& code, const JsonPlace& place, const std::string& message);
  /// Notes an `E_…` that does not make the record bad.
  void warn(const std::string& code, const JsonPlace& place, const std::string& message);

  bool read_target(const Element& value, const JsonPlace& place);
  /// Notes what parse_tvm_target() says of record_.target.
  bool check_target(const JsonPlace& place);
  /// [costs, error_no, all_cost, timestamp]
  bool read_result(const Element& value, const JsonPlace& place);

  JsonLine json_;
  TuningRecord record_;
  std::vector<RecordIssue> issues_;

 private:
  bool read_costs(const Element& value, const JsonPlace& place);
  bool check_costs(std::vector<double> costs, const JsonPlace& place);
  bool read_time(const Element& value, const JsonPlace& place, std::optional<double>& time,
                 bool& is_int);

  std::map<std::string, std::vector<RecordIssue>, std::less<>> targets_;  ///< issues of each
};

}  // namespace opbench
