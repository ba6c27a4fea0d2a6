#include "records/store/best/best_index.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cstring>

#include "machine/target/target_text.h"
#include "machine/target/tvm_target.h"

namespace opbench {
namespace {

constexpr size_t kEntryBytes = 24;

template <class T>
T value_at(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

}  // namespace

uint64_t target_key_of(const std::string& target) {
  const Result<TvmTarget> parsed = parse_tvm_target(target);
  const std::string text = parsed ? canonical_text(parsed->identity) : target;
  return XXH3_64bits(text.data(), text.size());
}

void UnmapFile::operator()(const char* begin) const { ::munmap(const_cast<char*>(begin), bytes); }

std::optional<BestIndex> BestIndex::open(const std::filesystem::path& store) {
  const std::filesystem::path path = store / "_index" / "best";
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  struct stat info {};
  void* memory = MAP_FAILED;
  if (::fstat(fd, &info) == 0 && info.st_size >= static_cast<off_t>(sizeof(BestIndexTail))) {
    memory = ::mmap(nullptr, static_cast<size_t>(info.st_size), PROT_READ, MAP_SHARED, fd, 0);
  }
  ::close(fd);
  if (memory == MAP_FAILED) return {};
  BestIndex index;
  index.file_ = {static_cast<const char*>(memory), UnmapFile{static_cast<size_t>(info.st_size)}};
  if (!index.read_head()) return {};
  return index;
}

bool BestIndex::read_head() {
  const char* const begin = file_.get();
  const size_t bytes = file_.get_deleter().bytes;
  const auto tail = value_at<BestIndexTail>(begin + bytes - sizeof(BestIndexTail));
  if (std::memcmp(tail.magic, BestIndexTail().magic, sizeof tail.magic) != 0) return false;
  const uint64_t end = bytes - sizeof(BestIndexTail);
  const bool is_whole = tail.entries <= end / kEntryBytes &&
                        tail.entries_at + tail.entries * kEntryBytes == tail.texts_at &&
                        tail.texts_at <= tail.parts_at && tail.parts_at + tail.parts_bytes == end;
  if (!is_whole) return false;
  entries_at_ = tail.entries_at;
  size_ = static_cast<int64_t>(tail.entries);
  const char* at = begin + tail.texts_at;
  for (uint64_t i = 0; i < tail.texts; ++i) {
    if (at + sizeof(uint32_t) > begin + tail.parts_at) return false;
    const auto size = value_at<uint32_t>(at);
    if (size > static_cast<uint64_t>(begin + tail.parts_at - at) - sizeof size) return false;
    texts_.emplace_back(at + sizeof size, size);
    at += sizeof size + size;
  }
  std::string_view lines(begin + tail.parts_at, tail.parts_bytes);
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    std::vector<std::string> names;
    while (!line.empty()) {
      const std::string_view name = line.substr(0, line.find(' '));
      names.emplace_back(name);
      line.remove_prefix(std::min(name.size() + 1, line.size()));
    }
    if (names.empty()) continue;
    const std::string part = names.front();
    names.erase(names.begin());
    parts_.emplace(part, std::move(names));
  }
  return true;
}

BestKey BestIndex::key_at(int64_t index) const {
  const char* const entry = file_.get() + entries_at_ + static_cast<size_t>(index) * kEntryBytes;
  return {value_at<uint64_t>(entry), value_at<uint64_t>(entry + sizeof(uint64_t))};
}

std::string_view BestIndex::payload_at(int64_t index) const {
  const char* const entry = file_.get() + entries_at_ + static_cast<size_t>(index) * kEntryBytes;
  const char* const payload = file_.get() + value_at<uint64_t>(entry + 2 * sizeof(uint64_t));
  return {payload, sizeof(BestPayload) + value_at<BestPayload>(payload).values_bytes};
}

std::optional<BestTrial> BestIndex::find(const BestKey& key) const {
  int64_t low = 0, high = size_;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (key_at(middle) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == size_ || key_at(low) != key) return {};
  const std::string_view bytes = payload_at(low);
  const auto payload = value_at<BestPayload>(bytes.data());
  return BestTrial{.mean_s = payload.mean_s,
                   .timestamp = payload.timestamp,
                   .config_index = payload.config_index,
                   .line = payload.line,
                   .id = payload.id,
                   .knobs = texts_[payload.knobs],
                   .knob_values = std::string(bytes.substr(sizeof(BestPayload))),
                   .file = texts_[payload.file]};
}

}  // namespace opbench
