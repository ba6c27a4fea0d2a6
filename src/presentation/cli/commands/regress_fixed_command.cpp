#include "presentation/cli/regress/annotation_commands.h"

namespace opbench {
namespace {

Result<void> fixed_alert(const Invocation& invocation, Terminal& terminal) {
  return keep_word_on_alert(AnnotationVerb::kFixed, invocation, terminal);
}

}  // namespace

CommandDef regress_fixed_command() {
  return annotation_command(AnnotationVerb::kFixed, "Say that a regression is fixed", fixed_alert);
}

}  // namespace opbench
