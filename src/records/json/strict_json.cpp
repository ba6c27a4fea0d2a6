#include "records/json/strict_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <set>

#include "records/json/utf8_text.h"

namespace opbench {
namespace {

constexpr size_t kStrictJsonDeepest = 100;
/// Of one object: those who look a key up go through all of them.
constexpr size_t kMostKeys = 10'000;

/// Counts what the parser has read.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, size_t* count) : at_(at), count_(count) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    if (count_ != nullptr) ++*count_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  size_t* count_;
};

struct FieldOffset {
  std::string field;
  size_t offset = 0;  ///< behind the key
};

/// Builds the value. The names are those that nlohmann's parser calls.
class Builder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  explicit Builder(const size_t& consumed) : consumed_(consumed) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(number_integer_t value) { return add(value); }
  bool number_unsigned(number_unsigned_t value) { return add(value); }
  bool number_float(number_float_t value, const string_t& text) {
    if (text.find_first_of(".eE") != string_t::npos) return add(value);
    return fail("the integer " + text.substr(0, 40) + " does not fit in 64 bits");
  }
  bool string(string_t& value) { return add(std::move(value)); }
  bool binary(binary_t& value) { return add(Json(std::move(value))); }
  bool start_object(size_t) { return open(Json::object()); }
  bool start_array(size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    if (!keys_.back().insert(name).second) {
      return fail("the key \"" + name.substr(0, 80) + "\" is there twice");
    }
    if (keys_.back().size() > kMostKeys) return fail("an object has more than 10000 keys");
    if (open_.size() == 1) fields.push_back({name, consumed_});
    key_ = std::move(name);
    return true;
  }

  bool parse_error(size_t position, const string_t&, const nlohmann::json::exception& exception) {
    const std::string text = exception.what();
    const size_t colon = text.find(": ");  // behind the place, as the library counts it
    reason = text.substr(0, 300);
    if (colon != std::string::npos) reason = text.substr(colon + 2, 300);
    offset = position > 0 ? position - 1 : 0;
    return false;
  }

  Json root;
  std::vector<FieldOffset> fields;  ///< of the root
  std::string reason;               ///< why there is no value
  size_t offset = 0;                ///< of the fault

 private:
  bool fail(std::string why) {
    reason = std::move(why);
    offset = consumed_ > 0 ? consumed_ - 1 : 0;
    return false;
  }

  Json* place(Json value) {
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    auto& members = parent.get_ref<Json::object_t&>();
    // Keys were compared already: ordered_map would do it again, one by one.
    members.Container::emplace_back(std::move(key_), std::move(value));
    return &members.back().second;
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json value) {
    if (open_.size() == kStrictJsonDeepest) return fail("it is nested deeper than 100");
    open_.push_back(place(std::move(value)));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  const size_t& consumed_;
  std::vector<Json*> open_;
  std::vector<std::set<std::string>> keys_;  ///< of the open objects
  std::string key_;
};

/// What the tables of the format's own documentation have where JSON has none of it.
std::string looks_like_documentation(std::string_view text, size_t offset) {
  const auto contains = [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  if (contains("\u201C") || contains("\u201D")) return "curly quotes";
  if (offset >= text.size()) return "";
  size_t begin = std::min(offset, text.size() - 1);
  for (const std::string_view python : {"NaN", "nan", "Infinity", "None", "True", "False"}) {
    if (text.substr(begin).starts_with(python)) return "";
  }
  const auto is_word = [&](size_t at) {
    return std::isalpha(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_';
  };
  while (begin > 0 && is_word(begin) && is_word(begin - 1)) --begin;
  const size_t behind = text.find_last_not_of(" \t\r\n", begin > 0 ? begin - 1 : 0);
  const char before = begin > 0 && behind != std::string_view::npos ? text[behind] : '\0';
  if (is_word(begin) && (before == ':' || before == '[' || before == ',')) return "a bare word";
  if (text[offset] == ',' && before == '"') return "`\"key\", value`";
  if ((text[offset] == '{' && before == '{') || text[offset] == '(' || text[offset] == '<') {
    return "what is no JSON value";
  }
  return "";
}

}  // namespace

std::optional<StrictJson> StrictJson::parse(std::string_view text, std::vector<RecordIssue>& issues,
                                            int64_t line, int64_t column) {
  size_t consumed = 0;
  Builder builder(consumed);
  const CountingIterator begin(text.data(), &consumed);
  const CountingIterator end(text.data() + text.size(), nullptr);
  const bool is_read = Json::sax_parse(begin, end, &builder);

  // Offsets come in ascending order: lines are counted once.
  size_t counted = 0;
  const auto move_to = [&](size_t offset) {
    for (; counted < std::min(offset, text.size()); ++counted) {
      ++column;
      if (text[counted] != '\n') continue;
      ++line;
      column = 1;
    }
  };
  if (!is_read) {
    move_to(builder.offset);
    const std::string kind = looks_like_documentation(text, builder.offset);
    const std::string hint =
        kind.empty() ? "" : "looks like the documentation example (" + kind + "): ";
    issues.push_back({.code = "E_JSON",
                      .message = to_utf8(hint + builder.reason),
                      .column = column,
                      .line = line});
    return {};
  }
  StrictJson result;
  for (const FieldOffset& field : builder.fields) {
    const size_t colon = std::min(text.find(':', field.offset), text.size() - 1);
    move_to(std::min(text.find_first_not_of(" \t\r\n", colon + 1), text.size()));
    result.places_.push_back({field.field, line, column});
  }
  result.value_ = std::make_shared<const Json>(std::move(builder.root));
  return result;
}

void StrictJson::place(std::vector<RecordIssue>& issues) const {
  for (RecordIssue& issue : issues) {
    if (issue.column > 0) continue;
    const std::string_view field =
        std::string_view(issue.field).substr(0, issue.field.find_first_of(".["));
    const auto place = std::ranges::find(places_, field, &Place::field);
    if (place == places_.end()) continue;
    issue.line = place->line;
    issue.column = place->column;
  }
}

}  // namespace opbench
