#include "records/store/import/autotvm_scanner.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "records/store/import/scan_text.h"

namespace opbench {
namespace {

constexpr int kDeepest = 16;

/// A whole number as JSON writes it, copied as it stands.
bool copy_integer(const char*& at, char*& out, int64_t& value) {
  const bool is_negative = *at == '-';
  if (is_negative) *out++ = *at++;
  const char* const digits = at;
  value = 0;
  while (is_digit(*at) && at - digits <= kMostDigits) {
    value = value * 10 + (*at - '0');
    *out++ = *at++;
  }
  const auto count = at - digits;
  if (count == 0 || count > kMostDigits || (*digits == '0' && (count > 1 || is_negative))) {
    return false;
  }
  if (*at == '.' || *at == 'e' || *at == 'E') return false;
  if (is_negative) value = -value;
  return true;
}

bool is_usual_dtype(std::string_view text) {
  constexpr std::array<std::string_view, 10> kUsual = {"float32", "float16", "int8",    "uint8",
                                                       "int32",   "int64",   "float64", "bool",
                                                       "int16",   "uint32"};
  return std::ranges::find(kUsual, text) != kUsual.end();
}

bool is_annotation(std::string_view text) {
  constexpr std::array<std::string_view, 3> kUsual = {"none", "unroll", "vec"};
  return std::ranges::find(kUsual, text) != kUsual.end();
}

/// `[-1, 2, 4]`: the first may be -1, the others are at least 1.
bool copy_split(const char*& at, char*& out) {
  if (*at != '[') return false;
  *out++ = *at++;
  for (int i = 0;; ++i) {
    int64_t value = 0;
    if (!copy_integer(at, out, value)) return false;
    if (value < 1 && !(i == 0 && value == -1)) return false;
    if (*at == ']') break;
    if (!take(at, ", ")) return false;
    *out++ = ',';
  }
  *out++ = *at++;
  return true;
}

/// A permutation of 0 to n - 1, n up to 64.
bool copy_order(const char*& at, char*& out) {
  if (*at != '[') return false;
  *out++ = *at++;
  uint64_t seen = 0;
  int count = 0;
  for (;; ++count) {
    int64_t value = 0;
    if (!copy_integer(at, out, value) || value < 0 || value > 63) return false;
    const uint64_t bit = uint64_t{1} << value;
    if ((seen & bit) != 0) return false;
    seen |= bit;
    if (*at == ']') break;
    if (!take(at, ", ")) return false;
    *out++ = ',';
  }
  *out++ = *at++;
  return (seen & (seen + 1)) == 0;
}

bool copy_annotations(const char*& at, char*& out) {
  if (*at != '[') return false;
  *out++ = *at++;
  while (true) {
    std::string_view word;
    if (!take(at, "\"") || !take_plain(at, word) || !is_annotation(word)) return false;
    *out++ = '"';
    put(out, word);
    *out++ = '"';
    if (*at == ']') break;
    if (!take(at, ", ")) return false;
    *out++ = ',';
  }
  *out++ = *at++;
  return true;
}

bool copy_option(const char*& at, char*& out) {
  int64_t value = 0;
  if (*at == 't' || *at == 'f') {
    const std::string_view word = *at == 't' ? "true" : "false";
    if (std::string_view(at, word.size()) != word) return false;
    put(out, word);
    at += word.size();
    return true;
  }
  if (*at != '"') return copy_integer(at, out, value);
  std::string_view word;
  ++at;
  if (!take_plain(at, word)) return false;
  *out++ = '"';
  put(out, word);
  *out++ = '"';
  return true;
}

/// s, r, a, o for the four kinds, 0 for another.
char kind_letter(std::string_view kind) {
  return kind == "sp" || kind == "re" || kind == "an" || kind == "ot" ? kind[0] : '\0';
}

}  // namespace

void AutotvmScanner::begin_chunk(TextArena& arena) {
  arena_ = &arena;
  ++chunk_;
  refresh_views();
}

/// What the last line with this task had; few tasks take turns in a log.
void AutotvmScanner::choose_knobs() {
  constexpr size_t kMostTasks = 64;
  if (knobs_of_task_.size() >= kMostTasks && !knobs_of_task_.contains(task_)) {
    knobs_of_task_.clear();
  }
  knobs_ = &knobs_of_task_[task_];
}

void AutotvmScanner::refresh_views() {
  target_view_ = arena_->copy(target_);
  task_view_ = arena_->copy(task_);
  args_view_ = arena_->copy(args_);
  tvm_version_view_ = arena_->copy(tvm_version_);
}

bool AutotvmScanner::scan_tensor(const char*& at, char*& out) {
  put(out, "[\"TENSOR\",[");
  if (!take(at, "[")) return false;
  while (true) {
    int64_t extent = 0;
    if (!copy_integer(at, out, extent) || extent < 1 || extent > INT32_MAX) return false;
    if (*at == ']') break;
    if (!take(at, ", ")) return false;
    *out++ = ',';
  }
  std::string_view dtype;
  if (!take(at, "], \"") || !take_plain(at, dtype) || !is_usual_dtype(dtype)) return false;
  put(out, "],\"");
  put(out, dtype);
  put(out, "\"]");
  return take(at, "]");
}

/// What is no list.
bool AutotvmScanner::scan_scalar(const char*& at, char*& out) {
  int64_t value = 0;
  if (*at == 'n') {
    put(out, "null");
    return take(at, "null");
  }
  if (*at != '"') return copy_integer(at, out, value);
  std::string_view text;
  ++at;
  if (!take_plain(at, text) || text == "TENSOR") return false;
  *out++ = '"';
  put(out, text);
  *out++ = '"';
  return true;
}

/// Items up to the closing bracket; the opening one is behind.
bool AutotvmScanner::scan_args(const char*& at, char*& out, int depth) {
  if (depth > kDeepest) return false;
  const bool is_empty = *at == ']';
  *out++ = '[';
  while (!is_empty) {
    if (take(at, "[\"TENSOR\", ")) {
      if (!scan_tensor(at, out)) return false;
    } else if (*at == '[') {
      ++at;
      if (!scan_args(at, out, depth + 1)) return false;
    } else if (!scan_scalar(at, out)) {
      return false;
    }
    if (*at == ']') break;
    if (!take(at, ", ")) return false;
    *out++ = ',';
  }
  *out++ = *at++;
  return true;
}

bool AutotvmScanner::scan_input(const char*& at) {
  if (!input_.empty() && static_cast<size_t>(end_ - at) > input_.size() &&
      std::memcmp(at, input_.data(), input_.size()) == 0) {
    at += input_.size();
    return true;
  }
  const char* const begin = at;
  input_.clear();
  std::string_view target, task;
  if (!take(at, "{\"input\": [\"") || !take_plain(at, target)) return false;
  if (!take(at, ", \"") || !take_plain(at, task) || task.empty() || !take(at, ", [")) return false;
  char* const room = arena_->reserve(line_bytes_);
  char* out = room;
  if (!scan_args(at, out, 0) || !take(at, ", {}], \"config\": ")) return false;
  const std::string_view args(room, static_cast<size_t>(out - room));
  if (args != args_ || task != task_) workload_key_ = workload_key_of(task, args);
  if (args != args_) args_view_ = arena_->keep(room, out);
  args_.assign(args);
  if (target != target_) target_view_ = arena_->copy(target);
  target_.assign(target);
  if (task != task_ || knobs_ == nullptr) {
    task_view_ = arena_->copy(task);
    task_.assign(task);
    choose_knobs();
  }
  input_.assign(begin, at);
  return true;
}

bool AutotvmScanner::scan_knob(const char*& at, size_t index, char*& out) {
  std::vector<std::string>& heads = knobs_->heads;
  const bool is_known = index < heads.size() &&
                        static_cast<size_t>(end_ - at) > heads[index].size() &&
                        std::memcmp(at, heads[index].data(), heads[index].size()) == 0;
  if (is_known) {
    at += heads[index].size();
  } else {
    const char* const begin = at;
    std::string_view name, kind;
    if (!take(at, "[\"") || !take_plain(at, name) || !take(at, ", \"")) return false;
    if (!take_plain(at, kind) || !take(at, ", ") || kind_letter(kind) == '\0') return false;
    if (name.empty() || name.find_first_of(" %") != std::string_view::npos) return false;
    heads.resize(index);
    knobs_->kinds.resize(index);
    heads.emplace_back(begin, at);
    knobs_->kinds.push_back(kind_letter(kind));
    knobs_->is_changed = true;
  }
  switch (knobs_->kinds[index]) {
    case 's':
      return copy_split(at, out);
    case 'r':
      return copy_order(at, out);
    case 'a':
      return copy_annotations(at, out);
    default:
      return copy_option(at, out);
  }
}

/// The line's knobs as a row has them: `["tile_f", "sp", ` is tile_f:sp.
std::string_view AutotvmScanner::names_of_knobs(size_t count) {
  Knobs& knobs = *knobs_;
  if (count < knobs.heads.size()) {
    knobs.heads.resize(count);
    knobs.kinds.resize(count);
    knobs.is_changed = true;
  }
  if (knobs.is_changed) {
    knobs.names.clear();
    for (const std::string& head : knobs.heads) {
      const size_t quote = head.find('"', 2);
      if (!knobs.names.empty()) knobs.names += ' ';
      knobs.names.append(head, 2, quote - 2).append(1, ':').append(head, quote + 4, 2);
    }
  }
  if (knobs.is_changed || knobs.view_chunk != chunk_) {
    knobs.view = arena_->copy(knobs.names);
    knobs.view_chunk = chunk_;
    knobs.is_changed = false;
  }
  return knobs.view;
}

bool AutotvmScanner::scan_config(const char*& at, TrialRow& row) {
  char number[32];
  char* ignored = number;
  int64_t index = 0;
  if (!take(at, "{\"index\": ") || !copy_integer(at, ignored, index) || index < 0) return false;
  if (!take(at, ", \"code_hash\": null, \"entity\": [")) return false;
  char* const room = arena_->reserve(line_bytes_);
  char* out = room;
  *out++ = '[';
  size_t count = 0;
  while (*at != ']') {
    if (count > 0) {
      if (!take(at, ", ")) return false;
      *out++ = ',';
    }
    if (!scan_knob(at, count, out) || !take(at, "]")) return false;
    ++count;
  }
  *out++ = ']';
  row.knob_values = arena_->keep(room, out);
  row.config_index = static_cast<uint64_t>(index);
  row.knobs = names_of_knobs(count);
  return take(at, "]}, \"result\": [[");
}

bool AutotvmScanner::scan(std::string_view line, TrialRow& row) {
  const char* at = line.data();
  end_ = at + line.size();
  line_bytes_ = line.size() + 64;
  if (!scan_input(at) || !scan_config(at, row) || !scan_result(at, row) || !scan_version(at, row)) {
    return false;
  }
  row.target = target_view_;
  row.task = task_view_;
  row.args = args_view_;
  row.workload_key = workload_key_;
  row.error_message = row.source = {};
  row.format = "autotvm-0.2";
  row.content = content_id(row, {}, scratch_);
  return true;
}

}  // namespace opbench
