#include "presentation/web/compare/run_pair.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

#include "base/errors/suggestion.h"
#include "base/text/shell_word.h"
#include "presentation/web/compare/kept_pairs.h"
#include "presentation/web/compare/pair_verdicts.h"
#include "presentation/web/requests/entry_choice.h"
#include "presentation/web/requests/list_query.h"

namespace opbench {
namespace {

/// What both sides must have alike, beside engine and threads.
constexpr const char* kMatch = "model, unit, scope, coalesce(node, ''), coalesce(cache, '')";

std::string side_rows(int64_t entry, const RunPair& pair, const std::string& engine,
                      const std::string& threads, const std::string& match) {
  std::string where = "true";
  if (!engine.empty()) where += " AND engine = " + sql_text(engine);
  if (!threads.empty()) where += " AND threads = " + threads;
  if (!pair.model.empty()) where += " AND model = " + sql_text(pair.model);
  if (pair.scope != "all") where += " AND scope = " + sql_text(pair.scope);
  where += words_condition(pair.words, "concat_ws(' ', model, unit, shapes, engine)");
  return fmt::format(
      "SELECT left(md5(concat_ws(chr(31), {})), 16) AS match_key, any_value(id) AS id, "
      "any_value(model) AS model, any_value(unit) AS unit, any_value(shapes) AS shapes, "
      "any_value(scope) AS scope, any_value(engine) AS engine, any_value(threads) AS threads, "
      "any_value(node) AS node, any_value(series_key) AS series_key, arg_max(ms, at_ms) AS ms, "
      "arg_max(low_ms, at_ms) AS low_ms, arg_max(high_ms, at_ms) AS high_ms, arg_max(share, at_ms) "
      "AS share, max(count) AS count, arg_max(code, at_ms) AS code, any_value(device) AS device, "
      "any_value(clock) AS clock, arg_max(device_ms, at_ms) AS device_ms FROM {} JOIN series USING "
      "(series_key) WHERE {} GROUP BY match_key",
      match, points_of_entry(entry), where);
}

/// The only one of a list, as text; empty where there are several.
std::string only_one(const Json& list) {
  if (list.size() != 1) return "";
  return list[0].is_string() ? list[0].get<std::string>() : list[0].dump();
}

/// `run:ID` of `run:ID@SIDE`.
std::string run_of_selector(const Json& side) {
  const std::string selector = side["selector"].get<std::string>();
  return selector.substr(0, selector.find('@'));
}

/// Two runs of one engine each compare these, whatever they are called.
void choose_engines(const Json& a, const Json& b, RunPair& pair) {
  if (pair.a_engine.empty() && pair.b_engine.empty() && a["engines"] != b["engines"]) {
    pair.a_engine = only_one(a["engines"]);
    pair.b_engine = only_one(b["engines"]);
  }
  if (pair.a_threads.empty() && pair.b_threads.empty() && a["threads"] != b["threads"]) {
    pair.a_threads = only_one(a["threads"]);
    pair.b_threads = only_one(b["threads"]);
  }
}

/// All rows of both sides; what one lacks is null.
constexpr const char* kMatched =
    " SELECT match_key AS \"key\", a.id AS series_a, b.id AS series_b, b.model AS model, b.unit AS "
    "unit, b.shapes AS shapes, b.scope AS scope, a.engine AS engine_a, b.engine AS engine_b, "
    "a.threads AS threads_a, b.threads AS threads_b, b.count AS count, 100 * a.share AS share_pct, "
    "a.ms AS a_ms, a.low_ms AS a_low_ms, a.high_ms AS a_high_ms, b.ms AS b_ms, b.low_ms AS "
    "b_low_ms, b.high_ms AS b_high_ms, a.code <> b.code AS code_changed, greatest(sa.noise, "
    "sb.noise) AS noise, b.node AS node, a.device AS device_a, b.device AS device_b, a.clock AS "
    "clock_a, b.clock AS clock_b, a.device_ms AS a_device_ms, b.device_ms AS b_device_ms FROM a "
    "FULL JOIN b USING (match_key) LEFT JOIN stats sa ON "
    "sa.series_key = a.series_key LEFT JOIN stats sb ON sb.series_key = b.series_key";

}  // namespace

const std::vector<std::string>& pair_parameters() {
  static const std::vector<std::string> kNames = {
      "a", "b", "a_engine", "b_engine", "a_threads", "b_threads", "model", "scope", "q"};
  return kNames;
}

Result<RunPair> run_pair_of(const WebRequest& request) {
  RunPair pair{.a_engine = request.text("a_engine"),
               .b_engine = request.text("b_engine"),
               .model = request.text("model"),
               .words = request.text("q")};
  OPBENCH_TRY(pair.a, request.needed("a"));
  OPBENCH_TRY(pair.b, request.needed("b"));
  OPBENCH_TRY(pair.scope, request.choice("scope", {"all", "unit", "model"}, "all"));
  constexpr int64_t kMostThreads = 1 << 20;
  for (const auto& [name, place] :
       {std::pair("a_threads", &pair.a_threads), std::pair("b_threads", &pair.b_threads)}) {
    OPBENCH_TRY(const int64_t threads, request.whole(name, 1, kMostThreads, 0));
    if (threads > 0) *place = std::to_string(threads);
  }
  return pair;
}

std::string compare_command(const std::string& model, const std::vector<std::string>& engines,
                            const Json& base_commit) {
  const bool has_base = engines.size() == 1 && base_commit.is_string();
  if (model.empty() || (engines.size() < 2 && !has_base)) return "";
  std::string command = fmt::format("opbench compare {} --engine {}", shell_word(model),
                                    shell_word(join(engines, ",")));
  if (has_base) command += " --base " + shell_word(base_commit.get<std::string>());
  return command;
}

const Json& ComparedRow::json() const { return cells.front(); }

Result<PairedRows> pair_sides(const ViewContext& context, const RunPair& asked) {
  PairedRows paired;
  RunPair pair = asked;
  for (const std::string& selector : {pair.a, pair.b}) {
    OPBENCH_TRY(Json info, entry_of(context.store, selector));
    (paired.sides.empty() ? paired.entry_a : paired.entry_b) = take_entry(info);
    paired.sides.push_back(std::move(info));
  }
  const Json& a = paired.sides[0];
  const Json& b = paired.sides[1];
  choose_engines(a, b, pair);
  std::string match = kMatch;
  if (pair.a_engine.empty() || pair.b_engine.empty()) match += ", engine";
  if (pair.a_threads.empty() || pair.b_threads.empty()) match += ", threads";
  paired.side_sql =
      fmt::format("WITH a AS ({}), b AS ({})",
                  side_rows(paired.entry_a, pair, pair.a_engine, pair.a_threads, match),
                  side_rows(paired.entry_b, pair, pair.b_engine, pair.b_threads, match));
  paired.is_paired = a["kind"] == "compare_side" && b["kind"] == "compare_side" &&
                     run_of_selector(a) == run_of_selector(b);
  return paired;
}

namespace {

/// Reads the rows of both sides.
Result<void> add_paired_rows(WebStore& store, PairedRows& paired) {
  OPBENCH_TRY(const QueryResult found, store.query(paired.side_sql + kMatched));
  std::vector<Json> timed;
  Json rows = rows_json(found);
  for (Json& row : rows) {
    if (row["series_b"].is_null()) {
      ++paired.only_a;
    } else if (row["series_a"].is_null()) {
      ++paired.only_b;
    } else if (row["a_ms"].is_null() || row["b_ms"].is_null()) {
      ++paired.failed;
    } else {
      timed.push_back(std::move(row));
    }
  }
  OPBENCH_TRY(paired.rows,
              judged_rows(store, std::move(timed),
                          paired.is_paired ? std::vector<int64_t>{paired.entry_a, paired.entry_b}
                                           : std::vector<int64_t>{}));
  return {};
}

std::string key_of_pair(const WebStore& store, const RunPair& pair) {
  std::string key = store.state();
  for (const std::string* text : {&pair.a, &pair.b, &pair.a_engine, &pair.b_engine, &pair.a_threads,
                                  &pair.b_threads, &pair.model, &pair.scope, &pair.words}) {
    key += "&" + percent_encoded(*text);
  }
  return key;
}

}  // namespace

Result<std::shared_ptr<const PairedRows>> paired_rows(const ViewContext& context,
                                                      const RunPair& pair) {
  const std::string key = context.pairs == nullptr ? "" : key_of_pair(context.store, pair);
  if (context.pairs != nullptr) {
    if (auto kept = context.pairs->find(key)) return kept;
  }
  OPBENCH_TRY(PairedRows sides, pair_sides(context, pair));
  const auto paired = std::make_shared<PairedRows>(std::move(sides));
  OPBENCH_CHECK(add_paired_rows(context.store, *paired));
  if (context.pairs != nullptr) context.pairs->keep(key, paired);
  return std::shared_ptr<const PairedRows>(paired);
}

}  // namespace opbench
