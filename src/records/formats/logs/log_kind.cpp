#include <simdjson.h>

#include <algorithm>

#include "records/formats/line_records.h"

namespace opbench {
namespace {

namespace dom = simdjson::dom;

int count_of(const dom::object& object, std::initializer_list<const char*> names) {
  int count = 0;
  for (const char* name : names) {
    if (object[name].error() == simdjson::SUCCESS) ++count;
  }
  return count;
}

LogKind kind_of_object(const dom::object& object) {
  // The protobuf form has some of the keys too, and these two.
  if (count_of(object, {"target", "task"}) == 2) return LogKind::kOther;
  if (count_of(object, {"input", "config", "result", "version", "tvm_version"}) >= 2 &&
      count_of(object, {"input", "config", "result"}) >= 1) {
    return LogKind::kAutotvm;
  }
  if (count_of(object, {"i", "r", "v"}) < 2) return LogKind::kOther;
  const bool is_ansor = object["v"].is_string() || object["i"].at(0).is_array();
  return is_ansor ? LogKind::kAnsor : LogKind::kAutotvm;
}

/// Of a line that is cut, or longer than the head.
LogKind kind_of_begin(std::string_view line) {
  std::string begin;
  constexpr size_t kEnough = 40;
  for (const char c : line.substr(0, 2 * kEnough)) {
    if (c != ' ' && begin.size() < kEnough) begin += c;
  }
  if (begin.starts_with("{\"i\":[[") || begin.starts_with("{\"v\":\"v0.")) return LogKind::kAnsor;
  for (const char* known :
       {"{\"input\":[\"", "{\"config\":{\"", "{\"result\":[[", "{\"i\":[\"", "{\"v\":0.1,"}) {
    if (begin.starts_with(known)) return LogKind::kAutotvm;
  }
  return LogKind::kOther;
}

/// A column of base64 that begins as Python's pickles do.
bool is_pickled(std::string_view line) {
  const auto tabs = std::ranges::count(line, '\t');
  if ((tabs != 3 && tabs != 5) || line.find('{') != std::string_view::npos) return false;
  for (size_t at = line.find('\t'); at != std::string_view::npos; at = line.find('\t', at + 1)) {
    const std::string_view column = line.substr(at + 1);
    if (column.starts_with("gA") || column.starts_with("KG") || column.starts_with("KF")) {
      return true;
    }
  }
  return false;
}

LogKind kind_of_line(std::string_view line, dom::parser& parser) {
  if (is_pickled(line)) return LogKind::kAutotvm;
  const size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || line[first] != '{') return LogKind::kOther;
  dom::object object;
  if (parser.parse(line).get(object) == simdjson::SUCCESS) return kind_of_object(object);
  return kind_of_begin(line.substr(first));
}

}  // namespace

LogKind log_kind_of(std::string_view head) {
  dom::parser parser;
  while (!head.empty()) {
    const std::string_view line = head.substr(0, head.find('\n'));
    const LogKind kind = line.starts_with('#') ? LogKind::kOther : kind_of_line(line, parser);
    if (kind != LogKind::kOther) return kind;
    head.remove_prefix(std::min(line.size() + 1, head.size()));
  }
  return LogKind::kOther;
}

}  // namespace opbench
