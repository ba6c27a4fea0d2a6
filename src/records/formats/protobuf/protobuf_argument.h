#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/space/argument.h"
#include "records/json/record_grammar.h"
#include "records/record/tuning_record.h"

namespace autotvm::log {
class Argument;
class Entity;
class Tensor;
}  // namespace autotvm::log
namespace google::protobuf {
class Any;
}

/// Arguments and knobs as messages of proto/tuning_record.proto.
namespace opbench {

void write_argument(const Argument& argument, autotvm::log::Argument& message);
void write_tensor(const Argument& argument, autotvm::log::Tensor& message);
/// In the draft's own form when the value has one, else as the raw value.
void write_knob(const KnobValue& knob, autotvm::log::Entity& message);

/// The reverse of each. What cannot be read is an issue at `path` and null in the result: E_ARG,
/// for a knob E_KNOB_KIND.
Argument read_argument(const autotvm::log::Argument& message, const std::string& path,
                       std::vector<RecordIssue>& issues);
Argument read_tensor(const autotvm::log::Tensor& message, const std::string& path,
                     std::vector<RecordIssue>& issues);
KnobValue read_knob(const autotvm::log::Entity& message, const std::string& path,
                    std::vector<RecordIssue>& issues);
/// The draft's values: wrapper messages, lists, and messages of the schema.
Argument read_any(const google::protobuf::Any& message, const std::string& path,
                  std::vector<RecordIssue>& issues);

}  // namespace opbench
