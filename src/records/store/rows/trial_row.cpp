#include "records/store/rows/trial_row.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include <bit>
#include <cmath>

#include "base/json/json.h"
#include "records/json/python_json.h"

namespace opbench {
namespace {

constexpr double kTrialRowSentinel = 1e9;  ///< the cost of AutoTVM's failures

void append_json(std::string& text, const Argument& argument);

void append_items(std::string& text, const std::vector<Argument>& items) {
  text += '[';
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += ',';
    append_json(text, items[i]);
  }
  text += ']';
}

/// A knob's value: those of AutoTVM hold no tensors and no symbols.
void append_json(std::string& text, const Argument& argument) {
  if (argument.kind == ArgumentKind::kTuple) {
    append_items(text, argument.items);
  } else {
    append_python_argument(text, argument);
  }
}

/// Spaces separate knobs, so they are written as %20 inside a name.
void append_knob(std::string& text, const KnobValue& knob) {
  if (!text.empty()) text += ' ';
  for (const char c : knob.name) {
    if (c == ' ' || c == '%') {
      text += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  text += ':' + knob.kind;
}

bool has_exact_args(const std::vector<Argument>& items) {
  for (const Argument& item : items) {
    if (item.kind == ArgumentKind::kBool || item.kind == ArgumentKind::kDouble) return false;
    if (item.kind == ArgumentKind::kSymbol || !has_exact_args(item.items) ||
        !has_exact_args(item.trailing)) {
      return false;
    }
  }
  return true;
}

/// Whether the columns say all that the record says.
bool is_plain(const TuningRecord& record) {
  const auto* const config = std::get_if<KnobConfig>(&record.config);
  if (config == nullptr || config->code_hash) return false;
  std::vector<Argument> values;
  for (const NamedArgument& argument : record.arguments) values.push_back(argument.value);
  return record.origin.format == TuningFormat::kAutotvm02 && record.kwargs.empty() &&
         !record.template_key && !record.legacy_workload && record.extras_json.empty() &&
         has_exact_args(values) &&
         (record.result.error_no == 0 || record.result.failure_sentinel == kTrialRowSentinel);
}

bool is_in_writers_order(const TuningRecord& record) {
  return record.origin.key_order.empty() && record.origin.config_order.empty();
}

void append_bytes(std::string& buffer, const void* data, size_t size) {
  buffer.append(static_cast<const char*>(data), size);
}

void append_number(std::string& buffer, uint64_t number) {
  append_bytes(buffer, &number, sizeof number);
}

/// Null differs from empty.
void append_text(std::string& buffer, std::string_view text) {
  append_number(buffer, text.data() == nullptr ? UINT64_MAX : text.size());
  buffer += text;
}

}  // namespace

uint64_t workload_key_of(std::string_view task, std::string_view args) {
  return XXH3_64bits_withSeed(args.data(), args.size(), XXH3_64bits(task.data(), task.size()));
}

Id128 content_id(const TrialRow& row, std::string_view canonical_source, std::string& scratch) {
  scratch.clear();
  for (const std::string_view text :
       {row.target, row.task, row.args, row.knobs, row.knob_values, row.error_message,
        row.tvm_version, row.format, canonical_source}) {
    append_text(scratch, text);
  }
  append_number(scratch, row.config_index);
  append_number(scratch, row.costs_s.size());
  append_bytes(scratch, row.costs_s.data(), row.costs_s.size() * sizeof(double));
  append_number(scratch, static_cast<uint64_t>(row.error_no));
  append_number(scratch, std::bit_cast<uint64_t>(row.all_cost_s));
  append_number(scratch, std::bit_cast<uint64_t>(row.timestamp));
  append_number(scratch, static_cast<uint64_t>(row.number_forms) | (row.has_all_cost ? 256U : 0U) |
                             (row.has_timestamp ? 512U : 0U));
  const XXH128_hash_t hash = XXH3_128bits(scratch.data(), scratch.size());
  return {hash.high64, hash.low64};
}

Id128 occurrence_id(const Id128& content, int64_t occurrence) {
  if (occurrence == 0) return content;
  const uint64_t words[3] = {content.high, content.low, static_cast<uint64_t>(occurrence)};
  const XXH128_hash_t hash = XXH3_128bits(words, sizeof words);
  return {hash.high64, hash.low64};
}

TrialRow kept_in(TextArena& arena, const OwnedTrialRow& owned) {
  TrialRow row = owned.row;
  for (std::string_view* const text :
       {&row.target, &row.task, &row.args, &row.knobs, &row.knob_values, &row.error_message,
        &row.tvm_version, &row.source}) {
    if (text->data() != nullptr) *text = arena.copy(*text);
  }
  return row;
}

OwnedTrialRow trial_row(const TuningRecord& record, std::string_view line) {
  OwnedTrialRow owned;
  owned.texts.reserve(8);  // views into them stay valid
  const auto keep = [&](std::string text) -> std::string_view {
    return owned.texts.emplace_back(std::move(text));
  };
  TrialRow& row = owned.row;
  row.target = keep(record.target);
  row.task = keep(record.task);
  row.args = keep(arguments_key(record));
  row.workload_key = workload_key_of(row.task, row.args);
  if (const auto* const config = std::get_if<KnobConfig>(&record.config)) {
    row.config_index = config->index;
    std::string knobs, values = "[";
    for (const KnobValue& knob : config->knobs) {
      append_knob(knobs, knob);
      if (values.size() > 1) values += ',';
      append_json(values, knob.value);
    }
    row.knobs = keep(std::move(knobs));
    row.knob_values = keep(values + "]");
  }
  const TuningResult& result = record.result;
  row.costs_s = result.costs_s;
  row.mean_s = mean_cost(result.costs_s);
  row.error_no = result.error_no;
  if (!result.error_message.empty()) row.error_message = keep(result.error_message);
  row.has_all_cost = result.all_cost_s.has_value();
  row.all_cost_s = result.all_cost_s.value_or(0);
  row.has_timestamp = result.timestamp.has_value();
  row.timestamp = result.timestamp.value_or(0);
  row.number_forms =
      static_cast<uint8_t>((result.all_cost_is_int ? 1 : 0) | (result.timestamp_is_int ? 2 : 0));
  if (record.tvm_version) row.tvm_version = keep(*record.tvm_version);
  row.format = name_of(record.origin.format);
  row.line = record.origin.line;
  std::string canonical, scratch;
  if (!is_plain(record)) {
    const Json json = Json::parse(line, nullptr, false);
    canonical = json.is_discarded() ? std::string(line) : canonical_text(json);
  }
  if (!canonical.empty() || !is_in_writers_order(record)) row.source = keep(std::string(line));
  row.content = content_id(row, canonical.empty() ? std::string_view() : canonical, scratch);
  return owned;
}

}  // namespace opbench
