#pragma once

#include <optional>
#include <string>

#include "base/errors/error.h"

namespace opbench {

/// Who may ask the server.
struct AccessRules {
  std::string address = "127.0.0.1";  ///< that it listens on
  int port = 0;
  std::string token;  ///< that a request must bring; empty: none, on loopback alone
};

/// What a request says of who asks. Empty: the header is not there.
struct AskingParty {
  std::string host;           ///< header Host
  std::string origin;         ///< header Origin
  std::string fetch_site;     ///< header Sec-Fetch-Site
  std::string cookie;         ///< header Cookie
  std::string authorization;  ///< header Authorization
  bool is_of_page = false;    ///< it opens a page, as a link of another site may do
};

/// An answer that refuses.
struct Refusal {
  int status = 403;
  Error error;
};

/// Nothing where the request is allowed. 403 for a Host that is not this server's name (a page of
/// another site may point its own name at this address), an Origin of another site, a request that
/// another site's page sent; 401 without the token.
std::optional<Refusal> refusal_of(const AccessRules& rules, const AskingParty& party);

/// Whether only this machine can reach the address: 127.0.0.0/8, ::1, localhost.
bool is_loopback(const std::string& address);

/// `http://127.0.0.1:8080/`; with the token where there is one.
std::string url_of(const AccessRules& rules);

/// Whether two texts are equal, in a time that does not tell where they differ.
bool is_same_secret(const std::string& given, const std::string& secret);

/// The cookie that holds the token.
inline constexpr const char* kTokenCookie = "opbench_token";

}  // namespace opbench
