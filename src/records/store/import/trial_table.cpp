#include "records/store/import/trial_table.h"

#include <duckdb.h>

#include <array>
#include <cstring>

namespace opbench {
namespace {

enum TrialTableColumn : idx_t {
  kId,
  kWorkloadKey,
  kTrialTableTarget,
  kTrialTableTask,
  kTrialTableArgs,
  kTrialTableConfigIndex,
  kTrialTableKnobs,
  kTrialTableKnobValues,
  kTrialTableCosts,
  kMean,
  kTrialTableErrorNo,
  kErrorMessage,
  kTrialTableAllCost,
  kTrialTableTimestamp,
  kTrialTableNumberForms,
  kTrialTableTvmVersion,
  kTrialTableFormat,
  kTrialTableLine,
  kTrialTableSource,
  kTrialTableColumnCount
};

struct ColumnType {
  const char* name;
  duckdb_type type;
};

constexpr std::array<ColumnType, kTrialTableColumnCount> kTrialTableColumns = {
    {{"id", DUCKDB_TYPE_UUID},
     {"workload_key", DUCKDB_TYPE_UBIGINT},
     {"target", DUCKDB_TYPE_VARCHAR},
     {"task", DUCKDB_TYPE_VARCHAR},
     {"args", DUCKDB_TYPE_VARCHAR},
     {"config_index", DUCKDB_TYPE_UBIGINT},
     {"knobs", DUCKDB_TYPE_VARCHAR},
     {"knob_values", DUCKDB_TYPE_VARCHAR},
     {"costs_s", DUCKDB_TYPE_LIST},
     {"mean_s", DUCKDB_TYPE_DOUBLE},
     {"error_no", DUCKDB_TYPE_TINYINT},
     {"error_message", DUCKDB_TYPE_VARCHAR},
     {"all_cost_s", DUCKDB_TYPE_DOUBLE},
     {"timestamp_unix", DUCKDB_TYPE_DOUBLE},
     {"number_forms", DUCKDB_TYPE_UTINYINT},
     {"tvm_version", DUCKDB_TYPE_VARCHAR},
     {"format", DUCKDB_TYPE_VARCHAR},
     {"line", DUCKDB_TYPE_BIGINT},
     {"source", DUCKDB_TYPE_VARCHAR}}};

/// The vectors of one chunk.
class ChunkWriter {
 public:
  explicit ChunkWriter(duckdb_data_chunk chunk) {
    for (idx_t i = 0; i < kTrialTableColumnCount; ++i) {
      vectors_[i] = duckdb_data_chunk_get_vector(chunk, i);
      data_[i] = duckdb_vector_get_data(vectors_[i]);
    }
  }

  void write(const TrialRow& row, idx_t at) {
    set(kWorkloadKey, at, row.workload_key);
    text(kTrialTableTarget, at, row.target);
    text(kTrialTableTask, at, row.task);
    text(kTrialTableArgs, at, row.args);
    text(kTrialTableKnobs, at, row.knobs);
    text(kTrialTableKnobValues, at, row.knob_values);
    set_or_null(kTrialTableConfigIndex, at, row.knobs.data() != nullptr, row.config_index);
    set(kTrialTableCosts, at, duckdb_list_entry{costs_.size(), row.costs_s.size()});
    costs_.insert(costs_.end(), row.costs_s.begin(), row.costs_s.end());
    set_or_null(kMean, at, !row.costs_s.empty(), row.mean_s);
    set(kTrialTableErrorNo, at, static_cast<int8_t>(row.error_no));
    text(kErrorMessage, at, row.error_message);
    set_or_null(kTrialTableAllCost, at, row.has_all_cost, row.all_cost_s);
    set_or_null(kTrialTableTimestamp, at, row.has_timestamp, row.timestamp);
    set(kTrialTableNumberForms, at, row.number_forms);
    text(kTrialTableTvmVersion, at, row.tvm_version);
    text(kTrialTableFormat, at, row.format);
    set(kTrialTableLine, at, row.line);
    text(kTrialTableSource, at, row.source);
  }

  void finish(const std::vector<Id128>& ids) {
    constexpr uint64_t kTopBit = uint64_t{1} << 63;  // in memory a UUID has it flipped
    for (size_t i = 0; i < ids.size(); ++i) {
      set(kId, i, duckdb_hugeint{ids[i].low, static_cast<int64_t>(ids[i].high ^ kTopBit)});
    }
    duckdb_list_vector_reserve(vectors_[kTrialTableCosts], costs_.size());
    duckdb_list_vector_set_size(vectors_[kTrialTableCosts], costs_.size());
    if (costs_.empty()) return;
    std::memcpy(duckdb_vector_get_data(duckdb_list_vector_get_child(vectors_[kTrialTableCosts])),
                costs_.data(), costs_.size() * sizeof(double));
  }

 private:
  template <class T>
  void set(TrialTableColumn column, idx_t at, T value) {
    static_cast<T*>(data_[column])[at] = value;
  }

  template <class T>
  void set_or_null(TrialTableColumn column, idx_t at, bool is_there, T value) {
    if (is_there) {
      set(column, at, value);
    } else {
      set_null(column, at);
    }
  }

  void set_null(TrialTableColumn column, idx_t at) {
    duckdb_vector_ensure_validity_writable(vectors_[column]);
    duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vectors_[column]), at);
  }

  /// Points to the text, which stays where it is until DuckDB has used the chunk.
  void text(TrialTableColumn column, idx_t at, std::string_view text) {
    if (text.data() == nullptr) {
      set_null(column, at);
      return;
    }
    constexpr size_t kInlined = 12, kPrefix = 4;
    duckdb_string_t string{};
    string.value.inlined.length = static_cast<uint32_t>(text.size());
    if (text.size() <= kInlined) {
      std::memcpy(string.value.inlined.inlined, text.data(), text.size());
    } else {
      std::memcpy(string.value.pointer.prefix, text.data(), kPrefix);
      string.value.pointer.ptr = const_cast<char*>(text.data());
    }
    set(column, at, string);
  }

  std::array<duckdb_vector, kTrialTableColumnCount> vectors_{};
  std::array<void*, kTrialTableColumnCount> data_{};
  std::vector<double> costs_;
};

}  // namespace

class TrialTable::Worker {
 public:
  explicit Worker(TrialTable& table) : table_(table), worker_(table.source_.make_worker()) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  ~Worker() {
    const std::lock_guard lock(table_.mutex_);
    table_.counts_.add(worker_->counts());
    table_.rows_ += rows_;
    const uint64_t low = table_.sum_.low + sum_.low;
    table_.sum_.high += sum_.high + (low < sum_.low ? 1 : 0);
    table_.sum_.low = low;
  }

  /// The next rows; none at the end.
  Result<void> fill(duckdb_data_chunk chunk) {
    // The chunk before may still be read from, the one before it no more.
    TextArena& arena = arenas_[chunks_++ % arenas_.size()];
    arena.clear();
    worker_->begin_chunk(arena);
    ids_.clear();
    ChunkWriter writer(chunk);
    const idx_t most = duckdb_vector_size();
    while (ids_.size() < most) {
      OPBENCH_TRY(const bool has_row, worker_->next(row_));
      if (!has_row) break;
      writer.write(row_, ids_.size());
      ids_.push_back(row_.content);
    }
    table_.occurrences_.number(ids_);
    for (const Id128& id : ids_) {
      sum_.low += id.low;
      sum_.high += id.high + (sum_.low < id.low ? 1 : 0);
    }
    rows_ += static_cast<int64_t>(ids_.size());
    writer.finish(ids_);
    duckdb_data_chunk_set_size(chunk, ids_.size());
    return {};
  }

  void fail(Error error) {
    const std::lock_guard lock(table_.mutex_);
    table_.error_ = std::move(error);
  }

 private:
  TrialTable& table_;
  std::unique_ptr<TrialWorker> worker_;
  std::array<TextArena, 3> arenas_;
  size_t chunks_ = 0;
  TrialRow row_;
  std::vector<Id128> ids_;
  Id128 sum_;
  int64_t rows_ = 0;
};

std::unique_ptr<TrialTable::Worker> TrialTable::make_worker() {
  return std::make_unique<Worker>(*this);
}

namespace {

void bind(duckdb_bind_info info) {
  for (const ColumnType& column : kTrialTableColumns) {
    const bool is_list = column.type == DUCKDB_TYPE_LIST;
    duckdb_logical_type type =
        duckdb_create_logical_type(is_list ? DUCKDB_TYPE_DOUBLE : column.type);
    if (is_list) {
      duckdb_logical_type item = type;
      type = duckdb_create_list_type(item);
      duckdb_destroy_logical_type(&item);
    }
    duckdb_bind_add_result_column(info, column.name, type);
    duckdb_destroy_logical_type(&type);
  }
}

void init(duckdb_init_info info) {
  auto* const table = static_cast<TrialTable*>(duckdb_init_get_extra_info(info));
  duckdb_init_set_max_threads(info, static_cast<idx_t>(table->most_threads()));
}

void init_thread(duckdb_init_info info) {
  auto* const table = static_cast<TrialTable*>(duckdb_init_get_extra_info(info));
  duckdb_init_set_init_data(info, table->make_worker().release(),
                            [](void* worker) { delete static_cast<TrialTable::Worker*>(worker); });
}

void fill(duckdb_function_info info, duckdb_data_chunk chunk) {
  auto* const worker = static_cast<TrialTable::Worker*>(duckdb_function_get_local_init_data(info));
  Result<void> filled = worker->fill(chunk);
  if (filled) return;
  duckdb_function_set_error(info, filled.error().message.c_str());
  worker->fail(std::move(filled).error());
}

}  // namespace

Result<void> TrialTable::add_to(Database& database) {
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, "trial_scan");
  duckdb_table_function_set_extra_info(function, this, nullptr);
  duckdb_table_function_set_bind(function, bind);
  duckdb_table_function_set_init(function, init);
  duckdb_table_function_set_local_init(function, init_thread);
  duckdb_table_function_set_function(function, fill);
  const duckdb_state state = duckdb_register_table_function(
      static_cast<duckdb_connection>(database.connection()), function);
  duckdb_destroy_table_function(&function);
  if (state == DuckDBSuccess) return {};
  return Error{ErrorCode::kSystem, "DuckDB does not take the table trial_scan"};
}

}  // namespace opbench
