#include "experiments/sessions/request/fault_request.h"

#include <nlohmann/json.hpp>

#include <charconv>

namespace opbench {

void add_fault(const std::string& fault, Json& params) {
  const size_t split = fault.find('=');
  if (split == std::string::npos) return;
  int unit = -1;
  std::from_chars(fault.data(), fault.data() + split, unit);
  params["fault_unit"] = unit;
  params["fault"] = fault.substr(split + 1);
}

}  // namespace opbench
