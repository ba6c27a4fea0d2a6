#include "presentation/cli/regress/annotation_commands.h"

namespace opbench {
namespace {

Result<void> acknowledge_alert(const Invocation& invocation, Terminal& terminal) {
  return keep_word_on_alert(AnnotationVerb::kAcknowledge, invocation, terminal);
}

}  // namespace

CommandDef regress_acknowledge_command() {
  return annotation_command(AnnotationVerb::kAcknowledge, "Say that somebody looks at an alert",
                            acknowledge_alert);
}

}  // namespace opbench
