#pragma once

#include <string>

#include "base/errors/error.h"

namespace opbench {

/// An address of a file on the web, and which file of the archive there is meant.
struct Url {
  std::string text;     ///< as given
  std::string address;  ///< what is asked of the server: without `#…`
  std::string host;     ///< with the port, if it names one
  std::string name;     ///< the last part of the path: `model.onnx`; the host where there is none
  std::string member;   ///< after `#`: a file of the archive; empty: none is named
  bool is_encrypted = false;
};

/// Whether a text is meant as a URL: it has `://` in it.
bool is_url(const std::string& text);

/// `kInvalidInput`: a scheme other than http and https, no host, a user name or password (records
/// would keep it), blanks or control characters.
Result<Url> parse_url(const std::string& text);

}  // namespace opbench
