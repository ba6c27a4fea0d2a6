#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "base/files/file.h"
#include "base/numbers/number.h"
#include "presentation/access/access_rules.h"
#include "presentation/access/web_settings.h"
#include "presentation/cli/command.h"
#include "presentation/cli/options/store_option.h"
#include "presentation/cli/web/web_program.h"
#include "records/store/store_folder.h"

namespace opbench {
namespace {

constexpr const char* kTokenVariable = "OPBENCH_WEB_TOKEN";
constexpr size_t kShortestToken = 16;

Result<int> port_of(const Arguments& arguments) {
  constexpr int64_t kHighest = 65535;
  const std::string text = arguments.value("--port");
  const auto port = parse_integer(text);
  if (port && *port >= 0 && *port <= kHighest) return static_cast<int>(*port);
  return invalid_input(fmt::format("--port takes a port, not \"{}\"", text))
      .with("valid", "1 to 65535; 0: a free one");
}

/// --token, the first line of --token-file, or $OPBENCH_WEB_TOKEN.
Result<std::string> token_of(const Arguments& arguments) {
  std::string token = arguments.value("--token");
  if (arguments.has("--token-file")) {
    if (!token.empty()) return invalid_input("--token and --token-file say the same thing");
    OPBENCH_TRY(token, read_file(arguments.value("--token-file")));
    token = token.substr(0, token.find_first_of("\r\n"));
  }
  const char* const kept = std::getenv(kTokenVariable);
  const bool has_file = arguments.has("--token-file");
  if (token.empty() && !has_file && kept != nullptr) token = kept;
  const bool is_plain = token.find_first_not_of(
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                            "0123456789-_") == std::string::npos;
  if ((token.empty() && !has_file) || (is_plain && token.size() >= kShortestToken)) return token;
  Error error = invalid_input(is_plain ? fmt::format("the token has {} characters", token.size())
                                       : "the token holds characters that a URL cannot");
  if (has_file) {
    error = std::move(error).with("in", arguments.value("--token-file"));
  }
  return std::move(error)
      .with("needed", fmt::format("at least {} letters, digits, - and _", kShortestToken))
      .with("for instance", "openssl rand -hex 16");
}

Result<void> check_listen(const std::string& address, const std::string& token) {
  if (is_loopback(address) || !token.empty()) return {};
  return invalid_input(
             fmt::format("--listen {} lets others in, and no token keeps them out", address))
      .with("needed", fmt::format("--token-file FILE, --token TEXT or ${}", kTokenVariable))
      .with("without a token", "127.0.0.1, ::1 and localhost");
}

Result<std::filesystem::path> web_store_of(const Arguments& arguments) {
  OPBENCH_TRY(const std::filesystem::path folder, store_folder_of(arguments));
  // Before the first measurement there is no store yet, and the pages say what fills it.
  if (!arguments.is_typed("--store")) OPBENCH_CHECK(make_writable_folder(folder));
  OPBENCH_CHECK(StoreFolder::open_to_read(folder));
  return folder;
}

Result<void> run_web(const Invocation& invocation, Terminal& terminal) {
  const Arguments& arguments = invocation.arguments;
  WebSettings settings{.address = arguments.value("--listen"),
                       .export_folder = arguments.value("--export"),
                       .is_quiet = terminal.is_quiet};
  OPBENCH_TRY(settings.port, port_of(arguments));
  OPBENCH_TRY(settings.token, token_of(arguments));
  OPBENCH_CHECK(check_listen(settings.address, settings.token));
  OPBENCH_TRY(settings.store, web_store_of(arguments));
  return start_web_program(std::move(settings), terminal);
}

std::vector<OptionDef> web_options() {
  return {{.name = "--port",
           .value_name = "PORT",
           .help = "that it listens on; 0: a free one",
           .otherwise = "8017"},
          {.name = "--listen",
           .value_name = "ADDRESS",
           .help = "of this machine; beyond loopback only with a token",
           .otherwise = "127.0.0.1"},
          {.name = "--token",
           .value_name = "TEXT",
           .help = "that who asks must know",
           .is_settable = false},
          {.name = "--token-file",
           .value_name = "FILE",
           .help = "its first line is the token, which other users then do not see",
           .file = FileUse::kRead},
          {.name = "--export",
           .value_name = "FOLDER",
           .help = "write the pages as files, which need no server and no network",
           .is_settable = false},
          store_option()};
}

}  // namespace

CommandDef web_command() {
  return {.name = "web",
          .summary = "Show what the store holds in a browser: comparisons, histories, models",
          .options = web_options(),
          .examples = {{"opbench web", "on http://127.0.0.1:8017/, until Ctrl-C"},
                       {"opbench web --export site/", "the same pages as files"},
                       {"opbench web --listen 0.0.0.0 --token-file token", "for other machines"}},
          .notes = "The first call builds the pages. $OPBENCH_WEB_TOKEN is a token too.",
          .run = run_web};
}

}  // namespace opbench
