#include "records/json/record_grammar.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <regex>
#include <utility>

namespace opbench {
namespace {

using std::chrono::microseconds;
constexpr double kMicro = 1e6;

std::string in_quotes(std::string_view text) {
  return "\"" + std::string(text.substr(0, 80)) + "\"";
}

/// Longer texts are none of ours, and std::regex recurses over them.
constexpr size_t kLongest = 300;

bool matches(std::string_view text, const std::regex& pattern) {
  return text.size() <= kLongest && std::regex_match(text.begin(), text.end(), pattern);
}

bool is_hex(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

bool is_sha(std::string_view text) { return text.size() >= 7 && text.size() <= 40 && is_hex(text); }

/// A name with `topi.` or `relay.` in front.
WorkloadName parse_reserved(std::string_view text, std::string_view domain,
                            std::vector<RecordIssue>& issues) {
  const std::string_view rest = text.substr(domain.size() + 1);
  const size_t colon = rest.find(':');
  const std::string_view name = rest.substr(0, colon);
  WorkloadName result{std::string(domain), std::string(name), {}};
  static const std::regex kOperator("[A-Za-z_][A-Za-z0-9_.]*");
  if (!matches(name, kOperator)) {
    issues.push_back({"E_WORKLOAD", "workload", in_quotes(name) + " is no operator name"});
  }
  if (colon == std::string_view::npos) return result;
  result.sha = rest.substr(colon + 1);
  const bool is_lower =
      std::ranges::none_of(result.sha, [](char c) { return c >= 'A' && c <= 'F'; });
  if (!is_sha(result.sha) || !is_lower) {
    issues.push_back({"E_WORKLOAD_SHA", "workload",
                      in_quotes(result.sha) + " is not 7 to 40 lower-case hex digits"});
  }
  return result;
}

/// The last dot that is followed by a letter or `_` and has text before it.
size_t domain_end(std::string_view text) {
  for (size_t i = text.size(); i-- > 1;) {
    if (text[i] != '.' || i + 1 == text.size()) continue;
    const char next = text[i + 1];
    if ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '_') return i;
  }
  return std::string_view::npos;
}

int digits(std::string_view text, size_t at, size_t count) {
  int value = 0;
  for (const char c : text.substr(at, count)) value = 10 * value + (c - '0');
  return value;
}

/// Nothing unless it is a real moment between 1970 and 2100.
std::optional<int64_t> calendar(int year, int month, int day, int hour, int minute, int second) {
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  const bool is_time = hour < 24 && minute < 60 && second < 61;
  if (!date.ok() || !is_time || year < 1970 || year > 2100) return {};
  const std::chrono::sys_days days{date};
  return microseconds(days.time_since_epoch()).count() +
         (hour * 3600LL + minute * 60LL + second) * 1'000'000;
}

/// ISO 8601 with or without a zone.
std::optional<int64_t> parse_iso(std::string_view text, bool& has_zone) {
  static const std::regex kPattern(
      R"((\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(\.\d+)?(Z|z|[+-]\d\d:?\d\d)?)");
  std::match_results<std::string_view::const_iterator> parts;
  if (text.size() > kLongest) return {};
  if (!std::regex_match(text.begin(), text.end(), parts, kPattern)) return {};
  const auto part = [&](size_t i) { return std::stoi(parts[i].str()); };
  auto moment = calendar(part(1), part(2), part(3), part(4), part(5), part(6));
  if (!moment) return {};
  if (parts[7].matched) *moment += std::llround(std::stod("0" + parts[7].str()) * kMicro);
  has_zone = parts[8].matched;
  const std::string zone = parts[8].str();
  if (zone.size() > 1) {
    const int64_t minutes = digits(zone, 1, 2) * 60 + digits(zone, zone.size() - 2, 2);
    *moment -= (zone[0] == '-' ? -1 : 1) * minutes * 60 * 1'000'000;
  }
  return moment;
}

std::optional<int64_t> parse_number(std::string_view text, bool& has_zone) {
  static const std::regex kNumber(R"(-?\d+(\.\d+)?([eE][+-]?\d+)?)");
  if (!matches(text, kNumber)) return {};
  if (text.size() == 14 && !text.starts_with('-') && text.find_first_of(".eE") == text.npos) {
    const auto moment = calendar(digits(text, 0, 4), digits(text, 4, 2), digits(text, 6, 2),
                                 digits(text, 8, 2), digits(text, 10, 2), digits(text, 12, 2));
    has_zone = !moment.has_value();
    if (moment) return moment;
  }
  if (text.size() > 40) return {};
  const double value = std::strtod(std::string(text).c_str(), nullptr);
  constexpr double kSecondsLimit = 1e11;
  constexpr double kMillisecondsLimit = 1e14;
  if (value < kSecondsLimit) return std::llround(std::max(value, -kSecondsLimit) * kMicro);
  if (value < kMillisecondsLimit) return std::llround(value * 1e3);
  return {};
}

}  // namespace

RecordIssue strict_form(RecordIssue issue) {
  issue.is_warning = false;
  if (issue.code == "W_UNKNOWN_KEY" || issue.code == "W_DOCKER") issue.code[0] = 'E';
  return issue;
}

WorkloadName parse_workload_name(std::string_view text, std::vector<RecordIssue>& issues) {
  const bool has_control =
      std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (text.empty() || has_control) {
    issues.push_back(
        {"E_WORKLOAD", "workload", in_quotes(text) + " is empty or holds control characters"});
    return {};
  }
  constexpr std::string_view kOurs = "opbench.";  // the rest is a workload's text, with its colons
  if (text.starts_with(kOurs)) return {"opbench", std::string(text.substr(kOurs.size())), {}};
  for (const std::string_view domain : {"topi", "relay"}) {
    if (text.starts_with(std::string(domain) + ".")) return parse_reserved(text, domain, issues);
    std::string head(text.substr(0, std::min(text.find('.'), text.size())));
    std::ranges::transform(head, head.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (head != domain) continue;
    issues.push_back({"E_DOMAIN_RESERVED", "workload",
                      in_quotes(text) + " uses the reserved domain " + std::string(domain)});
    return {};
  }
  if (text.find(':') != std::string_view::npos) {
    issues.push_back({"W_COLON", "workload", "the colon is part of the name " + in_quotes(text)});
  }
  const size_t dot = domain_end(text);
  if (dot == std::string_view::npos) {
    issues.push_back({"W_NO_DOMAIN", "workload", in_quotes(text) + " names no domain"});
    return {{}, std::string(text), {}};
  }
  return {std::string(text.substr(0, dot)), std::string(text.substr(dot + 1)), {}};
}

EngineVersion parse_engine_version(std::string_view text, std::vector<RecordIssue>& issues) {
  EngineVersion result;
  std::string_view version = text;
  const size_t colon = text.find(':');
  const bool has_letter = std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'f'; });
  const bool has_capital = std::ranges::any_of(text, [](char c) { return c >= 'A' && c <= 'F'; });
  if (colon != std::string_view::npos) {
    version = text.substr(0, colon);
    result.sha = text.substr(colon + 1);
    if (!is_sha(result.sha)) {
      issues.push_back(
          {"E_ENGINE_SHA", "engine_version", in_quotes(result.sha) + " is not 7 to 40 hex digits"});
    }
  } else if (is_sha(text) && !has_capital && (has_letter || text.size() == 40)) {
    result.sha = text;
    return result;
  }
  static const std::regex kSemver(
      R"((0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?)");
  if (matches(version, kSemver)) {
    result.semver = version;
    return result;
  }
  issues.push_back({"W_NOT_SEMVER", "engine_version", in_quotes(version) + " is not SemVer 2"});
  const size_t plus = version.rfind("+g");
  if (result.sha.empty() && plus != std::string_view::npos && is_sha(version.substr(plus + 2))) {
    result.sha = version.substr(plus + 2);
  }
  return result;
}

std::optional<int64_t> parse_timestamp(std::string_view text, int64_t now_us,
                                       std::vector<RecordIssue>& issues) {
  bool has_zone = true;
  auto moment = parse_number(text, has_zone);
  if (!moment) moment = parse_iso(text, has_zone);
  if (!moment) {
    issues.push_back({"E_TIMESTAMP", "timestamp", in_quotes(text) + " is no moment"});
    return {};
  }
  if (!has_zone) {
    issues.push_back(
        {"W_TZ_ASSUMED", "timestamp", in_quotes(text) + " names no zone; taken as UTC"});
  }
  constexpr int64_t kYear2010 = 1'262'304'000'000'000;
  constexpr int64_t kDay = 86'400'000'000;
  if (*moment < kYear2010 || *moment > now_us + kDay) {
    issues.push_back({"E_TIMESTAMP_RANGE", "timestamp",
                      in_quotes(text) + " lies before 2010 or more than a day ahead"});
  }
  return moment;
}

bool is_dtype(std::string_view text) {
  const auto take_digits = [&text] {
    const size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count > 0;
  };
  if (text == "bool" || text == "handle") return true;
  if (text.starts_with("custom[")) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos || end == std::string_view("custom[").size()) return false;
    text.remove_prefix(end + 1);
    return take_digits() && text.empty();
  }
  for (const std::string_view kind : {"int", "uint", "float", "bfloat"}) {
    if (!text.starts_with(kind)) continue;
    text.remove_prefix(kind.size());
    if (!take_digits()) return false;
    if (text.empty()) return true;
    const bool has_lanes = text.front() == 'x';
    text.remove_prefix(1);
    return has_lanes && take_digits() && text.empty();
  }
  return false;
}

}  // namespace opbench
