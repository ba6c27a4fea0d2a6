#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/errors/suggestion.h"
#include "measuring/results/statistics.h"
#include "presentation/web/compare/run_pair.h"
#include "presentation/web/requests/list_query.h"
#include "presentation/web/view.h"
#include "watching/series/alert.h"

namespace opbench {
namespace {

const std::vector<std::string>& verdict_words() {
  static const std::vector<std::string> kWords = {"faster", "slower", "same", "inconclusive"};
  return kWords;
}

/// `faster,slower`; `relevant` stands for both; empty: all.
Result<std::vector<std::string>> wanted_verdicts(const std::string& text) {
  std::vector<std::string> words;
  std::string rest = text == "relevant" ? "faster,slower" : text;
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string word = rest.substr(0, comma);
    rest.erase(0, comma + 1);
    if (std::ranges::count(verdict_words(), word) == 0) {
      return unknown_name("verdict", word, verdict_words());
    }
    words.push_back(word);
  }
  return words.empty() ? verdict_words() : words;
}

Json ranges_of(const std::vector<ComparedRow>& rows) {
  Json ranges = Json::object();
  for (const Verdict verdict : {Verdict::kFaster, Verdict::kSlower}) {
    std::vector<double> changes;
    for (const ComparedRow& row : rows) {
      if (row.verdict == verdict) changes.push_back(std::abs(row.change_pct));
    }
    std::ranges::sort(changes);
    Json& range = ranges[std::string(name_of(verdict))];
    if (changes.empty()) continue;
    range = {{"smallest_pct", changes.front()},
             {"median_pct", median(changes)},
             {"largest_pct", changes.back()}};
  }
  return ranges;
}

Json geomean_of(const std::vector<ComparedRow>& rows) {
  double sum = 0;
  for (const ComparedRow& row : rows) sum += std::log1p(row.change_pct / 100);
  if (rows.empty()) return nullptr;
  return percent_change(sum / static_cast<double>(rows.size()));
}

void note_difference(const Json& a, const Json& b, const char* field, const std::string& what,
                     Json& notes) {
  if (a[field] == b[field] || a[field].is_null() || b[field].is_null()) return;
  notes.push_back(
      fmt::format("{} differs: {} and {}.", what,
                  a[field].is_string() ? a[field].get<std::string>() : a[field].dump(),
                  b[field].is_string() ? b[field].get<std::string>() : b[field].dump()));
}

Json notes_of(const PairedRows& paired) {
  Json notes = Json::array();
  const Json& a = paired.sides[0];
  const Json& b = paired.sides[1];
  note_difference(a, b, "machine_name", "The machine", notes);
  if (a["machine_name"] == b["machine_name"] && a["machine"] != b["machine"]) {
    notes.push_back("Two machines of one kind measured the sides.");
  }
  if (a["selector"] == b["selector"]) notes.push_back("Both sides are the same run.");
  if (!paired.is_paired) {
    notes.push_back(
        "The sides were measured at different times: what the machine did meanwhile is part of "
        "the difference.");
  }
  return notes;
}

Json legend_of(bool is_paired) {
  Json legend = Json::array();
  legend.push_back(
      "Each row is what both sides have. The change is B against A: above 0 is slower.");
  legend.push_back(
      "slower, faster: the whole 95 % interval of the change lies beyond the threshold. same: it "
      "lies within 2 %. inconclusive: anything else.");
  legend.push_back(is_paired
                       ? "The threshold is 2 %, or twice what the base differs from itself in this "
                         "comparison."
                       : "The threshold is 2 %, or twice what the row differs by from run to run.");
  legend.push_back(
      "no verdict: the sides' times are from different clocks, or from an emulator. They have a "
      "ratio.");
  legend.push_back("Factor: how many times the threshold the change is. Rows are sorted by it.");
  return legend;
}

using RowLess = bool (*)(const ComparedRow&, const ComparedRow&);

double cell_number(const ComparedRow& row, const char* name) {
  const Json& cell = row.json()[name];
  return cell.is_number() ? cell.get<double>() : -1;
}

const std::map<std::string, RowLess>& compare_orders() {
  static const std::map<std::string, RowLess> kOrders = {
      {"factor", [](const ComparedRow& x, const ComparedRow& y) { return x.factor < y.factor; }},
      {"change",
       [](const ComparedRow& x, const ComparedRow& y) { return x.change_pct < y.change_pct; }},
      {"a_ms",
       [](const ComparedRow& x, const ComparedRow& y) {
         return cell_number(x, "a_ms") < cell_number(y, "a_ms");
       }},
      {"b_ms",
       [](const ComparedRow& x, const ComparedRow& y) {
         return cell_number(x, "b_ms") < cell_number(y, "b_ms");
       }},
      {"share",
       [](const ComparedRow& x, const ComparedRow& y) {
         return cell_number(x, "share_pct") < cell_number(y, "share_pct");
       }},
      {"name", [](const ComparedRow& x, const ComparedRow& y) {
         return x.json()["model"].get<std::string>() + x.json()["unit"].get<std::string>() <
                y.json()["model"].get<std::string>() + y.json()["unit"].get<std::string>();
       }}};
  return kOrders;
}

/// The rows with a wanted verdict, in the order that the request names.
Result<std::vector<const ComparedRow*>> sorted_rows(const WebRequest& request,
                                                    const std::vector<ComparedRow>& rows,
                                                    const std::vector<std::string>& verdicts) {
  std::vector<std::string> names;
  for (const auto& [name, order] : compare_orders()) names.push_back(name);
  OPBENCH_TRY(const std::string sort, request.choice("sort", names, "factor"));
  OPBENCH_TRY(const bool is_descending, request.is_descending(sort != "name"));
  std::vector<const ComparedRow*> wanted;
  for (const ComparedRow& row : rows) {
    // Those without a verdict are seen where all are.
    const bool is_wanted = row.verdict ? std::ranges::count(verdicts, name_of(*row.verdict)) > 0
                                       : verdicts.size() == verdict_words().size();
    if (is_wanted) wanted.push_back(&row);
  }
  const RowLess less = compare_orders().at(sort);
  std::ranges::stable_sort(wanted, [&](const ComparedRow* x, const ComparedRow* y) {
    return is_descending ? less(*y, *x) : less(*x, *y);
  });
  return wanted;
}

Json count_verdicts(const std::vector<ComparedRow>& rows) {
  Json counts = Json::object();
  for (const std::string& word : verdict_words()) {
    counts[word] = std::ranges::count_if(
        rows, [&](const ComparedRow& row) { return row.verdict && name_of(*row.verdict) == word; });
  }
  return counts;
}

int64_t count_without(const std::vector<ComparedRow>& rows) {
  return std::ranges::count_if(rows, [](const ComparedRow& row) { return !row.verdict; });
}

Json command_of_sides(const Json& a, const Json& b) {
  if (a["models"].size() != 1 || a["models"] != b["models"] || a["engines"].empty()) return nullptr;
  std::vector<std::string> engines = {a["engines"][0].get<std::string>()};
  for (const Json& engine : b["engines"]) {
    if (engine != engines.front()) engines.push_back(engine.get<std::string>());
  }
  const std::string command =
      compare_command(a["models"][0].get<std::string>(), engines, a["commit"]);
  return command.empty() ? Json() : Json(command);
}

Result<Json> run_compare_view(const ViewContext& context, const WebRequest& request) {
  OPBENCH_TRY(const RunPair pair, run_pair_of(request));
  OPBENCH_TRY(const auto wanted, wanted_verdicts(request.text("verdict")));
  OPBENCH_TRY(const PageRange page, request.page(most_rows_of(context)));
  OPBENCH_TRY(const auto kept, paired_rows(context, pair));
  const PairedRows& paired = *kept;
  OPBENCH_TRY(const auto rows, sorted_rows(request, paired.rows, wanted));
  Json answer = {{"a", paired.sides[0]},
                 {"b", paired.sides[1]},
                 {"basis", paired.is_paired ? "paired" : "separate"},
                 {"notes", notes_of(paired)},
                 {"legend", legend_of(paired.is_paired)},
                 {"counts", count_verdicts(paired.rows)},
                 {"without_verdict", count_without(paired.rows)},
                 {"ranges", ranges_of(paired.rows)},
                 {"geomean_pct", geomean_of(paired.rows)},
                 {"matched", paired.rows.size()},
                 {"only_a", paired.only_a},
                 {"only_b", paired.only_b},
                 {"failed", paired.failed},
                 {"command_compare", command_of_sides(paired.sides[0], paired.sides[1])}};
  answer["offset"] = page.offset;
  answer["limit"] = page.limit;
  answer["total"] = rows.size();
  answer["rows"] = Json::array();
  const auto end = std::min<int64_t>(std::ssize(rows), page.offset + page.limit);
  for (int64_t at = page.offset; at < end; ++at) {
    answer["rows"].push_back(rows[static_cast<size_t>(at)]->json());
  }
  return answer;
}

}  // namespace

ViewDef compare_view() {
  std::vector<std::string> parameters = pair_parameters();
  for (const char* name : {"verdict", "sort", "order", "offset", "limit"})
    parameters.push_back(name);
  return {.name = "compare",
          .parameters = std::move(parameters),
          .list = "rows",
          .run = run_compare_view};
}

}  // namespace opbench
