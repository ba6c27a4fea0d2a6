#include <utility>

#include "records/formats/codec.h"
#include "records/formats/logs/tuning_codec.h"
#include "records/store/import/trial_source.h"

namespace opbench {
namespace {

class GeneralWorker : public TrialWorker {
 public:
  GeneralWorker(RecordReader* reader, std::string path) : reader_(reader), path_(std::move(path)) {}
  const FileCounts& counts() const override { return counts_; }
  void begin_chunk(TextArena& arena) override { arena_ = &arena; }

  Result<bool> next(TrialRow& row) override {
    while (reader_ != nullptr) {
      OPBENCH_TRY(std::optional<ReadItem> item, reader_->next());
      if (!item) return false;
      if (!item->is_of_file) ++counts_.records;
      counts_.add(path_, item->line, item->issues);
      if (!item->record) continue;
      const auto* const record = std::get_if<TuningRecord>(&*item->record);
      if (record == nullptr) {
        counts_.add(path_, item->line, {{"E_KEYS", "", "a benchmark record among trials"}});
        continue;
      }
      ++counts_.valid;
      const bool is_autotvm = record->origin.format == TuningFormat::kAutotvm01 ||
                              record->origin.format == TuningFormat::kAutotvm02;
      const std::string text = is_autotvm && !item->text.empty() ? std::string(item->text)
                                                                 : self_contained_text(*record);
      row = kept_in(*arena_, trial_row(*record, text));
      row.line = item->line;
      return true;
    }
    return false;
  }

 private:
  /// The record as one line of JSON that needs no other file, the same wherever it was read.
  static std::string self_contained_text(TuningRecord record) {
    record.origin = {.format = record.origin.format,
                     .format_version = record.origin.format_version};
    const Result<std::string> text = encode_protobuf_json(record);
    return text ? *text : std::string();
  }

  RecordReader* reader_;
  std::string path_;
  TextArena* arena_ = nullptr;
  FileCounts counts_;
};

class GeneralSource : public TrialSource {
 public:
  GeneralSource(std::unique_ptr<RecordReader> reader, std::string path)
      : reader_(std::move(reader)), path_(std::move(path)) {}
  /// Only the first worker reads.
  std::unique_ptr<TrialWorker> make_worker() override {
    RecordReader* const reader = std::exchange(is_given_, true) ? nullptr : reader_.get();
    return std::make_unique<GeneralWorker>(reader, path_);
  }
  int most_threads() const override { return 1; }
  int64_t size_bytes() const override { return 0; }

 private:
  std::unique_ptr<RecordReader> reader_;
  std::string path_;
  bool is_given_ = false;
};

}  // namespace

Result<std::unique_ptr<TrialSource>> open_general_source(const std::string& path) {
  OPBENCH_TRY(RecordFile file, open_records(path));
  return std::unique_ptr<TrialSource>(
      std::make_unique<GeneralSource>(std::move(file.reader), path));
}

}  // namespace opbench
