#include <algorithm>
#include <utility>

#include "records/formats/logs/autotvm_decoder.h"
#include "records/store/import/autotvm_scanner.h"
#include "records/store/import/line_blocks.h"
#include "records/store/import/trial_source.h"

namespace opbench {
namespace {

struct SharedBlocks {
  std::mutex mutex;
  LineBlocks blocks;
  std::string path;
};

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

class AutotvmWorker : public TrialWorker {
 public:
  explicit AutotvmWorker(SharedBlocks& shared) : shared_(shared) {}
  const FileCounts& counts() const override { return counts_; }

  void begin_chunk(TextArena& arena) override {
    arena_ = &arena;
    scanner_.begin_chunk(arena);
  }

  Result<bool> next(TrialRow& row) override {
    while (true) {
      if (at_ == rest_.size()) {
        OPBENCH_TRY(const bool has_more, next_block());
        if (!has_more) return false;
        continue;
      }
      const size_t newline = rest_.find('\n', at_);
      const bool is_torn = newline == std::string_view::npos;
      const std::string_view line = rest_.substr(at_, is_torn ? newline : newline - at_);
      at_ = is_torn ? rest_.size() : newline + 1;
      const int64_t number = number_++;
      if (line.empty() || line[0] == '#' || is_blank(line)) continue;
      ++counts_.records;
      if (!read_line(line, number, is_torn, row)) continue;
      row.line = number;
      ++counts_.valid;
      return true;
    }
  }

 private:
  Result<bool> next_block() {
    const std::lock_guard lock(shared_.mutex);
    OPBENCH_TRY(const bool has_more, shared_.blocks.next(block_));
    if (!has_more) return false;
    for (const int64_t line : block_.too_long_lines) {
      ++counts_.records;
      counts_.add(shared_.path, line, {{"E_JSON", "", "line beyond 16 MiB", 1}});
    }
    rest_ = block_.lines();
    at_ = 0;
    number_ = block_.first_line;
    return true;
  }

  bool read_line(std::string_view line, int64_t number, bool is_torn, TrialRow& row) {
    if (scanner_.scan(line, row) && is_known(row.target)) return true;
    DecodedLine decoded = decoder_.decode(line);
    for (RecordIssue& issue : decoded.issues) {
      if (!is_torn || issue.code != "E_JSON") continue;
      issue.code = "E_TORN";
      issue.message = "the last line was cut when it was written: " + issue.message;
    }
    if (!decoded.issues.empty()) counts_.add(shared_.path, number, decoded.issues);
    if (!decoded.record) return false;
    if (decoded.issues.empty()) remember(decoded.record->target);
    row = kept_in(*arena_, trial_row(*decoded.record, line));
    return true;
  }

  /// A target is known once a line with it came through the decoder without an issue.
  bool is_known(std::string_view target) {
    if (target == last_target_) return true;
    if (std::ranges::find(known_targets_, target) == known_targets_.end()) return false;
    last_target_ = target;
    return true;
  }

  void remember(const std::string& target) {
    constexpr size_t kMostTargets = 1000;
    if (std::ranges::find(known_targets_, target) != known_targets_.end()) return;
    if (known_targets_.size() < kMostTargets) known_targets_.push_back(target);
  }

  SharedBlocks& shared_;
  LineBlock block_;
  std::string_view rest_;
  size_t at_ = 0;
  int64_t number_ = 1;
  AutotvmScanner scanner_;
  AutotvmDecoder decoder_;
  TextArena* arena_ = nullptr;
  std::vector<std::string> known_targets_;
  std::string last_target_ = "\n";  // no target has a line break
  FileCounts counts_;
};

class AutotvmSource : public TrialSource {
 public:
  AutotvmSource(LineBlocks blocks, const std::string& path)
      : shared_{{}, std::move(blocks), path} {}
  std::unique_ptr<TrialWorker> make_worker() override {
    return std::make_unique<AutotvmWorker>(shared_);
  }
  int most_threads() const override { return 1024; }
  int64_t size_bytes() const override { return shared_.blocks.size_bytes(); }

 private:
  SharedBlocks shared_;
};

}  // namespace

Result<std::unique_ptr<TrialSource>> open_autotvm_source(const std::string& path) {
  OPBENCH_TRY(LineBlocks blocks, LineBlocks::open(path));
  return std::unique_ptr<TrialSource>(std::make_unique<AutotvmSource>(std::move(blocks), path));
}

}  // namespace opbench
