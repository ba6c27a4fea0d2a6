#include "records/formats/protobuf/protobuf_argument.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/wrappers.pb.h>
#include <proto/tuning_record.pb.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "records/json/utf8_text.h"

namespace opbench {
namespace {

namespace pb = google::protobuf;
namespace wire = autotvm::log;

/// Whether all are integers within the type.
template <class T>
bool are_integers(const std::vector<Argument>& items) {
  return std::ranges::all_of(items, [](const Argument& item) {
    return item.kind == ArgumentKind::kInt && std::in_range<T>(item.integer);
  });
}

bool are_texts(const std::vector<Argument>& items) {
  return std::ranges::all_of(
      items, [](const Argument& item) { return item.kind == ArgumentKind::kString; });
}

template <class T, class Field>
void add_integers(const std::vector<Argument>& items, Field& field) {
  for (const Argument& item : items) field.Add(static_cast<T>(item.integer));
}

template <class Field>
Argument tuple_of_integers(const Field& field) {
  Argument tuple = Argument::of_tuple({});
  for (const auto value : field) tuple.items.push_back(Argument::of_int(value));
  return tuple;
}

/// False when the value is none that the draft has a place for.
bool write_plain_knob(const KnobValue& knob, wire::Entity& message) {
  if (knob.kind == "ot") {
    write_argument(knob.value, *message.mutable_other_option()->mutable_typed());
    return true;
  }
  if (knob.value.kind != ArgumentKind::kTuple) return false;
  const std::vector<Argument>& items = knob.value.items;
  if (knob.kind == "sp" && are_integers<int32_t>(items)) {
    add_integers<int32_t>(items, *message.mutable_split()->mutable_size());
  } else if (knob.kind == "re" && are_integers<uint32_t>(items)) {
    add_integers<uint32_t>(items, *message.mutable_reorder()->mutable_order());
  } else if (knob.kind == "an" && are_texts(items)) {
    wire::AnnotateEntity& annotate = *message.mutable_annotate();
    for (const Argument& item : items) annotate.add_annotations(to_utf8(item.text));
  } else if (knob.kind == "an" && are_integers<int32_t>(items)) {
    add_integers<int32_t>(items, *message.mutable_annotate()->mutable_anchors());
  } else {
    return false;
  }
  return true;
}

Argument read_annotations(const wire::AnnotateEntity& message) {
  if (message.anchors_size() > 0) return tuple_of_integers(message.anchors());
  Argument tuple = Argument::of_tuple({});
  for (const std::string& text : message.annotations()) {
    tuple.items.push_back(Argument::of_string(text));
  }
  return tuple;
}

Argument read_tuple(const wire::Tuple& message, const std::string& path,
                    std::vector<RecordIssue>& issues) {
  Argument tuple = Argument::of_tuple({});
  const auto place = [&] { return path + "[" + std::to_string(tuple.items.size()) + "]"; };
  for (const pb::Any& value : message.values()) {
    tuple.items.push_back(read_any(value, place(), issues));
  }
  for (const wire::Argument& item : message.items()) {
    tuple.items.push_back(read_argument(item, place(), issues));
  }
  return tuple;
}

/// Of JSON, whose numbers are all doubles: whole ones are integers.
Argument read_json_value(const pb::Value& value) {
  constexpr double kMostWhole = 9007199254740992;
  switch (value.kind_case()) {
    case pb::Value::kBoolValue:
      return Argument::of_bool(value.bool_value());
    case pb::Value::kStringValue:
      return Argument::of_string(value.string_value());
    case pb::Value::kNumberValue: {
      const double number = value.number_value();
      const bool is_whole = std::trunc(number) == number && std::abs(number) <= kMostWhole;
      return is_whole ? Argument::of_int(static_cast<int64_t>(number))
                      : Argument::of_double(number);
    }
    case pb::Value::kListValue: {
      Argument tuple = Argument::of_tuple({});
      for (const pb::Value& item : value.list_value().values()) {
        tuple.items.push_back(read_json_value(item));
      }
      return tuple;
    }
    default:
      return Argument::null();
  }
}

/// The message inside when it is of this type; its argument is stored.
template <class Message, class Convert>
bool unpack(const pb::Any& any, Argument& result, Convert convert) {
  Message message;
  if (!any.Is<Message>() || !any.UnpackTo(&message)) return false;
  result = convert(message);
  return true;
}

bool unpack_scalar(const pb::Any& any, Argument& result) {
  const auto integer = [](const auto& message) { return Argument::of_int(message.value()); };
  const auto real = [](const auto& message) {
    return Argument::of_double(static_cast<double>(message.value()));
  };
  return unpack<pb::Int64Value>(any, result, integer) ||
         unpack<pb::Int32Value>(any, result, integer) ||
         unpack<pb::UInt32Value>(any, result, integer) ||
         unpack<pb::UInt64Value>(any, result,
                                 [](const auto& message) {
                                   if (std::in_range<int64_t>(message.value())) {
                                     return Argument::of_int(static_cast<int64_t>(message.value()));
                                   }
                                   return Argument{.kind = ArgumentKind::kBigInt,
                                                   .text = std::to_string(message.value())};
                                 }) ||
         unpack<pb::BoolValue>(
             any, result, [](const auto& message) { return Argument::of_bool(message.value()); }) ||
         unpack<pb::StringValue>(
             any, result,
             [](const auto& message) { return Argument::of_string(message.value()); }) ||
         unpack<pb::DoubleValue>(any, result, real) || unpack<pb::FloatValue>(any, result, real);
}

}  // namespace

void write_tensor(const Argument& argument, wire::Tensor& message) {
  message.set_dtype(to_utf8(argument.text));
  if (are_integers<uint32_t>(argument.items)) {
    add_integers<uint32_t>(argument.items, *message.mutable_shape());
  } else {
    for (const Argument& extent : argument.items) write_argument(extent, *message.add_dims());
  }
  for (const Argument& item : argument.trailing) write_argument(item, *message.add_trailing());
}

void write_argument(const Argument& argument, wire::Argument& message) {
  switch (argument.kind) {
    case ArgumentKind::kNull:
      return message.set_null_value(pb::NULL_VALUE);
    case ArgumentKind::kBool:
      return message.set_bool_value(argument.flag);
    case ArgumentKind::kInt:
      return message.set_int_value(argument.integer);
    case ArgumentKind::kBigInt:
      return message.set_big_int(to_utf8(argument.text));
    case ArgumentKind::kDouble:
      return message.set_double_value(argument.real);
    case ArgumentKind::kString:
      return message.set_value(to_utf8(argument.text));
    case ArgumentKind::kSymbol:
      return message.set_symbol(to_utf8(argument.text));
    case ArgumentKind::kTensor:
      return write_tensor(argument, *message.mutable_tensor());
    case ArgumentKind::kTuple:
      wire::Tuple& tuple = *message.mutable_tuple();
      for (const Argument& item : argument.items) write_argument(item, *tuple.add_items());
  }
}

void write_knob(const KnobValue& knob, wire::Entity& message) {
  message.set_knob_name(to_utf8(knob.name));
  if (write_plain_knob(knob, message)) return;
  message.set_raw_kind(to_utf8(knob.kind));
  write_argument(knob.value, *message.mutable_raw_value());
}

Argument read_any(const pb::Any& message, const std::string& path,
                  std::vector<RecordIssue>& issues) {
  Argument result;
  const auto list = [](const pb::ListValue& value) {
    pb::Value whole;
    *whole.mutable_list_value() = value;
    return read_json_value(whole);
  };
  const bool is_read =
      unpack_scalar(message, result) || unpack<pb::ListValue>(message, result, list) ||
      unpack<pb::Value>(message, result, read_json_value) ||
      unpack<wire::Argument>(
          message, result, [&](const auto& inner) { return read_argument(inner, path, issues); }) ||
      unpack<wire::Tensor>(message, result,
                           [&](const auto& inner) { return read_tensor(inner, path, issues); }) ||
      unpack<wire::Tuple>(message, result,
                          [&](const auto& inner) { return read_tuple(inner, path, issues); });
  if (!is_read) {
    issues.push_back({"E_ARG", path, "no value can be read from a \"" + message.type_url() + "\""});
  }
  return result;
}

Argument read_tensor(const wire::Tensor& message, const std::string& path,
                     std::vector<RecordIssue>& issues) {
  Argument tensor = tuple_of_integers(message.shape());
  tensor.kind = ArgumentKind::kTensor;
  tensor.text = message.dtype();
  for (const wire::Argument& extent : message.dims()) {
    tensor.items.push_back(read_argument(extent, path, issues));
  }
  for (const wire::Argument& item : message.trailing()) {
    tensor.trailing.push_back(read_argument(item, path, issues));
  }
  return tensor;
}

Argument read_argument(const wire::Argument& message, const std::string& path,
                       std::vector<RecordIssue>& issues) {
  switch (message.arg_case()) {
    case wire::Argument::kTensor:
      return read_tensor(message.tensor(), path, issues);
    case wire::Argument::kTuple:
      return read_tuple(message.tuple(), path, issues);
    case wire::Argument::kValue:
      return Argument::of_string(message.value());
    case wire::Argument::kIntValue:
      return Argument::of_int(message.int_value());
    case wire::Argument::kDoubleValue:
      return Argument::of_double(message.double_value());
    case wire::Argument::kBoolValue:
      return Argument::of_bool(message.bool_value());
    case wire::Argument::kNullValue:
      return Argument::null();
    case wire::Argument::kBigInt:
      return {.kind = ArgumentKind::kBigInt, .text = message.big_int()};
    case wire::Argument::kSymbol:
      return {.kind = ArgumentKind::kSymbol, .text = message.symbol()};
    case wire::Argument::ARG_NOT_SET:
      break;
  }
  issues.push_back({"E_ARG", path, "the argument has no value"});
  return Argument::null();
}

KnobValue read_knob(const wire::Entity& message, const std::string& path,
                    std::vector<RecordIssue>& issues) {
  KnobValue knob{.name = message.knob_name()};
  switch (message.entity_case()) {
    case wire::Entity::kSplit:
      knob.kind = "sp";
      knob.value = tuple_of_integers(message.split().size());
      return knob;
    case wire::Entity::kReorder:
      knob.kind = "re";
      knob.value = tuple_of_integers(message.reorder().order());
      return knob;
    case wire::Entity::kAnnotate:
      knob.kind = "an";
      knob.value = read_annotations(message.annotate());
      return knob;
    case wire::Entity::kOtherOption:
      knob.kind = "ot";
      knob.value = message.other_option().has_value() && !message.other_option().has_typed()
                       ? read_any(message.other_option().value(), path, issues)
                       : read_argument(message.other_option().typed(), path, issues);
      return knob;
    case wire::Entity::ENTITY_NOT_SET:
      break;
  }
  knob.kind = message.raw_kind();
  if (message.has_raw_value()) {
    knob.value = read_argument(message.raw_value(), path, issues);
  } else {
    issues.push_back({"E_KNOB_KIND", path, "the knob \"" + knob.name + "\" has no value"});
  }
  return knob;
}

}  // namespace opbench
