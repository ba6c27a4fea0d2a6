#include "kernels/loops/config_reader.h"

#include <algorithm>

namespace opbench {

const Argument* ConfigReader::find(const std::string& knob, ArgumentKind kind) {
  const auto found = std::ranges::find(config_.knobs, knob, &KnobValue::name);
  if (found != config_.knobs.end() && found->value.kind == kind) return &found->value;
  return nullptr;
}

void ConfigReader::fault(const std::string& knob) {
  if (!fault_) fault_ = knob;
}

int64_t ConfigReader::size(const std::string& knob, size_t part) {
  const Argument* value = find(knob, ArgumentKind::kTuple);
  if (value != nullptr && part < value->items.size() && value->items[part].integer >= 1) {
    return value->items[part].integer;
  }
  fault(knob);
  return 1;
}

int64_t ConfigReader::last_size(const std::string& knob) {
  const Argument* value = find(knob, ArgumentKind::kTuple);
  return size(knob, value == nullptr || value->items.empty() ? 0 : value->items.size() - 1);
}

int64_t ConfigReader::option(const std::string& knob) {
  if (const Argument* value = find(knob, ArgumentKind::kBool)) return value->flag ? 1 : 0;
  if (const Argument* value = find(knob, ArgumentKind::kInt)) return value->integer;
  fault(knob);
  return 1;
}

Result<void> ConfigReader::finish() const {
  if (!fault_) return {};
  return Error{ErrorCode::kInvalidInput,
               "the config has no knob \"" + *fault_ + "\" of its template"};
}

}  // namespace opbench
