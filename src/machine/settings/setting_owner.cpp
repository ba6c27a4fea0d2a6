#include <unistd.h>

#include <sstream>

#include "base/numbers/number.h"
#include "machine/facts/facts.h"
#include "machine/settings/setting_journal.h"

namespace opbench {
namespace {

/// The state letter and the start of a process: the third and the 22nd field of its line, counted
/// after the name, which may hold spaces and brackets.
struct ProcessLine {
  std::string state;
  int64_t start = 0;
};

std::optional<ProcessLine> process_line(int64_t process) {
  const auto text = read_text("/proc/" + std::to_string(process) + "/stat");
  const size_t end = text ? text->rfind(')') : std::string::npos;
  if (end == std::string::npos) return {};
  constexpr int kStartField = 22;
  std::istringstream fields(text->substr(end + 1));
  ProcessLine line;
  fields >> line.state;
  std::string field;
  for (int i = 4; i <= kStartField; ++i) fields >> field;
  line.start = parse_integer(field).value_or(0);
  return line;
}

std::string this_boot() { return read_text("/proc/sys/kernel/random/boot_id").value_or(""); }

}  // namespace

SettingOwner this_process() { return owner_of(::getpid()); }

SettingOwner owner_of(int64_t process) {
  SettingOwner owner{.process = process, .boot = this_boot()};
  if (const auto line = process_line(owner.process)) owner.start = line->start;
  return owner;
}

bool is_alive(const SettingOwner& owner) {
  if (owner.boot != this_boot()) return false;
  const auto line = process_line(owner.process);
  if (!line) return false;
  const bool has_ended = line->state == "Z" || line->state == "X" || line->state == "x";
  return !has_ended && line->start == owner.start;
}

}  // namespace opbench
