#include "records/store/best/best_index_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace opbench {
namespace {

constexpr size_t kMostBytes = size_t{48} << 20;
constexpr size_t kPerEntry = 100;  ///< of memory, beside the payload

BestPayload payload_of(std::string_view bytes) {
  BestPayload payload;
  std::memcpy(&payload, bytes.data(), sizeof payload);
  return payload;
}

bool is_before(double mean_a, double time_a, double mean_b, double time_b) {
  return mean_a != mean_b ? mean_a < mean_b : time_a < time_b;
}

template <class T>
void write_value(std::ostream& stream, const T& value) {
  stream.write(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Sorted entries of one origin: a run on disk or an older index.
class Entries {
 public:
  virtual ~Entries() = default;
  virtual bool next() = 0;
  BestKey key;
  std::string payload;
};

class RunEntries : public Entries {
 public:
  explicit RunEntries(const std::filesystem::path& path) : stream_(path, std::ios::binary) {}
  bool next() override {
    uint32_t size = 0;
    stream_.read(reinterpret_cast<char*>(&key), sizeof key);
    stream_.read(reinterpret_cast<char*>(&size), sizeof size);
    if (!stream_) return false;
    payload.resize(size);
    return static_cast<bool>(stream_.read(payload.data(), size));
  }

 private:
  std::ifstream stream_;
};

class IndexEntries : public Entries {
 public:
  explicit IndexEntries(const BestIndex& index) : index_(index) {}
  bool next() override {
    if (at_ == index_.size()) return false;
    key = index_.key_at(at_);
    payload = index_.payload_at(at_++);
    return true;
  }

 private:
  const BestIndex& index_;
  int64_t at_ = 0;
};

/// Writes payloads as they come, and keys beside them to follow at the end.
class IndexFile {
 public:
  explicit IndexFile(const std::filesystem::path& path)
      : path_(path),
        keys_path_(path.string() + ".keys"),
        stream_(path, std::ios::binary),
        keys_(keys_path_, std::ios::binary) {}

  void add(const BestKey& key, std::string_view payload) {
    write_value(keys_, key);
    write_value(keys_, at_);
    stream_.write(payload.data(), static_cast<std::streamsize>(payload.size()));
    at_ += payload.size();
    ++tail_.entries;
  }

  Result<void> finish(const std::vector<std::string>& texts,
                      const std::map<std::string, std::vector<std::string>>& parts) {
    keys_.close();
    tail_.entries_at = at_;
    if (tail_.entries > 0) stream_ << std::ifstream(keys_path_, std::ios::binary).rdbuf();
    std::error_code ignored;
    std::filesystem::remove(keys_path_, ignored);
    tail_.texts_at = at_ + tail_.entries * (sizeof(BestKey) + sizeof at_);
    tail_.texts = texts.size();
    tail_.parts_at = tail_.texts_at;
    for (const std::string& text : texts) {
      write_value(stream_, static_cast<uint32_t>(text.size()));
      stream_ << text;
      tail_.parts_at += sizeof(uint32_t) + text.size();
    }
    for (const auto& [part, replaced] : parts) {
      const std::string line = fmt::format("{} {}\n", part, fmt::join(replaced, " "));
      stream_ << line;
      tail_.parts_bytes += line.size();
    }
    write_value(stream_, tail_);
    stream_.close();
    if (stream_) return {};
    return Error{ErrorCode::kSystem, fmt::format("cannot write \"{}\"", path_.string())};
  }

 private:
  std::filesystem::path path_, keys_path_;
  std::ofstream stream_, keys_;
  uint64_t at_ = 0;
  BestIndexTail tail_;
};

}  // namespace

BestIndexWriter::BestIndexWriter(std::filesystem::path folder, const BestIndex* older)
    : folder_(std::move(folder)), older_(older) {
  if (older == nullptr) return;
  texts_ = older->texts();
  for (size_t i = 0; i < texts_.size(); ++i) numbers_[texts_[i]] = static_cast<uint32_t>(i);
}

bool BestIndexWriter::is_better(const BestKey& key, double mean_s, double timestamp) const {
  const auto it = gathered_.find(key);
  if (it == gathered_.end()) return true;
  const BestPayload kept = payload_of(it->second);
  return is_before(mean_s, timestamp, kept.mean_s, kept.timestamp);
}

uint32_t BestIndexWriter::number_of(const std::string& text) {
  const auto [it, is_new] = numbers_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(text);
  return it->second;
}

Result<void> BestIndexWriter::add(const BestKey& key, const BestTrial& trial) {
  const BestPayload head{.mean_s = trial.mean_s,
                         .timestamp = trial.timestamp,
                         .config_index = trial.config_index,
                         .line = trial.line,
                         .id = trial.id,
                         .knobs = number_of(trial.knobs),
                         .file = number_of(trial.file),
                         .values_bytes = trial.knob_values.size()};
  std::string payload(reinterpret_cast<const char*>(&head), sizeof head);
  payload += trial.knob_values;
  gathered_bytes_ += payload.size() + kPerEntry;
  gathered_[key] = std::move(payload);
  if (gathered_bytes_ > kMostBytes) return spill();
  return {};
}

Result<void> BestIndexWriter::spill() {
  std::vector<const std::pair<const BestKey, std::string>*> sorted;
  for (const auto& entry : gathered_) sorted.push_back(&entry);
  std::ranges::sort(sorted, {}, [](const auto* entry) { return entry->first; });
  runs_.push_back(folder_ / fmt::format("best-{}", runs_.size()));
  std::ofstream stream(runs_.back(), std::ios::binary);
  for (const auto* entry : sorted) {
    write_value(stream, entry->first);
    write_value(stream, static_cast<uint32_t>(entry->second.size()));
    stream << entry->second;
  }
  stream.close();
  gathered_.clear();
  gathered_bytes_ = 0;
  if (stream) return {};
  return Error{ErrorCode::kSystem, fmt::format("cannot write \"{}\"", runs_.back().string())};
}

Result<void> BestIndexWriter::finish(const std::filesystem::path& file,
                                     const std::map<std::string, std::vector<std::string>>& parts) {
  OPBENCH_CHECK(spill());
  std::vector<std::unique_ptr<Entries>> origins;
  if (older_ != nullptr) origins.push_back(std::make_unique<IndexEntries>(*older_));
  for (const auto& run : runs_) origins.push_back(std::make_unique<RunEntries>(run));
  std::erase_if(origins, [](const auto& entries) { return !entries->next(); });
  IndexFile index(file);
  while (!origins.empty()) {
    const BestKey key = (*std::ranges::min_element(origins, {}, [](const auto& entries) {
                          return entries->key;
                        }))->key;
    std::optional<std::string> best;
    std::erase_if(origins, [&](const auto& entries) {
      if (entries->key != key) return false;
      const BestPayload candidate = payload_of(entries->payload);
      const BestPayload kept = best ? payload_of(*best) : BestPayload();
      if (!best || is_before(candidate.mean_s, candidate.timestamp, kept.mean_s, kept.timestamp)) {
        best = entries->payload;
      }
      return !entries->next();
    });
    index.add(key, *best);
  }
  return index.finish(texts_, parts);
}

}  // namespace opbench
