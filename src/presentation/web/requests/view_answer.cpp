#include "presentation/web/requests/view_answer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "base/json/json_text.h"
#include "presentation/web/requests/answer_cache.h"

namespace opbench {
namespace {

constexpr std::string_view kCsvEnd = ".csv";

int status_of(const Error& error) {
  constexpr int kWrong = 400, kNotThere = 404, kTooLong = 408, kFault = 500;
  if (error.code == ErrorCode::kInvalidInput) return kWrong;
  if (error.code == ErrorCode::kNoMatch) return kNotThere;
  return error.code == ErrorCode::kTimeBudget ? kTooLong : kFault;
}

/// `a, b` of a fact as a list.
Json words_of(const std::string& text) {
  Json words = Json::array();
  size_t begin = 0;
  while (begin <= text.size()) {
    size_t end = text.find(", ", begin);
    if (end == std::string::npos) end = text.size();
    words.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return words;
}

std::string csv_cell(const Json& value) {
  if (value.is_null()) return "";
  std::string text = value.is_string() ? value.get<std::string>() : json_text(value);
  // A cell that begins so is a formula for a spreadsheet.
  if (value.is_string() && !text.empty() &&
      std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos) {
    text.insert(0, "'");
  }
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

/// The request as text. The order counts: series stand as they were asked for.
std::string key_of(const std::string& path, const WebRequest& request) {
  std::string key = path;
  for (const auto& [name, value] : request.parameters()) {
    key += fmt::format("&{}={}", percent_encoded(name), percent_encoded(value));
  }
  return key;
}

Result<WebAnswer> made_answer(const std::string& path, bool is_csv, const ViewContext& context,
                              const WebRequest& request) {
  OPBENCH_TRY(const ViewDef* const view, view_table().find(path));
  OPBENCH_TRY(const Json answer, answer_of(*view, context, request));
  if (!is_csv) return WebAnswer{.body = json_text(answer)};
  if (view->table != nullptr) {
    return WebAnswer{.type = "text/csv; charset=utf-8", .body = csv_of(view->table(answer))};
  }
  if (view->list.empty()) {
    return invalid_input(fmt::format("api/{} holds no list that CSV could be made of", path));
  }
  return WebAnswer{.type = "text/csv; charset=utf-8", .body = csv_of(answer.at(view->list))};
}

}  // namespace

std::string csv_of(const Json& list) {
  std::string text;
  if (list.empty() || !list.front().is_object()) return text;
  std::vector<std::string> names;
  for (const auto& [name, value] : list.front().items()) {
    names.push_back(name);
    text += (text.empty() ? "" : ",") + csv_cell(name);
  }
  text += '\n';
  for (const Json& row : list) {
    std::string line;
    for (const std::string& name : names) {
      if (&name != &names.front()) line += ',';
      line += csv_cell(row.value(name, Json()));
    }
    text += line + '\n';
  }
  return text;
}

WebAnswer error_answer(int status, const Error& error) {
  Json json = {{"error", error.message}};
  Json facts = Json::array();
  for (const Fact& fact : error.facts) {
    if (fact.label == "known" || fact.label == "valid") {
      json[fact.label] = words_of(fact.text);
    } else if (fact.label == "did you mean") {
      std::string guess = fact.text;
      if (guess.ends_with('?')) guess.pop_back();
      json["did_you_mean"] = guess;
    } else {
      facts.push_back({{"name", fact.label}, {"value", fact.text}});
    }
  }
  if (!facts.empty()) json["facts"] = std::move(facts);
  return {.status = status, .body = json_text(json)};
}

WebAnswer answer_to(const std::string& path, const ViewContext& context,
                    const WebRequest& request) {
  constexpr int kNotReady = 503;
  if (!context.store.is_ready()) {
    WebAnswer answer =
        error_answer(kNotReady, {ErrorCode::kEnvironment, "the store is being read"});
    answer.body.insert(answer.body.size() - 1, ",\"retry_after_ms\":200");
    return answer;
  }
  const bool is_csv = path.ends_with(kCsvEnd);
  const std::string name = is_csv ? path.substr(0, path.size() - kCsvEnd.size()) : path;
  const auto known = view_table().find(name);
  constexpr int kUnknownPath = 404;
  if (!known) return error_answer(kUnknownPath, known.error());
  const bool is_kept = context.answers != nullptr && (*known)->is_kept;
  const std::string key = is_kept ? key_of(path, request) : "";
  // The state is read first: what changes meanwhile is kept under a state that is over.
  const std::string state = is_kept ? context.store.state() : "";
  if (is_kept) {
    if (auto kept = context.answers->find(key, state)) return std::move(*kept);
  }
  auto answer = made_answer(name, is_csv, context, request);
  if (!answer) return error_answer(status_of(answer.error()), answer.error());
  if (is_kept) context.answers->keep(key, state, *answer);
  return std::move(*answer);
}

}  // namespace opbench
