#include "experiments/regress/night_run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <set>

#include "base/errors/error_line.h"
#include "base/files/file.h"
#include "base/json/json_text.h"
#include "base/numbers/hash.h"
#include "records/record/profile_records.h"
#include "records/store/parts/benchmark_parts.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNightSchema = "opbench.night/1";
constexpr int kMethodVersion = 1;  // of rules and timer: raised where times change by them
constexpr double kNightSeconds = 18 * 3600;  // a night that was cut off longer ago is over
constexpr size_t kNameDigits = 12;

double now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string case_key(const std::string& subject, const std::string& engine, int threads) {
  return fmt::format("{}|{}|{}", subject, engine, threads);
}

/// One night, in the order of its member functions.
class NightRun {
 public:
  NightRun(const NightRequest& request, StoreFolder& store) : request_(request), store_(store) {}

  Result<NightOutcome> run() {
    OPBENCH_TRY(const std::vector<NightResult> results, night_results(store_, request_.suite.name));
    OPBENCH_CHECK(choose_night(results));
    find_measured(results);
    const std::vector<SuiteCase> cases =
        request_.cases.empty() ? cases_of(request_.suite) : request_.cases;
    const double budget_s = case_budget_s(request_.suite);
    for (size_t i = 0; i < cases.size(); ++i) {
      if (measured_.contains(case_key(cases[i].subject, cases[i].engine, cases[i].threads))) {
        ++outcome_.kept;
        continue;
      }
      if (request_.hooks.is_cancelled()) {
        ++outcome_.open;
        continue;
      }
      tell(cases[i], i, cases.size(), budget_s);
      OPBENCH_CHECK(measure(cases[i], budget_s));
    }
    if (outcome_.open == 0 && request_.cases.empty()) OPBENCH_CHECK(keep_state(true));
    return std::move(outcome_);
  }

 private:
  fs::path state_file() const {
    return watch_folder(request_.store, request_.suite.name) / "night.json";
  }

  /// The one that was asked for, the one that was cut off, or the next free one of today.
  Result<void> choose_night(const std::vector<NightResult>& results) {
    NightLabels& labels = outcome_.labels;
    labels = {.suite = request_.suite.name,
              .branch = request_.branch,
              .night = request_.night,
              .commit = request_.commit,
              .method = method_of(request_.suite),
              .surroundings = request_.surroundings,
              .filled_for = request_.filled_for};
    if (!request_.cases.empty()) return {};
    if (labels.night.empty()) labels.night = night_to_resume();
    if (labels.night.empty()) {
      std::set<std::string> taken;
      for (const NightResult& result : results) taken.insert(result.labels.night);
      labels.night = today();
      for (int number = 2; taken.contains(labels.night); ++number) {
        labels.night = fmt::format("{}.{}", today(), number);
      }
    }
    return keep_state(false);
  }

  std::string night_to_resume() const {
    const auto text = read_file(state_file());
    const auto json = text ? parse_json(*text, "the state of a night") : Json();
    if (!json || !json->is_object() || json->value("is_done", Json(true)) != false) return "";
    const auto same = [&](const char* name, const std::string& value) {
      return json->value(name, Json()) == value;
    };
    const NightLabels& labels = outcome_.labels;
    const Json begun = json->value("begun_s", Json());
    const bool goes_on = same("branch", labels.branch) && same("commit", labels.commit) &&
                         same("method", labels.method) && begun.is_number() &&
                         std::abs(now_s() - begun.get<double>()) < kNightSeconds;
    const Json night = json->value("night", Json());
    return goes_on && night.is_string() ? night.get<std::string>() : "";
  }

  Result<void> keep_state(bool is_done) {
    const NightLabels& labels = outcome_.labels;
    const Json json = {{"schema", kNightSchema},  {"night", labels.night},
                       {"branch", labels.branch}, {"commit", labels.commit},
                       {"method", labels.method}, {"begun_s", now_s()},
                       {"is_done", is_done}};
    return write_file(state_file(), json_text(json) + "\n");
  }

  void find_measured(const std::vector<NightResult>& results) {
    for (const NightResult& result : results) {
      const bool is_tonight = result.labels.night == outcome_.labels.night &&
                              result.labels.branch == outcome_.labels.branch;
      if (is_tonight) measured_.insert(case_key(result.subject, result.engine, result.threads));
    }
  }

  void tell(const SuiteCase& suite_case, size_t done, size_t total, double budget_s) const {
    if (!request_.hooks.progress) return;
    request_.hooks.progress({.stage = "night",
                             .engine = suite_case.engine,
                             .item = text_of(suite_case),
                             .done = static_cast<int64_t>(done),
                             .total = static_cast<int64_t>(total),
                             .eta_s = budget_s * static_cast<double>(total - done)});
  }

  Result<void> measure(const SuiteCase& suite_case, double budget_s) {
    OPBENCH_TRY(ProfileRequest profile, request_of_case(request_.suite, suite_case, budget_s));
    profile.hooks = request_.hooks;
    NightLabels labels = outcome_.labels;
    const auto frozen = request_.frozen.find(suite_case.engine);
    if (frozen != request_.frozen.end()) labels.frozen = frozen->second;
    profile.notes = {.argv = request_.argv, .labels = labels_of(labels, suite_case.subject)};
    const auto result = request_.measure(profile);
    // What was measured of a case when it was interrupted is not a night's time.
    if (request_.hooks.is_cancelled()) {
      ++outcome_.open;
      return {};
    }
    if (!result) {
      outcome_.failures.push_back({text_of(suite_case), one_line_text(result.error())});
      return {};
    }
    OPBENCH_TRY(const std::vector<BenchmarkRecord> records, records_of(*result));
    if (records.empty()) {
      outcome_.failures.push_back({text_of(suite_case), "it has no times"});
      return {};
    }
    OPBENCH_CHECK(append_records(store_, records));
    ++outcome_.measured;
    for (const BenchmarkRecord& record : records) {
      if (record.status == "ok") continue;
      outcome_.failures.push_back({text_of(suite_case), record.error_message.value_or("failed")});
      break;
    }
    return {};
  }

  const NightRequest& request_;
  StoreFolder& store_;
  std::set<std::string> measured_;
  NightOutcome outcome_;
};

}  // namespace

fs::path watch_folder(const fs::path& store, const std::string& suite) {
  return store / "watch" / suite;
}

Result<NightLock> NightLock::take(const fs::path& store, const std::string& suite) {
  const fs::path folder = watch_folder(store, suite);
  OPBENCH_CHECK(make_writable_folder(folder));
  OPBENCH_TRY(FolderLock lock, FolderLock::take(folder, "night.lock", false));
  if (!lock.is_held()) {
    std::string owner = read_file(folder / "night.owner").value_or("a program\n");
    if (owner.ends_with('\n')) owner.pop_back();
    return Error{ErrorCode::kEnvironment,
                 fmt::format("another program measures the suite \"{}\" on this store", suite)}
        .with("it is", owner)
        .with("store", store.string())
        .with("try", "again when it has ended, or another --store");
  }
  const std::string owner = fmt::format("process {}, since {:%Y-%m-%d %H:%M:%S} UTC\n", ::getpid(),
                                        fmt::gmtime(std::time(nullptr)));
  OPBENCH_CHECK(write_file(folder / "night.owner", owner));
  return NightLock(std::move(lock));
}

Result<NightOutcome> run_night(const NightRequest& request) {
  OPBENCH_CHECK(make_writable_folder(watch_folder(request.store, request.suite.name)));
  OPBENCH_TRY(StoreFolder store, StoreFolder::open_to_write(request.store));
  return NightRun(request, store).run();
}

std::string method_of(const Suite& suite) {
  const Json json = {{"version", kMethodVersion},
                     {"budget_s", case_budget_s(suite)},
                     {"cache", suite.cache},
                     {"schema", BenchmarkRecord().schema_version}};
  return fmt::format("{}-{}", kMethodVersion, sha256(canonical_text(json)).substr(0, kNameDigits));
}

std::string surroundings_of(const Environment& environment) {
  const Json json = to_json(environment);
  Json known;
  const Json software = json.value("software", Json::object());
  for (const char* name : {"kernel", "kernel_build", "distribution", "debian_version", "libc",
                           "container", "container_digest", "compiler", "compiler_flags",
                           "build_type", "libraries", "npm", "variables"}) {
    known[name] = software.value(name, Json());
  }
  const Json machine = json.value("machine", Json::object());
  known["microcode"] = machine.value("microcode", Json());
  return sha256(canonical_text(known)).substr(0, kNameDigits);
}

}  // namespace opbench
