#include "kernels/tasks/argument_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace opbench {
namespace {

std::string one_of(const std::vector<size_t>& counts) {
  return fmt::format("{}", fmt::join(counts, " or "));
}

/// Of 32 bits, as TVM's loop extents are: products of two of them cannot overflow.
bool is_integer(const Argument& argument) {
  return argument.kind == ArgumentKind::kInt && std::in_range<int32_t>(argument.integer);
}

/// The integers of a list, nothing if an item is something else.
std::optional<std::vector<int64_t>> integers_of(const std::vector<Argument>& items) {
  std::vector<int64_t> result;
  for (const Argument& item : items) {
    if (!is_integer(item)) return {};
    result.push_back(item.integer);
  }
  return result;
}

}  // namespace

const Argument* ArgumentReader::take(const std::string& name) {
  if (is_at_end()) {
    fault(fmt::format("argument {} ({}) is missing", next_ + 1, name));
    return nullptr;
  }
  return &arguments_[next_++];
}

void ArgumentReader::fault(const std::string& message) {
  if (!fault_) fault_ = Error{ErrorCode::kInvalidInput, message};
}

void ArgumentReader::refuse(const std::string& name, const std::string& wanted) {
  fault(fmt::format("argument {} ({}) is not {}", next_, name, wanted));
}

std::vector<int64_t> ArgumentReader::tensor(const std::string& name,
                                            const std::vector<size_t>& ranks, std::string* type) {
  std::vector<int64_t> unknown(ranks.front(), 1);
  const Argument* argument = take(name);
  if (argument == nullptr) return unknown;
  const auto extents =
      argument->kind == ArgumentKind::kTensor ? integers_of(argument->items) : std::nullopt;
  const bool fits = extents && std::ranges::find(ranks, extents->size()) != ranks.end() &&
                    std::ranges::all_of(*extents, [](int64_t extent) { return extent >= 1; });
  if (!fits) {
    refuse(name, fmt::format("a tensor of {} known extents", one_of(ranks)));
    return unknown;
  }
  if (type != nullptr) *type = argument->text;
  return *extents;
}

std::vector<int64_t> ArgumentReader::integers(const std::string& name,
                                              const std::vector<size_t>& lengths) {
  std::vector<int64_t> unknown(lengths.front(), 1);
  const Argument* argument = take(name);
  if (argument == nullptr) return unknown;
  std::optional<std::vector<int64_t>> values;
  if (argument->kind == ArgumentKind::kTuple) values = integers_of(argument->items);
  if (is_integer(*argument)) values = {argument->integer};
  if (!values || std::ranges::find(lengths, values->size()) == lengths.end()) {
    refuse(name, fmt::format("a list of {} integers of 32 bits", one_of(lengths)));
    return unknown;
  }
  return *values;
}

int64_t ArgumentReader::integer(const std::string& name) {
  const Argument* argument = take(name);
  if (argument == nullptr) return 1;
  if (is_integer(*argument)) return argument->integer;
  refuse(name, "an integer of 32 bits");
  return 1;
}

bool ArgumentReader::optional_flag(const std::string& name) {
  if (is_at_end()) return false;
  const Argument* argument = take(name);
  if (argument->kind == ArgumentKind::kBool) return argument->flag;
  if (argument->kind == ArgumentKind::kInt) return argument->integer != 0;
  refuse(name, "true or false");
  return false;
}

void ArgumentReader::skip() {
  if (!is_at_end()) ++next_;
}

Result<void> ArgumentReader::finish() const {
  if (fault_) return *fault_;
  if (!is_at_end()) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("{} arguments, of which {} are known", arguments_.size(), next_)};
  }
  return {};
}

}  // namespace opbench
