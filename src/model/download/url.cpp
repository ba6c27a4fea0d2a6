#include "model/download/url.h"

#include <algorithm>

#include "base/errors/suggestion.h"
#include "base/text/ascii.h"
#include "base/text/printable.h"

namespace opbench {
namespace {

constexpr std::string_view kMark = "://";

Error url_invalid(const std::string& text, const std::string& what) {
  return {ErrorCode::kInvalidInput, "\"" + printable(text) + "\" " + what};
}

/// The last part of the path that is not empty, without the query.
std::string name_of(const std::string& rest, const std::string& host) {
  std::string path = rest.substr(0, rest.find('?'));
  while (path.ends_with('/')) path.pop_back();
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.empty() ? host : name;
}

}  // namespace

bool is_url(const std::string& text) { return text.find(kMark) != std::string::npos; }

Result<Url> parse_url(const std::string& text) {
  const auto is_odd = [](unsigned char c) { return c <= ' ' || c == 0x7f; };
  if (std::ranges::any_of(text, is_odd)) {
    return url_invalid(text, "is no URL: it has blanks or control characters").with("write", "%20");
  }
  const size_t mark = text.find(kMark);
  const std::string scheme = lower_case(text.substr(0, mark));
  if (scheme != "http" && scheme != "https") {
    Error error = unknown_name("scheme of a URL:", scheme, {"https", "http"});
    return std::move(error).with("in", text);
  }
  Url url{.text = text, .is_encrypted = scheme == "https"};
  const size_t hash = text.find('#');
  url.address = text.substr(0, hash);
  if (hash != std::string::npos) url.member = text.substr(hash + 1);
  const std::string behind = url.address.substr(mark + kMark.size());
  const size_t end = std::min(behind.find_first_of("/?"), behind.size());
  url.host = behind.substr(0, end);
  if (url.host.find('@') != std::string::npos) {
    return Error{ErrorCode::kInvalidInput, "a URL must not have a user name or password in it"}
        .with("reason", "records keep the URL")
        .with("write them to", "~/.netrc");
  }
  if (url.host.empty()) return url_invalid(text, "names no host");
  url.name = name_of(behind.substr(end), url.host);
  return url;
}

}  // namespace opbench
