#include "presentation/cli/regress/annotation_commands.h"

namespace opbench {
namespace {

Result<void> nudge_alert(const Invocation& invocation, Terminal& terminal) {
  return keep_word_on_alert(AnnotationVerb::kNudge, invocation, terminal);
}

}  // namespace

CommandDef regress_nudge_command() {
  return annotation_command(AnnotationVerb::kNudge, "Move an alert by a night or more",
                            nudge_alert);
}

}  // namespace opbench
