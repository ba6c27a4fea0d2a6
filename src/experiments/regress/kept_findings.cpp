#include "experiments/regress/kept_findings.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files/file.h"
#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "watching/series/alert_json.h"

namespace opbench {
namespace {

constexpr const char* kFindingsSchema = "opbench.watch.findings/1";

Json json_of_nights(const std::vector<Night>& nights) {
  Json list = Json::array();
  for (const Night& night : nights) {
    Json commits = Json::array();
    for (const Commit& commit : night.commits) {
      commits.push_back({{"id", commit.id}, {"is_code", commit.is_code}});
    }
    list.push_back({{"index", night.index},
                    {"date", night.date},
                    {"commits", std::move(commits)},
                    {"environment", night.environment},
                    {"method", night.method}});
  }
  return list;
}

std::vector<Night> nights_of_json(const Json& list) {
  std::vector<Night> nights;
  for (const Json& item : list) {
    Night night{.index = item.at("index").get<int>(),
                .date = item.at("date").get<std::string>(),
                .environment = item.at("environment").get<std::string>(),
                .method = item.at("method").get<std::string>()};
    for (const Json& commit : item.at("commits")) {
      night.commits.push_back(
          {.id = commit.at("id").get<std::string>(), .is_code = commit.at("is_code").get<bool>()});
    }
    nights.push_back(std::move(night));
  }
  return nights;
}

Result<KeptFindings> findings_of_json(const Json& json) {
  KeptFindings findings{.suite = json.at("suite").get<std::string>(),
                        .branch = json.at("branch").get<std::string>(),
                        .machine = json.at("machine").get<std::string>(),
                        .night = json.at("night").get<std::string>(),
                        .commit = json.at("commit").get<std::string>(),
                        .at = json.at("at").get<std::string>(),
                        .cases = json.at("cases").get<int>(),
                        .left_out = json.at("left_out").get<int>(),
                        .nights = nights_of_json(json.at("nights"))};
  for (const Json& failure : json.at("failures")) {
    findings.failures.push_back(
        {failure.at("case").get<std::string>(), failure.at("reason").get<std::string>()});
  }
  OPBENCH_TRY(findings.report, regress_of_json(json.at("report")));
  return findings;
}

}  // namespace

std::filesystem::path findings_file(const std::filesystem::path& watch_folder,
                                    const std::string& branch, const std::string& machine) {
  return watch_folder /
         fmt::format("findings-{}.json", sha256(branch + "\n" + machine).substr(0, 16));
}

Result<void> keep_findings(const std::filesystem::path& watch_folder,
                           const KeptFindings& findings) {
  OPBENCH_CHECK(make_writable_folder(watch_folder));
  Json failures = Json::array();
  for (const Fact& failure : findings.failures) {
    failures.push_back({{"case", failure.label}, {"reason", failure.text}});
  }
  const Json json = {{"schema", kFindingsSchema},
                     {"suite", findings.suite},
                     {"branch", findings.branch},
                     {"machine", findings.machine},
                     {"night", findings.night},
                     {"commit", findings.commit},
                     {"at", findings.at},
                     {"cases", findings.cases},
                     {"left_out", findings.left_out},
                     {"failures", std::move(failures)},
                     {"nights", json_of_nights(findings.nights)},
                     {"report", regress_json(findings.report)}};
  return write_file(findings_file(watch_folder, findings.branch, findings.machine),
                    json_text(json) + "\n");
}

Result<std::optional<KeptFindings>> read_findings(const std::filesystem::path& watch_folder,
                                                  const std::string& branch,
                                                  const std::string& machine) {
  const std::filesystem::path file = findings_file(watch_folder, branch, machine);
  if (!std::filesystem::exists(file)) return std::optional<KeptFindings>();
  OPBENCH_TRY(const std::string text, read_file(file));
  OPBENCH_TRY(const Json json, parse_json(text, file.string()));
  try {
    OPBENCH_TRY(KeptFindings findings, findings_of_json(json));
    return std::optional(std::move(findings));
  } catch (const Json::exception& fault) {
    return invalid_input(fmt::format("\"{}\" holds no findings of a night", file.string()))
        .with("reason", fault.what());
  }
}

Result<std::vector<Annotation>> apply_words(const std::filesystem::path& watch_folder,
                                            KeptFindings& findings) {
  OPBENCH_TRY(std::vector<Annotation> words, read_annotations(annotations_in(watch_folder)));
  const History history{.nights = findings.nights};
  apply_annotations(words, history, findings.report.alerts);
  return words;
}

}  // namespace opbench
