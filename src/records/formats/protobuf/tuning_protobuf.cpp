#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>
#include <proto/tuning_record.pb.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "records/formats/logs/tuning_codec.h"
#include "records/formats/protobuf/tuning_message.h"

namespace opbench {
namespace {

namespace pb = google::protobuf;
namespace wire = autotvm::log;

/// Messages within messages; two a level of nested arguments.
constexpr int kDeepest = 1000;
/// Of arguments in JSON, where the library stops at 64 messages.
constexpr int kDeepestInJson = 24;
constexpr const char* kTypes = "type.googleapis.com";

/// With maps sorted, so that equal records have equal bytes.
std::string bytes_of(const wire::AutoTVMLog& message) {
  std::string bytes;
  {
    pb::io::StringOutputStream stream(&bytes);
    pb::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&coded);
  }
  return bytes;
}

DecodedLine decoded(const wire::AutoTVMLog& message) {
  DecodedLine line;
  line.record = read_tuning_message(message, line.issues);
  if (std::ranges::any_of(line.issues, &RecordIssue::is_error)) line.record.reset();
  return line;
}

int depth_of(const Argument& argument) {
  int deepest = 0;
  for (const Argument& item : argument.items) deepest = std::max(deepest, depth_of(item));
  for (const Argument& item : argument.trailing) deepest = std::max(deepest, depth_of(item));
  return deepest + 1;
}

int depth_of(const TuningRecord& record) {
  int deepest = record.legacy_workload ? depth_of(*record.legacy_workload) : 0;
  const auto look = [&](const Argument& argument) {
    deepest = std::max(deepest, depth_of(argument));
  };
  for (const NamedArgument& argument : record.arguments) look(argument.value);
  for (const NamedArgument& argument : record.kwargs) look(argument.value);
  if (const auto* knobs = std::get_if<KnobConfig>(&record.config)) {
    for (const KnobValue& knob : knobs->knobs) look(knob.value);
  } else if (const auto* ansor = std::get_if<AnsorConfig>(&record.config)) {
    for (const AnsorStep& step : ansor->steps) std::ranges::for_each(step.items, look);
  } else if (const auto& args = std::get<TraceConfig>(record.config).args_info) {
    std::ranges::for_each(*args, look);
  }
  return deepest;
}

const std::string& type_url() {
  static const std::string kUrl =
      std::string(kTypes) + "/" + wire::AutoTVMLog::descriptor()->full_name();
  return kUrl;
}

std::unique_ptr<pb::util::TypeResolver> new_resolver() {
  return std::unique_ptr<pb::util::TypeResolver>(
      pb::util::NewTypeResolverForDescriptorPool(kTypes, pb::DescriptorPool::generated_pool()));
}

}  // namespace

std::string encode_protobuf(const TuningRecord& record, const ProtobufOptions& options) {
  wire::AutoTVMLog message;
  write_tuning_message(record, options, message);
  return bytes_of(message);
}

DecodedLine decode_protobuf(std::string_view bytes) {
  wire::AutoTVMLog message;
  const auto too_long = bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max());
  if (!too_long) {
    const pb::LogSilencer silence;  // the library prints what it finds in strings
    pb::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                                    static_cast<int>(bytes.size()));
    stream.SetRecursionLimit(kDeepest);
    if (message.ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage()) {
      return decoded(message);
    }
  }
  return {{}, {{"E_PROTOBUF", "", "the bytes are no message AutoTVMLog"}}};
}

Result<std::string> encode_protobuf_json(const TuningRecord& record,
                                         const ProtobufOptions& options) {
  if (depth_of(record) > kDeepestInJson) {
    return Error{
        ErrorCode::kInvalidInput,
        "arguments nested more than " + std::to_string(kDeepestInJson) + " deep have no JSON form"};
  }
  pb::util::JsonPrintOptions print;
  print.always_print_primitive_fields = true;
  print.preserve_proto_field_names = true;
  std::string text;
  const auto status = pb::util::BinaryToJsonString(new_resolver().get(), type_url(),
                                                   encode_protobuf(record, options), &text, print);
  if (!status.ok()) {
    return Error{ErrorCode::kSystem, "the record has no JSON form"}.with("reason",
                                                                         status.ToString());
  }
  return text;
}

DecodedLine decode_protobuf_json(std::string_view line) {
  std::string bytes;
  const auto status = pb::util::JsonToBinaryString(
      new_resolver().get(), type_url(), pb::StringPiece(line.data(), line.size()), &bytes);
  if (status.ok()) return decode_protobuf(bytes);
  std::string reason = status.ToString();
  return {{}, {{"E_JSON", "", reason.substr(0, std::min(reason.find('\n'), size_t{200}))}}};
}

}  // namespace opbench
