#include "presentation/access/access_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text/ascii.h"

namespace opbench {
namespace {

struct HostName {
  std::string name;  ///< without brackets
  std::string port;  ///< empty: none was given
};

/// `name`, `name:port`, `[::1]:port`
HostName host_name_of(const std::string& host) {
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    if (end == std::string::npos) return {};
    const std::string rest = host.substr(end + 1);
    return {host.substr(1, end - 1), rest.starts_with(':') ? rest.substr(1) : rest};
  }
  const size_t colon = host.rfind(':');
  if (colon == std::string::npos) return {host, ""};
  return {host.substr(0, colon), host.substr(colon + 1)};
}

bool is_address(const std::string& name) {
  return !name.empty() &&
         (name.find(':') != std::string::npos ||
          std::ranges::all_of(name, [](char c) { return (c >= '0' && c <= '9') || c == '.'; }));
}

bool is_every_address(const std::string& address) {
  return address == "0.0.0.0" || address == "::";
}

bool is_own_name(const AccessRules& rules, const std::string& host) {
  const HostName given = host_name_of(host);
  constexpr const char* kPlainPort = "80";
  if (given.port != std::to_string(rules.port) &&
      !(given.port.empty() && std::to_string(rules.port) == kPlainPort)) {
    return false;
  }
  if (is_loopback(given.name) || given.name == rules.address) return true;
  // A name could be pointed here by anybody; an address cannot.
  return is_every_address(rules.address) && is_address(given.name);
}

/// The value of a cookie; empty: there is none.
std::string cookie_value(const std::string& cookies, const std::string& name) {
  size_t begin = 0;
  while (begin < cookies.size()) {
    size_t end = cookies.find(';', begin);
    if (end == std::string::npos) end = cookies.size();
    const std::string_view entry = trimmed(std::string_view(cookies).substr(begin, end - begin));
    if (entry.starts_with(name + "=")) return std::string(entry.substr(name.size() + 1));
    begin = end + 1;
  }
  return "";
}

bool has_token(const AccessRules& rules, const AskingParty& party) {
  constexpr std::string_view kBearer = "Bearer ";
  if (is_same_secret(cookie_value(party.cookie, kTokenCookie), rules.token)) return true;
  return party.authorization.starts_with(kBearer) &&
         is_same_secret(party.authorization.substr(kBearer.size()), rules.token);
}

}  // namespace

bool is_loopback(const std::string& address) {
  if (address == "localhost" || address == "::1") return true;
  return address.starts_with("127.") && is_address(address);
}

std::string url_of(const AccessRules& rules) {
  const bool is_long = rules.address.find(':') != std::string::npos;
  return fmt::format("http://{}:{}/{}", is_long ? "[" + rules.address + "]" : rules.address,
                     rules.port, rules.token.empty() ? "" : "?token=" + rules.token);
}

bool is_same_secret(const std::string& given, const std::string& secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (size_t i = 0; i < secret.size(); ++i) {
    const char other = given.empty() ? '\0' : given[i % given.size()];
    difference |= static_cast<unsigned char>(secret[i]) ^ static_cast<unsigned char>(other);
  }
  return difference == 0;
}

std::optional<Refusal> refusal_of(const AccessRules& rules, const AskingParty& party) {
  if (!is_own_name(rules, party.host)) {
    return Refusal{403, invalid_input(fmt::format("this server is not \"{}\"", party.host))
                            .with("valid", url_of({rules.address, rules.port, ""}))};
  }
  if (!party.origin.empty() && party.origin != "http://" + party.host) {
    return Refusal{403, invalid_input(fmt::format("pages of \"{}\" may not ask", party.origin))};
  }
  if (party.fetch_site == "cross-site" && !party.is_of_page) {
    return Refusal{403, invalid_input("pages of other sites may not ask")};
  }
  if (!rules.token.empty() && !has_token(rules, party)) {
    return Refusal{401, invalid_input("a token is needed")
                            .with("open", "the address that opbench web printed, with ?token=…")};
  }
  return std::nullopt;
}

}  // namespace opbench
