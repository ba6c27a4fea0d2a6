#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>
#include <unordered_map>

#include "base/errors/suggestion.h"
#include "base/text/ascii.h"
#include "watching/series/history_reader.h"

namespace opbench {
namespace {

namespace dom = simdjson::dom;
constexpr const char* kYearFormat = "opbench-watch-year/1";

/// Reads the lines one after the other.
class YearLines {
 public:
  Result<void> read_line(std::string_view line) {
    padded_.assign(line);
    padded_.reserve(line.size() + simdjson::SIMDJSON_PADDING);
    dom::element element;
    if (parser_.parse(padded_.data(), padded_.size(), false).get(element) != simdjson::SUCCESS ||
        element.get_object().get(object_) != simdjson::SUCCESS) {
      return invalid_input(fmt::format("\"{}\" is no JSON object", shortened(line)));
    }
    std::string_view record;
    if (object_["record"].get_string().get(record) != simdjson::SUCCESS) return read_row();
    if (record == "head") return read_head();
    if (record == "night") return read_night();
    if (record == "series") return read_series();
    if (record == "totals") return read_totals();
    return unknown_name("record", record, {"head", "night", "series", "totals"});
  }

  History take() { return std::move(history_); }

 private:
  static std::string shortened(std::string_view line) {
    constexpr size_t kShown = 40;
    return std::string(line.substr(0, kShown)) + (line.size() > kShown ? "…" : "");
  }

  std::string text(const char* key) const {
    std::string_view value;
    return object_[key].get_string().get(value) == simdjson::SUCCESS ? std::string(value) : "";
  }

  Result<int> number(const char* key) const {
    int64_t value = 0;
    if (object_[key].get_int64().get(value) != simdjson::SUCCESS || value < 0 ||
        value > std::numeric_limits<int>::max()) {
      return invalid_input(fmt::format("\"{}\" is no whole number from 0 on", key));
    }
    return static_cast<int>(value);
  }

  Result<void> read_head() {
    if (text("format") != kYearFormat) {
      return invalid_input(fmt::format("unknown format \"{}\"", text("format")))
          .with("known", kYearFormat);
    }
    if (!text("unit").empty()) history_.unit = text("unit");
    return {};
  }

  Result<void> read_night() {
    Night night{.date = text("date"), .environment = text("environment"), .method = text("method")};
    OPBENCH_TRY(night.index, number("night"));
    if (!history_.nights.empty() && night.index <= history_.nights.back().index) {
      return invalid_input(
          fmt::format("night {} stands after night {}", night.index, history_.nights.back().index));
    }
    dom::array commits;
    if (object_["commits"].get_array().get(commits) == simdjson::SUCCESS) {
      for (const dom::element commit : commits) {
        std::string_view id, kind;
        if (commit.at(0).get_string().get(id) != simdjson::SUCCESS ||
            commit.at(1).get_string().get(kind) != simdjson::SUCCESS) {
          return invalid_input("\"commits\" holds something else than [id, kind]");
        }
        night.commits.push_back({std::string(id), kind != "docs"});
      }
    }
    history_.nights.push_back(std::move(night));
    return {};
  }

  Result<void> read_series() {
    Series series{.id = text("id"),
                  .engine = text("engine"),
                  .model = text("model"),
                  .chain = text("chain"),
                  .unit = text("unit")};
    OPBENCH_TRY(const int key, number("series"));
    if (series.id.empty()) return invalid_input(fmt::format("series {} has no \"id\"", key));
    bool is_control = false;
    if (object_["control"].get_bool().get(is_control) == simdjson::SUCCESS) {
      series.is_control = is_control;
    }
    dom::array nodes;
    if (object_["nodes"].get_array().get(nodes) == simdjson::SUCCESS) {
      for (const dom::element node : nodes) {
        std::string_view name;
        if (node.get_string().get(name) == simdjson::SUCCESS) series.nodes.emplace_back(name);
      }
    }
    const bool is_new = places_.emplace(key, static_cast<int>(history_.series.size())).second;
    if (!is_new) return invalid_input(fmt::format("series {} stands twice", key));
    history_.series.push_back(std::move(series));
    last_row_.push_back(-1);
    return {};
  }

  Result<void> read_row() {
    OPBENCH_TRY(const int night, number("n"));
    OPBENCH_TRY(const int key, number("s"));
    if (history_.nights.empty() || history_.nights.back().index != night) {
      return invalid_input(fmt::format("a row of night {} stands outside it", night));
    }
    const auto place = places_.find(key);
    if (place == places_.end()) {
      return invalid_input(fmt::format("series {} is not described before its first row", key));
    }
    const Series& series = history_.series[static_cast<size_t>(place->second)];
    int& last = last_row_[static_cast<size_t>(place->second)];
    if (last == night) {
      return invalid_input(fmt::format("\"{}\" stands twice in night {}", series.id, night));
    }
    last = night;
    NightRow row{.series = place->second, .hash = text("h")};
    dom::array values;
    if (object_["ms"].get_array().get(values) != simdjson::SUCCESS || values.size() == 0) {
      return invalid_input(fmt::format("a row of \"{}\" has no list \"ms\"", series.id));
    }
    row.values.reserve(values.size());
    for (const dom::element value : values) {
      double ms = 0;
      if (value.get_double().get(ms) != simdjson::SUCCESS || !std::isfinite(ms) || ms <= 0) {
        return invalid_input(fmt::format("a value of \"{}\" is \"{}\", which is no time", series.id,
                                         simdjson::minify(value)));
      }
      row.values.push_back(ms);
    }
    history_.nights.back().rows.push_back(std::move(row));
    return {};
  }

  Result<void> read_totals() {
    if (history_.nights.empty()) return invalid_input("totals stand before the first night");
    for (auto [key, totals] : {std::pair("chain", &history_.nights.back().chains),
                               std::pair("model", &history_.nights.back().models)}) {
      dom::object members;
      if (object_[key].get_object().get(members) != simdjson::SUCCESS) continue;
      for (const auto& [name, value] : members) {
        double ms = 0;
        if (value.get_double().get(ms) == simdjson::SUCCESS && ms > 0)
          (*totals)[std::string(name)] = ms;
      }
    }
    return {};
  }

  dom::parser parser_;
  std::string padded_;
  dom::object object_;
  History history_;
  std::unordered_map<int, int> places_;  ///< number in the file to place in `series`
  std::vector<int> last_row_;            ///< night of a series' last row
};

}  // namespace

Result<History> history_of_json_lines(std::string_view text, const std::string& name) {
  YearLines lines;
  std::vector<std::string> notes;
  for (int64_t number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    const bool is_torn = end == std::string_view::npos;
    text.remove_prefix(is_torn ? text.size() : end + 1);
    if (line.empty()) continue;
    const Result<void> read = lines.read_line(line);
    if (read) continue;
    if (!is_torn || line.ends_with('}')) {
      return Error(read.error()).with("in", fmt::format("{}:{}", name, number));
    }
    notes.push_back(fmt::format("line {} is cut off: it is left out", number));
  }
  History history = lines.take();
  history.notes = std::move(notes);
  if (history.nights.empty()) {
    return Error{ErrorCode::kNoMatch, fmt::format("\"{}\" holds no night", name)};
  }
  return history;
}

}  // namespace opbench
