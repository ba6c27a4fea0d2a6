#include "presentation/cli/regress/annotation_commands.h"

namespace opbench {
namespace {

Result<void> ignore_alert(const Invocation& invocation, Terminal& terminal) {
  return keep_word_on_alert(AnnotationVerb::kIgnore, invocation, terminal);
}

}  // namespace

CommandDef regress_ignore_command() {
  return annotation_command(AnnotationVerb::kIgnore, "Say that an alert is noise", ignore_alert);
}

}  // namespace opbench
