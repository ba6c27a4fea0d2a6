#include "presentation/cli/regress/annotation_commands.h"

namespace opbench {
namespace {

Result<void> accept_alert(const Invocation& invocation, Terminal& terminal) {
  return keep_word_on_alert(AnnotationVerb::kAccept, invocation, terminal);
}

}  // namespace

CommandDef regress_accept_command() {
  return annotation_command(AnnotationVerb::kAccept,
                            "Say that a change is wanted: the new time is the base from now on",
                            accept_alert);
}

}  // namespace opbench
