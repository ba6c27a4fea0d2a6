#include "experiments/regress/night_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "measuring/results/statistics.h"

namespace opbench {
namespace {

/// Where a night stands: its commit's place on the branch, else behind the others by its time.
using NightPlace = std::tuple<bool, size_t, std::string, std::string>;

class HistoryMaker {
 public:
  HistoryMaker(const Suite& suite, const HistoryScope& scope) : suite_(suite), scope_(scope) {
    for (size_t at = 0; at < scope.commits.size(); ++at) places_[scope.commits[at].id] = at;
  }

  WatchedHistory make(const std::vector<NightResult>& results) {
    const std::map<NightPlace, Members> nights = nights_of(results);
    for (const auto& [place, members] : nights) add_night(members);
    std::string earliest;  // of the nights behind one
    auto night = watched_.history.nights.rbegin();
    for (auto entry = nights.rbegin(); entry != nights.rend(); ++entry, ++night) {
      const std::string& begin = entry->second.front()->timestamp;
      const std::string& filled_for = entry->second.front()->labels.filled_for;
      night->is_filled = !filled_for.empty() || (!earliest.empty() && begin > earliest);
      if (earliest.empty() || begin < earliest) earliest = begin;
    }
    return std::move(watched_);
  }

 private:
  using Members = std::vector<const NightResult*>;

  bool is_tonight(const NightResult& result) const {
    return !scope_.tonight.empty() && result.labels.night == scope_.tonight;
  }

  std::map<NightPlace, Members> nights_of(const std::vector<NightResult>& results) const {
    std::map<std::string, std::string> begins;  // by night
    std::map<NightPlace, Members> nights;
    for (const NightResult& result : results) {
      const bool is_of_base = result.labels.branch == scope_.branch;
      if (result.machine != scope_.machine || !(is_of_base || is_tonight(result))) continue;
      const std::string& begin =
          begins.emplace(result.labels.branch + "/" + result.labels.night, result.timestamp)
              .first->second;
      const auto known = places_.find(result.labels.commit);
      const bool is_last = !is_of_base || (known == places_.end() && !places_.empty());
      const size_t place = known == places_.end() ? 0 : known->second;
      nights[{is_last, place, places_.empty() ? begin : "", result.labels.night}].push_back(
          &result);
    }
    return nights;
  }

  void add_night(const Members& members) {
    const NightLabels& labels = members.front()->labels;
    Night night{.index = static_cast<int>(watched_.history.nights.size()),
                .date = labels.night,
                .commits = commits_before(labels.commit),
                .environment = labels.surroundings,
                .method = labels.method};
    std::set<int> seen;
    units_.clear();
    for (auto member = members.rbegin(); member != members.rend(); ++member) {
      const NightResult& result = **member;
      if (result.values.empty()) continue;
      if (result.scope == "model") add_total(result, night);
      const int series = series_of(result);
      if (seen.insert(series).second) {
        night.rows.push_back({.series = series, .hash = result.code_hash, .values = result.values});
        add_to_chain(result, series, night);
      }
    }
    std::ranges::sort(night.rows, {}, &NightRow::series);
    keep_chains(night);
    watched_.commits.push_back(labels.commit);
    last_commit_ = labels.commit;
    watched_.history.nights.push_back(std::move(night));
  }

  /// Since the night before.
  std::vector<Commit> commits_before(const std::string& commit) const {
    const auto last = places_.find(last_commit_), now = places_.find(commit);
    if (commit == last_commit_) return {};
    if (last == places_.end() || now == places_.end() || last->second > now->second) {
      return {{.id = commit}};
    }
    std::vector<Commit> commits;
    for (size_t at = last->second + 1; at <= now->second; ++at) {
      commits.push_back({.id = scope_.commits[at].id, .is_code = scope_.commits[at].is_code});
    }
    return commits;
  }

  static std::string model_of(const NightResult& result) {
    return fmt::format("{}@{}", result.subject, result.threads);
  }

  void add_total(const NightResult& result, Night& night) {
    const std::string name = result.engine + "/" + model_of(result);
    if (!night.models.emplace(name, median(result.values)).second) return;
    if (scope_.chains.contains(result.subject)) return;
    night.chains[name] = night.models[name];
    watched_.chains.emplace(name, PairedChain{.subject = subject_of(result, "")});
  }

  /// The chain of a unit in its model; the model where its chains are not known.
  std::string chain_of(const NightResult& result) const {
    const auto chains = scope_.chains.find(result.subject);
    if (chains == scope_.chains.end()) return model_of(result);
    const std::string chain =
        result.scope == "unit" ? chains->second.chain_of(result.identity.nodes) : "";
    return chain.empty() ? "" : model_of(result) + "/" + chain;
  }

  /// A unit's time and text go into its chain's.
  void add_to_chain(const NightResult& result, int series, Night& night) {
    const Series& own = watched_.history.series[static_cast<size_t>(series)];
    if (own.chain.empty() || own.chain == own.model) return;
    const std::string name = own.engine + "/" + own.chain;
    night.chains[name] += median(result.values);
    PairedChain& chain = units_[name];
    chain.subject = subject_of(result, "");
    chain.subject.is_whole = false;
    chain.units.insert(own.unit);
    chain.model = own.engine + "/" + own.model;
  }

  /// As the last night has them.
  void keep_chains(const Night& night) {
    for (auto& [name, chain] : units_) {
      const auto model = night.models.find(chain.model);
      if (model != night.models.end()) chain.share = night.chains.at(name) / model->second;
      watched_.chains[name] = std::move(chain);
    }
  }

  PairedSubject subject_of(const NightResult& result, const std::string& unit) const {
    const bool is_workload = std::ranges::count(suite_.workloads, result.subject) > 0;
    return {.suite_case = {result.subject, is_workload, result.engine, result.threads},
            .cache = suite_.cache,
            .check = suite_.check,
            .unit = is_workload ? "" : unit};
  }

  int series_of(const NightResult& result) {
    const bool is_unit = result.scope == "unit";
    // A unit's workload is `opbench.TEXT`.
    const std::string workload = workload_text(result.identity);
    const size_t dot = workload.find('.');
    const std::string text = is_unit ? workload.substr(dot + 1) : "model";
    const std::string& frozen = result.labels.frozen;
    std::string engine =
        frozen.empty() ? result.engine : result.engine + "-" + short_commit(frozen);
    // A change of the clock is none of the time.
    if (!result.clock.empty()) engine += " (" + result.clock + ")";
    std::string id = fmt::format("{}/{}/{}", engine, model_of(result), text);
    if (is_unit && has_other_nodes(id, result)) id += " at " + result.identity.nodes.front();
    const auto [known, is_new] =
        numbers_.emplace(id, static_cast<int>(watched_.history.series.size()));
    if (!is_new) return known->second;
    watched_.history.series.push_back(
        {.id = id,
         .engine = result.engine,
         .is_control = std::ranges::count(suite_.controls, result.engine) > 0,
         .is_frozen = !frozen.empty(),
         .model = model_of(result),
         .chain = chain_of(result),
         .unit = text,
         .nodes = result.identity.nodes});
    watched_.subjects[id] = subject_of(result, is_unit ? text : "");
    return known->second;
  }

  /// Whether the series of this id covers other nodes, as where one workload lies in two layouts.
  bool has_other_nodes(const std::string& id, const NightResult& result) const {
    const auto known = numbers_.find(id);
    if (known == numbers_.end() || result.identity.nodes.empty()) return false;
    const std::vector<std::string>& nodes =
        watched_.history.series[static_cast<size_t>(known->second)].nodes;
    return !nodes.empty() &&
           std::ranges::find_first_of(nodes, result.identity.nodes) == nodes.end();
  }

  const Suite& suite_;
  const HistoryScope& scope_;
  std::map<std::string, size_t> places_;  ///< of commits on the branch
  std::map<std::string, int> numbers_;    ///< of series
  std::string last_commit_;
  std::map<std::string, PairedChain> units_;  ///< chains of the night that is added
  WatchedHistory watched_;
};

}  // namespace

WatchedHistory history_of_nights(const std::vector<NightResult>& results, const Suite& suite,
                                 const HistoryScope& scope) {
  return HistoryMaker(suite, scope).make(results);
}

}  // namespace opbench
