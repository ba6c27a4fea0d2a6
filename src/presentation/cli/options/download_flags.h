#pragma once

#include <vector>

#include "experiments/sessions/request/profile_request.h"
#include "model/download/download_options.h"
#include "presentation/cli/arguments.h"
#include "presentation/cli/terminal.h"

namespace opbench {

/// --sha256, --max-download and --download-timeout: of commands that take a model, whose file may
/// come from a URL.
std::vector<OptionDef> download_flags();

/// What they say. `kInvalidInput` for any value that cannot be.
Result<DownloadOptions> download_options_of(const Arguments& arguments);

/// The same for a request.
Result<void> set_download(const Arguments& arguments, ProfileRequest& request);

/// Shows on the terminal how far a request's model has come; for requests that show nothing else.
void show_download(ProfileRequest& request, Terminal& terminal);

}  // namespace opbench
