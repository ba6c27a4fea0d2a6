#include "records/formats/best_records.h"

#include <algorithm>

#include "machine/target/target_text.h"
#include "records/formats/logs/tuning_codec.h"
#include "records/json/python_json.h"

namespace opbench {
namespace {

using Key = std::pair<std::string, std::string>;  // model, key or target, then the workload

}  // namespace

std::string config_identity(const TuningRecord& record) {
  const Result<TvmTarget> target = parse_tvm_target(record.target);
  std::string text = target ? target->canonical : record.target;
  text += "\n" + workload_key(record) + "\n";
  TuningRecord config{.config = record.config};
  config.origin.format = TuningFormat::kAutotvm02;
  if (const auto line = encode_autotvm(config)) return text + *line;
  if (const auto* ansor = std::get_if<AnsorConfig>(&record.config)) {
    for (const AnsorStep& step : ansor->steps) {
      text += step.kind + python_json(Argument::of_tuple(step.items));
    }
  }
  if (const auto* trace = std::get_if<TraceConfig>(&record.config)) text += trace->trace_json;
  return text;
}

std::string to_text(const Provenance& provenance) {
  switch (provenance.kind) {
    case Provenance::Kind::kExact:
      return "exact";
    case Provenance::Kind::kSameModel:
      return "same-model";
    case Provenance::Kind::kOtherKind:
      return "same-model-other-kind";
    default:
      return "borrowed-by-key(" + provenance.key + ", from " + provenance.from + ")";
  }
}

struct BestRecords::Maps {
  struct Slot {
    BestRecord best;
    int uses = 0;
  };
  using Map = std::map<Key, size_t>;

  TvmRules rules = TvmRules::k014;
  std::vector<Slot> slots;
  std::vector<size_t> free_slots;
  Map by_model, by_key, by_target;
  std::map<std::string, std::optional<TvmTarget>> targets;
  int64_t added = 0;

  const std::optional<TvmTarget>& target_of(const std::string& text) {
    const auto known = targets.find(text);
    if (known != targets.end()) return known->second;
    const Result<TvmTarget> target = parse_tvm_target(text);
    return targets.emplace(text, target ? std::optional(*target) : std::nullopt).first->second;
  }

  bool is_better(const Map& map, const Key& key, double mean) const {
    const auto known = map.find(key);
    return known == map.end() || slots[known->second].best.mean_s > mean;
  }

  size_t new_slot() {
    if (free_slots.empty()) {
      slots.emplace_back();
      return slots.size() - 1;
    }
    const size_t slot = free_slots.back();
    free_slots.pop_back();
    return slot;
  }

  void put(Map& map, const Key& key, size_t slot) {
    const auto [known, is_new] = map.emplace(key, slot);
    if (!is_new) {
      Slot& old = slots[known->second];
      if (--old.uses == 0) {
        old.best = BestRecord{};
        free_slots.push_back(known->second);
      }
      known->second = slot;
    }
    ++slots[slot].uses;
  }

  const BestRecord* find(const Map& map, const std::string& first,
                         const std::string& workload) const {
    const auto found = map.find({first, workload});
    return found == map.end() ? nullptr : &slots[found->second].best;
  }

  /// How a record of some target answers for `target`.
  Provenance provenance(const TvmTarget& target, const BestRecord& best,
                        const std::string& key) const {
    const std::optional<TvmTarget>& source = targets.at(best.record.target);
    if (source->identity == target.identity) return {};
    const bool is_model = target.model != "unknown" && source->model == target.model;
    if (!is_model) return {Provenance::Kind::kBorrowed, key, source->model};
    const bool is_kind = source->identity.kind == target.identity.kind;
    return {is_kind ? Provenance::Kind::kSameModel : Provenance::Kind::kOtherKind, "",
            source->model};
  }
};

BestRecords::BestRecords(TvmRules rules) : maps_(std::make_unique<Maps>()) { maps_->rules = rules; }
BestRecords::BestRecords(BestRecords&&) noexcept = default;
BestRecords& BestRecords::operator=(BestRecords&&) noexcept = default;
BestRecords::~BestRecords() = default;

void BestRecords::add(const TuningRecord& record, std::string_view text) {
  ++maps_->added;
  if (record.result.error_no != 0 || record.result.costs_s.empty()) return;
  const std::optional<TvmTarget>& target = maps_->target_of(record.target);
  if (!target) return;
  const double mean = mean_cost(record.result.costs_s);
  const std::string workload = workload_key(record);
  std::vector<std::pair<Maps::Map*, Key>> places;
  const auto consider = [&](Maps::Map& map, const std::string& first) {
    Key key{first, workload};
    if (maps_->is_better(map, key, mean)) places.emplace_back(&map, std::move(key));
  };
  for (const std::string& key : target->keys_by(maps_->rules)) consider(maps_->by_key, key);
  if (target->model != "unknown") consider(maps_->by_model, target->model);
  consider(maps_->by_target, canonical_text(target->identity));
  if (places.empty()) return;
  const size_t slot = maps_->new_slot();
  maps_->slots[slot].best = {record, std::string(text), mean, maps_->added};
  for (const auto& [map, key] : places) maps_->put(*map, key, slot);
}

int64_t BestRecords::by_model_size() const { return std::ssize(maps_->by_model); }
int64_t BestRecords::by_key_size() const { return std::ssize(maps_->by_key); }

std::vector<const BestRecord*> BestRecords::all() const {
  std::set<size_t> chosen;
  for (const auto& [key, slot] : maps_->by_model) chosen.insert(slot);
  for (const auto& [key, slot] : maps_->by_key) chosen.insert(slot);
  std::vector<const BestRecord*> records;
  for (const size_t slot : chosen) records.push_back(&maps_->slots[slot].best);
  std::ranges::sort(records, {}, &BestRecord::number);
  return records;
}

std::vector<std::string> BestRecords::workloads() const {
  std::set<std::string> names;
  for (const auto& [key, slot] : maps_->by_target) names.insert(key.second);
  return {names.begin(), names.end()};
}

std::optional<BestAnswer> BestRecords::find_exact(const TvmTarget& target,
                                                  const std::string& workload) const {
  const BestRecord* best = maps_->find(maps_->by_target, canonical_text(target.identity), workload);
  if (best == nullptr) return {};
  return BestAnswer{best, {}};
}

std::optional<BestAnswer> BestRecords::find(const TvmTarget& target,
                                            const std::string& workload) const {
  const auto exact = find_exact(target, workload);
  return exact ? exact : find_as_tvm(target, workload);
}

std::optional<BestAnswer> BestRecords::find_as_tvm(const TvmTarget& target,
                                                   const std::string& workload) const {
  const BestRecord* by_model =
      target.model == "unknown" ? nullptr : maps_->find(maps_->by_model, target.model, workload);
  if (by_model != nullptr) return BestAnswer{by_model, maps_->provenance(target, *by_model, "")};
  for (const std::string& key : target.keys_by(maps_->rules)) {
    const BestRecord* best = maps_->find(maps_->by_key, key, workload);
    if (best != nullptr) return BestAnswer{best, maps_->provenance(target, *best, key)};
  }
  return {};
}

PickBest::PickBest(const BestRecords& records) {
  for (const BestRecord* best : records.all()) wanted_.insert(config_identity(best->record));
}

bool PickBest::takes(const TuningRecord& record) {
  return wanted_.erase(config_identity(record)) > 0;
}

}  // namespace opbench
