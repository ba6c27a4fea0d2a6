#pragma once

#include <string>

#include "experiments/regress/annotations.h"
#include "presentation/cli/command.h"

namespace opbench {

/// A command that keeps a person's word on an alert: `opbench regress accept ALERT --suite FILE`.
CommandDef annotation_command(AnnotationVerb verb, const std::string& summary,
                              Result<void> (*run)(const Invocation&, Terminal&));

/// What it does.
Result<void> keep_word_on_alert(AnnotationVerb verb, const Invocation& invocation,
                                Terminal& terminal);

}  // namespace opbench
