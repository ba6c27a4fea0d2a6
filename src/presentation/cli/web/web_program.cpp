#include "presentation/cli/web/web_program.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/files/file.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBundleVariable = "OPBENCH_WEB_BUNDLE";

/// The front end: of an installed program, else of a build folder.
fs::path bundle_folder() {
  const fs::path home = executable_folder().parent_path();
  const fs::path installed = home / "lib/opbench/web";
  return fs::exists(installed / "index.html") ? installed : home / "web";
}

bool is_built(const fs::path& program, const fs::path& bundle) {
  return fs::exists(program) && fs::exists(bundle / "index.html");
}

/// `./dev web` of the checkout that this program was built in.
Result<void> build_pages(const fs::path& program, Terminal& terminal) {
  const fs::path dev = executable_folder().parent_path().parent_path() / "dev";
  if (!fs::exists(dev)) {
    return Error{ErrorCode::kEnvironment,
                 fmt::format("\"{}\" is not there, which serves the pages", program.string())}
        .with("try", "./dev install again");
  }
  terminal.err << "opbench: building the pages (once, about a minute)\n" << std::flush;
  const pid_t child = fork();
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl(dev.c_str(), dev.c_str(), "web", nullptr);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
    return Error{ErrorCode::kEnvironment, "the pages could not be built"}.with("see", "./dev web");
  }
  return {};
}

/// A file in memory as stdin: the next program reads the settings there.
Result<void> hand_over(const std::string& text) {
  const int file = memfd_create("opbench-web-settings", 0);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      lseek(file, 0, SEEK_SET) != 0 || dup2(file, STDIN_FILENO) < 0) {
    return Error{ErrorCode::kSystem, "no room for the settings of the pages"};
  }
  close(file);
  return {};
}

}  // namespace

Result<void> start_web_program(WebSettings settings, Terminal& terminal) {
  const fs::path program = executable_folder() / "opbench-web";
  const char* const other = std::getenv(kBundleVariable);
  const auto bundle = [&] { return other != nullptr ? fs::path(other) : bundle_folder(); };
  if (!is_built(program, bundle())) OPBENCH_CHECK(build_pages(program, terminal));
  settings.bundle = bundle().string();
  OPBENCH_CHECK(hand_over(text_of_settings(settings)));
  execl(program.c_str(), program.c_str(), nullptr);
  return Error{ErrorCode::kEnvironment,
               fmt::format("\"{}\" does not start: {}", program.string(), std::strerror(errno))};
}

}  // namespace opbench
