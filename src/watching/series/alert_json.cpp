#include "watching/series/alert_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "records/json/json_member.h"

namespace opbench {
namespace {

constexpr const char* kRegressSchema = "opbench.regress/1";

Json commits_json(const std::vector<Commit>& commits) {
  Json list = Json::array();
  for (const Commit& commit : commits) {
    list.push_back({{"id", commit.id}, {"kind", commit.is_code ? "code" : "docs"}});
  }
  return list;
}

Json alert_row_json(const AlertRow& row) {
  return {{"series", row.series},       {"change_percent", percent_change(row.log_ratio)},
          {"log_ratio", row.log_ratio}, {"log_ratio_low", row.low},
          {"log_ratio_high", row.high}, {"z", row.z},
          {"pairs", row.pairs}};
}

Json night_json(const std::optional<int>& night) { return night ? Json(*night) : Json(nullptr); }

/// Reads members one after the other and keeps the first fault.
class MemberReader {
 public:
  MemberReader(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
    if (!json.is_object()) fail(place_, "an object");
  }

  std::string text(const char* key) {
    const Json value = member(json_, key);
    if (!value.is_string()) return fail(key, "text"), std::string();
    return value.get<std::string>();
  }
  double number(const char* key) {
    const Json value = member(json_, key);
    if (!value.is_number()) return fail(key, "a number"), 0;
    return value.get<double>();
  }
  int64_t whole(const char* key) {
    const std::optional<int64_t> value = whole_number(member(json_, key));
    if (!value) fail(key, "a whole number");
    return value.value_or(0);
  }
  int night(const char* key) { return static_cast<int>(whole(key)); }
  std::optional<int> night_or_null(const char* key) {
    if (member(json_, key).is_null()) return std::nullopt;
    return night(key);
  }
  bool truth(const char* key) {
    const Json value = member(json_, key);
    if (!value.is_boolean()) return fail(key, "true or false"), false;
    return value.get<bool>();
  }
  Json list(const char* key) {
    const Json value = member(json_, key);
    if (!value.is_array()) return fail(key, "a list"), Json::array();
    return value;
  }
  template <class Value>
  Value word(const char* key, std::optional<Value> (*read)(std::string_view)) {
    const std::string given = text(key);
    const std::optional<Value> value = read(given);
    if (!value) fail(key, "a known word");
    return value.value_or(Value{});
  }
  void fail(const std::string& key, const std::string& wanted) {
    if (!fault_) fault_ = invalid_input(fmt::format("\"{}\" of {} is not {}", key, place_, wanted));
  }
  const std::optional<Error>& fault() const { return fault_; }

 private:
  const Json& json_;
  std::string place_;
  std::optional<Error> fault_;
};

Result<std::vector<Commit>> commits_of_json(const Json& list) {
  std::vector<Commit> commits;
  for (const Json& item : list) {
    MemberReader reader(item, "a commit");
    commits.push_back({.id = reader.text("id"), .is_code = reader.text("kind") == "code"});
    if (reader.fault()) return *reader.fault();
  }
  return commits;
}

Result<std::vector<AlertRow>> alert_rows_of_json(const Json& list) {
  std::vector<AlertRow> rows;
  for (const Json& item : list) {
    MemberReader reader(item, "a row");
    rows.push_back({.series = reader.text("series"),
                    .log_ratio = reader.number("log_ratio"),
                    .low = reader.number("log_ratio_low"),
                    .high = reader.number("log_ratio_high"),
                    .z = reader.number("z"),
                    .pairs = reader.whole("pairs")});
    if (reader.fault()) return *reader.fault();
  }
  return rows;
}

Result<std::vector<std::string>> texts_of_json(const Json& list, const char* key) {
  std::vector<std::string> texts;
  for (const Json& item : list) {
    if (!item.is_string()) return invalid_input(fmt::format("\"{}\" holds more than texts", key));
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

}  // namespace

Json alert_json(const Alert& alert) {
  Json rows = Json::array();
  for (const AlertRow& row : alert.rows) rows.push_back(alert_row_json(row));
  return {{"id", alert.id},
          {"kind", name_of(alert.kind)},
          {"engine", alert.engine},
          {"good_night", alert.range.good_night},
          {"bad_night", alert.range.bad_night},
          {"good_date", alert.range.good_date},
          {"bad_date", alert.range.bad_date},
          {"commits", commits_json(alert.range.commits)},
          {"state", name_of(alert.state)},
          {"life", name_of(alert.life)},
          {"direction", is_slower(alert) ? "slower" : "faster"},
          {"cause", alert.cause},
          {"why_suspected", alert.why_suspected},
          {"reported_night", alert.reported_night},
          {"confirmed_night", night_json(alert.confirmed_night)},
          {"settled_night", night_json(alert.settled_night)},
          {"rows", std::move(rows)}};
}

Json regress_json(const RegressReport& report) {
  Json alerts = Json::array();
  for (const Alert& alert : report.alerts) alerts.push_back(alert_json(alert));
  return {{"schema", kRegressSchema},
          {"detector", report.detector},
          {"unit", report.unit},
          {"nights", report.nights},
          {"series", report.series},
          {"rows", report.rows},
          {"last_night", night_json(report.last_night)},
          {"last_date", report.last_date},
          {"has_pairs", report.has_pairs},
          {"paired_runs", report.paired_runs},
          {"pairs", report.pairs},
          {"alerts", std::move(alerts)},
          {"notes", report.notes},
          {"noisiest", report.noisiest}};
}

Result<Alert> alert_of_json(const Json& json) {
  MemberReader reader(json, "an alert");
  Alert alert{.id = reader.text("id"),
              .kind = reader.word("kind", alert_kind_of),
              .engine = reader.text("engine"),
              .range = {.good_night = reader.night("good_night"),
                        .bad_night = reader.night("bad_night"),
                        .good_date = reader.text("good_date"),
                        .bad_date = reader.text("bad_date")},
              .state = reader.word("state", alert_state_of),
              .life = reader.word("life", alert_life_of),
              .cause = reader.text("cause"),
              .why_suspected = reader.text("why_suspected"),
              .reported_night = reader.night("reported_night"),
              .confirmed_night = reader.night_or_null("confirmed_night"),
              .settled_night = reader.night_or_null("settled_night")};
  const Json commits = reader.list("commits");
  const Json rows = reader.list("rows");
  if (reader.fault()) return *reader.fault();
  OPBENCH_TRY(alert.range.commits, commits_of_json(commits));
  OPBENCH_TRY(alert.rows, alert_rows_of_json(rows));
  return alert;
}

Result<RegressReport> regress_of_json(const Json& json) {
  MemberReader reader(json, "the report");
  if (reader.text("schema") != kRegressSchema) reader.fail("schema", kRegressSchema);
  RegressReport report{.detector = reader.text("detector"),
                       .unit = reader.text("unit"),
                       .nights = reader.whole("nights"),
                       .series = reader.whole("series"),
                       .rows = reader.whole("rows"),
                       .last_night = reader.night_or_null("last_night"),
                       .last_date = reader.text("last_date"),
                       .has_pairs = reader.truth("has_pairs"),
                       .paired_runs = reader.whole("paired_runs"),
                       .pairs = reader.whole("pairs")};
  const Json alerts = reader.list("alerts");
  const Json notes = reader.list("notes");
  const Json noisiest = reader.list("noisiest");
  if (reader.fault()) return *reader.fault();
  for (const Json& item : alerts) {
    OPBENCH_TRY(Alert alert, alert_of_json(item));
    report.alerts.push_back(std::move(alert));
  }
  OPBENCH_TRY(report.notes, texts_of_json(notes, "notes"));
  OPBENCH_TRY(report.noisiest, texts_of_json(noisiest, "noisiest"));
  return report;
}

}  // namespace opbench
