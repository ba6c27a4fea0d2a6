#include "presentation/web/site/site_export.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "base/files/file.h"
#include "base/json/json_text.h"
#include "presentation/web/view.h"
#include "records/record/benchmark_times.h"

namespace opbench {
namespace {

constexpr const char* kManifest = "data/manifest.js";
constexpr const char* kDataMark = "<!-- opbench-data -->";

/// How many of each kind of request are exported at most.
constexpr size_t kMostSeriesAnswers = 200, kMostRuns = 20, kMostDetails = 40, kMostWorkloads = 40,
                 kMostSuites = 10, kMostTasks = 30, kMostPlans = 20;

/// Asks views and writes their answers as scripts.
class SiteWriter {
 public:
  SiteWriter(WebStore& store, const std::string& version, std::filesystem::path folder,
             size_t most_bytes)
      : context_{.store = store, .version = version, .exported_at = rfc3339_of_us(now_us())},
        folder_(std::move(folder)),
        most_bytes_(most_bytes) {}

  /// The answer; null where the view refuses or there is no room for it. Asked twice, it is written
  /// once.
  Result<Json> add(const std::string& path, const WebRequest::Parameters& parameters) {
    const WebRequest wanted(parameters);
    const std::string query = wanted.canonical_query();
    const std::string key = "api/" + path + (query.empty() ? "" : "?" + query);
    if (known_.contains(key)) return Json();
    OPBENCH_TRY(const ViewDef* const view, view_table().find(path));
    WebRequest::Parameters asked = parameters;
    if (std::ranges::count(view->parameters, "limit") > 0 && path != "series") {
      asked.emplace_back("limit", std::to_string(WebRequest::kMostExportedRows));
    }
    auto answer = answer_of(*view, context_, WebRequest(asked));
    if (!answer) return Json();  // a page without anything to show has no answer
    const std::string script =
        fmt::format("opbenchData({}, {});\n", json_text(key), json_text(*answer));
    const bool is_needed = path == "overview";  // without it no page opens
    if (!is_needed && bytes_ + script.size() > most_bytes_) {
      ++refused_;
      return Json();
    }
    const std::string file = fmt::format("data/{:04}.js", known_.size() + 1);
    OPBENCH_CHECK(write(file, script));
    known_.emplace(key, file);
    bytes_ += script.size();
    return std::move(*answer);
  }

  Result<void> write(const std::string& name, const std::string& text) {
    const std::filesystem::path file = folder_ / name;
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    OPBENCH_CHECK(write_file(file, text));
    ++site_.files;
    site_.bytes += static_cast<int64_t>(text.size());
    return {};
  }

  void leave_out(const std::string& sentence) { context_.left_out.push_back(sentence); }

  /// The list of all answers, and the overview that says what is left out.
  Result<SiteExport> finish() {
    if (refused_ > 0) {
      leave_out(fmt::format("{} answers, since all of them take more than {} MB.", refused_,
                            most_bytes_ >> 20));
    }
    leave_out("The page SQL, which needs the store.");
    OPBENCH_CHECK(add("overview", {}));
    Json answers = Json::object();
    for (const auto& [key, file] : known_) answers[key] = file;
    OPBENCH_CHECK(
        write(kManifest, fmt::format("opbenchManifest({});\n",
                                     json_text(Json{{"answers", std::move(answers)},
                                                    {"left_out", context_.left_out},
                                                    {"exported_at", context_.exported_at}}))));
    site_.left_out = context_.left_out;
    return site_;
  }

  /// The overview as it is now, which is not written.
  Result<Json> look() {
    OPBENCH_TRY(const ViewDef* const view, view_table().find("overview"));
    return answer_of(*view, context_, WebRequest({}));
  }

 private:
  ViewContext context_;
  std::filesystem::path folder_;
  size_t most_bytes_;
  std::map<std::string, std::string> known_;  ///< requests and their files
  size_t bytes_ = 0;
  size_t refused_ = 0;
  SiteExport site_;
};

std::string text_member(const Json& object, const char* name) {
  const Json value = object.value(name, Json());
  return value.is_string() ? value.get<std::string>() : "";
}

Result<void> add_pair(const Json& pair, SiteWriter& site) {
  if (!pair.is_object()) return {};
  const WebRequest::Parameters sides = {{"a", text_member(pair, "a")},
                                        {"b", text_member(pair, "b")}};
  OPBENCH_TRY(const Json answer, site.add("compare", sides));
  for (const char* side : {"a", "b"}) {
    WebRequest::Parameters only = sides;
    only.emplace_back("side", side);
    OPBENCH_CHECK(site.add("compare/only", only));
  }
  if (!answer.is_object()) return {};
  size_t details = 0;
  for (const Json& row : answer["rows"]) {
    if (++details > kMostDetails) {
      site.leave_out(
          fmt::format("Details of a comparison's rows beyond the first {}.", kMostDetails));
      break;
    }
    WebRequest::Parameters detail = sides;
    detail.emplace_back("key", text_member(row, "key"));
    OPBENCH_CHECK(site.add("compare/row", detail));
  }
  return {};
}

/// The series of alerts, each alone, as a page asks for them.
void note_series(const Json& alerts, std::vector<std::string>& ids) {
  for (const Json& alert : alerts) {
    for (const Json& row : alert["rows"]) {
      const std::string id = text_member(row, "id");
      if (!id.empty() && std::ranges::count(ids, id) == 0) ids.push_back(id);
    }
  }
}

Result<void> add_suites(const Json& suites, std::vector<std::string>& ids, SiteWriter& site) {
  size_t count = 0;
  for (const Json& suite : suites) {
    if (++count > kMostSuites) {
      site.leave_out(fmt::format("Suites beyond the {} that were measured last.", kMostSuites));
      break;
    }
    OPBENCH_TRY(const Json tonight,
                site.add("tonight", {{"suite", text_member(suite, "suite")},
                                     {"branch", text_member(suite, "branch")},
                                     {"machine", text_member(suite, "machine")}}));
    if (!tonight.is_object()) continue;
    note_series(tonight["alerts"], ids);
    OPBENCH_CHECK(add_pair(tonight["compare"], site));
    for (const Json& alert : tonight["alerts"]) {
      if (alert["is_open"] == true) OPBENCH_CHECK(add_pair(alert["compare"], site));
    }
  }
  return {};
}

Result<void> add_series(const Json& usual, std::vector<std::string> ids, SiteWriter& site) {
  OPBENCH_TRY(const Json list, site.add("series/list", {}));
  WebRequest::Parameters together;
  if (usual.is_object()) {
    for (const Json& id : usual["id"]) {
      together.emplace_back("id", id.get<std::string>());
      ids.push_back(id.get<std::string>());
    }
    OPBENCH_CHECK(site.add("series", together));
  }
  if (list.is_object()) {
    for (const Json& row : list["rows"]) ids.push_back(text_member(row, "id"));
  }
  std::set<std::string> seen;
  for (const std::string& id : ids) {
    if (seen.size() == kMostSeriesAnswers) {
      site.leave_out(fmt::format("Series beyond the first {}.", kMostSeriesAnswers));
      break;
    }
    if (seen.insert(id).second) OPBENCH_CHECK(site.add("series", {{"id", id}}));
  }
  return {};
}

/// The graph without an engine, as a page asks for an engine without units, and that of each
/// engine.
Result<void> add_graphs(const std::string& run, const Json& model, SiteWriter& site) {
  const WebRequest::Parameters usual = {{"run", run}, {"model", text_member(model, "model")}};
  OPBENCH_CHECK(site.add("model/graph", usual));
  for (const Json& engine : model["engines"]) {
    WebRequest::Parameters chosen = usual;
    chosen.emplace_back("engine", text_member(engine, "key"));
    OPBENCH_CHECK(site.add("model/graph", chosen));
  }
  return {};
}

Result<void> add_models(const Json& usual, SiteWriter& site) {
  OPBENCH_TRY(const Json runs, site.add("runs", {}));
  std::vector<std::string> selectors;
  if (usual.is_object()) selectors.push_back(text_member(usual, "run"));
  if (runs.is_object()) {
    for (const Json& run : runs["rows"]) selectors.push_back(text_member(run, "selector"));
  }
  size_t count = 0;
  for (const std::string& selector : selectors) {
    if (++count > kMostRuns) {
      site.leave_out(fmt::format("The models of runs beyond the {} newest.", kMostRuns));
      break;
    }
    OPBENCH_TRY(const Json model, site.add("model", {{"run", selector}}));
    if (!model.is_object()) continue;
    OPBENCH_CHECK(add_graphs(selector, model, site));
  }
  return {};
}

/// A list, and the first answers to what its rows name.
Result<void> add_list(const std::string& list_path, const std::string& path, const char* member,
                      const char* parameter, size_t most, SiteWriter& site) {
  if (!view_table().find(list_path)) return {};
  OPBENCH_TRY(const Json list, site.add(list_path, {}));
  if (!list.is_object()) return {};
  size_t count = 0;
  for (const Json& row : list["rows"]) {
    if (++count > most) {
      site.leave_out(
          fmt::format("Of the list {}, what lies beyond the first {}.", list_path, most));
      break;
    }
    OPBENCH_CHECK(site.add(path, {{parameter, text_member(row, member)}}));
  }
  return {};
}

Result<void> add_plans(SiteWriter& site) {
  OPBENCH_TRY(const Json plans, site.add("plans", {}));
  if (!plans.is_object()) return {};
  for (const auto& [list, path] :
       {std::pair("plans", "plans/timeline"), std::pair("interference", "plans/interference")}) {
    size_t count = 0;
    for (const Json& row : plans[list]) {
      if (++count > kMostPlans) {
        site.leave_out(
            fmt::format("Of the page Plans, {} beyond the {} newest.", list, kMostPlans));
        break;
      }
      OPBENCH_CHECK(site.add(path, {{"id", text_member(row, "id")}}));
    }
  }
  return {};
}

/// Empty, or with an earlier export in it.
Result<void> check_folder(const std::filesystem::path& folder) {
  std::error_code fault;
  if (!std::filesystem::exists(folder, fault)) return make_writable_folder(folder);
  const bool is_site = std::filesystem::exists(folder / kManifest, fault);
  if (!std::filesystem::is_directory(folder, fault) ||
      (!is_site && !std::filesystem::is_empty(folder, fault))) {
    return invalid_input(
               fmt::format("\"{}\" is no empty folder and no exported site", folder.string()))
        .with("needed", "a new folder, which is made, or that of an earlier export");
  }
  OPBENCH_CHECK(make_writable_folder(folder));
  std::filesystem::remove_all(folder / "data", fault);
  return {};
}

Result<void> write_bundle(const std::map<std::string, std::string>& bundle, SiteWriter& site) {
  for (const auto& [name, content] : bundle) {
    std::string text = content;
    if (name == "index.html") {
      const size_t mark = text.find(kDataMark);
      if (mark == std::string::npos) {
        return Error{ErrorCode::kSystem, "index.html of the pages has no place for data"}.with(
            "run", "./dev web");
      }
      text.replace(mark, std::string_view(kDataMark).size(),
                   fmt::format("<script src=\"{}\"></script>", kManifest));
    }
    OPBENCH_CHECK(site.write(name, text));
  }
  return {};
}

}  // namespace

Result<SiteExport> export_site(WebStore& store, const std::string& version,
                               const std::map<std::string, std::string>& bundle,
                               const std::filesystem::path& folder, size_t most_bytes) {
  OPBENCH_CHECK(check_folder(folder));
  SiteWriter site(store, version, folder, most_bytes);
  OPBENCH_CHECK(write_bundle(bundle, site));
  OPBENCH_TRY(const Json overview, site.look());
  const Json& pages = overview["pages"];
  std::vector<std::string> ids;
  OPBENCH_CHECK(add_pair(pages["compare"], site));
  OPBENCH_CHECK(add_suites(overview["suites"], ids, site));
  OPBENCH_CHECK(add_series(pages["series"], std::move(ids), site));
  OPBENCH_CHECK(add_models(pages["model"], site));
  OPBENCH_CHECK(site.add("machines", {}));
  OPBENCH_CHECK(add_list("workloads", "workload", "workload", "workload", kMostWorkloads, site));
  OPBENCH_CHECK(add_list("tuning", "tuning/task", "key", "key", kMostTasks, site));
  OPBENCH_CHECK(add_plans(site));
  return site.finish();
}

}  // namespace opbench
