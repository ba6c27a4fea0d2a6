#include "engines/runtime/program_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

#include "base/json/json_text.h"

namespace opbench {
namespace {

/// Writes JSON as text: a tree of it in memory would take most of the time to make a package for
/// other extents.
class ProgramText {
 public:
  explicit ProgramText(const Program& program) : program_(program) {}

  std::string text() && {
    add(R"({{"schema":"{}","model":{},"arena_bytes":{},"weight_bytes":{})", schema_of(program_),
        quoted(program_.model), program_.arena_bytes, program_.weight_bytes);
    if (program_.has_device()) add(R"(,"device_arena_bytes":{})", program_.device_arena_bytes);
    add(R"(,"inputs":{},"outputs":{},"slots":)", list(program_.inputs), list(program_.outputs));
    add_all(program_.slots);
    add(R"(,"steps":)");
    add_all(program_.steps);
    if (!program_.teams.steps.empty()) {
      add(R"(,"teams":{{"workers":{},"steps":)", program_.teams.workers);
      add_all(program_.teams.steps);
      add("}}");
    }
    add("}}");
    return std::move(text_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, const Args&... values) {
    fmt::vformat_to(std::back_inserter(text_), format, fmt::make_format_args(values...));
  }

  static std::string quoted(const std::string& text) { return json_text(Json(text)); }

  template <class T>
  static std::string list(const std::vector<T>& values) {
    return fmt::format("[{}]", fmt::join(values, ","));
  }

  template <class T>
  void add_all(const std::vector<T>& items) {
    char before = '[';
    for (const T& item : items) {
      text_ += before;
      add_item(item);
      before = ',';
    }
    text_ += items.empty() ? "[]" : "]";
  }

  void add_item(const Slot& slot) {
    add(R"({{"name":{},"data_type":"{}","shape":{},"physical":{},"block":{})", quoted(slot.name),
        name_of(slot.type.data_type), list(slot.type.shape), list(slot.physical),
        slot.layout.block);
    add(R"(,"storage":"{}","offset":{},"bytes":{})",
        slot.storage == Storage::kArena ? "arena" : "weights", slot.offset, slot.bytes);
    if (slot.scope == MemoryScope::kDevice) add(R"(,"scope":"device")");
    add("}}");
  }

  void add_item(const Step& step) {
    add(R"({{"unit":{},"symbol":"{}","workload":{},"arguments":{},"results":{})", step.unit,
        step.symbol, quoted(step.workload), list(step.arguments), list(step.results));
    add(R"(,"needs":{},"reuses":{})", list(step.needs), list(step.reuses));
    if (step.repeat != CallRepeat{}) {
      add(R"(,"repeat":{{"count":{},"backward":{},"moving":{},"feeds":)", step.repeat.count,
          step.repeat.is_backward, list(step.repeat.moving));
      add_all(step.repeat.feeds);
      add("}}");
    }
    if (step.runs_on == MemoryScope::kDevice) add(R"(,"runs_on":"device")");
    if (step.copy != StepCopy::kNone) {
      add(R"(,"copy":"{}")", step.copy == StepCopy::kToDevice ? "to_device" : "to_host");
    }
    add("}}");
  }

  void add_item(const CallRepeat::Feed& feed) {
    add(R"({{"from":{},"to":{}}})", feed.from, feed.to);
  }

  void add_item(const TeamStep& step) {
    add(R"({{"step":{},"workers":{},"waits":{}}})", step.step, list(step.workers),
        list(step.waits));
  }

  static const char* schema_of(const Program& program) {
    return program.has_device() ? kDeviceProgramSchema : kProgramSchema;
  }

  const Program& program_;
  std::string text_;
};

}  // namespace

std::string json_text_of(const Program& program) { return ProgramText(program).text(); }

}  // namespace opbench
