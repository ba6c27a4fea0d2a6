#pragma once

#include <filesystem>
#include <string>

#include "base/errors/error.h"

namespace opbench {

/// What `opbench web` hands to the program that serves the pages: on its stdin, since a command
/// line shows a token to every user of the machine.
struct WebSettings {
  std::filesystem::path store;
  std::string address = "127.0.0.1";
  int port = 0;
  std::string token;
  std::string bundle;         ///< the folder of the front end
  std::string export_folder;  ///< where a site is written; empty: pages are served
  bool is_quiet = false;
};

/// The settings as text, and the reverse. `kInvalidInput` for another text.
std::string text_of_settings(const WebSettings& settings);
Result<WebSettings> web_settings_of(const std::string& text);

}  // namespace opbench
