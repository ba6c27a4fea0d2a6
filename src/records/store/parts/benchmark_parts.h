#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "records/formats/codec.h"
#include "records/record/benchmark_record.h"
#include "records/store/import/file_import.h"
#include "records/store/parts/add_part.h"
#include "records/store/parts/part_writer.h"

namespace opbench {

/// Adds results of this program to a store. Records without an id get theirs as the lines of one
/// file. Errors as import_file().
Result<Addition> append_records(StoreFolder& store, std::vector<BenchmarkRecord> records);

/// Adds the benchmark records that a reader gives.
Result<FileImport> import_benchmarks(StoreFolder& store, RecordReader& reader,
                                     const std::string& path, const ImportOptions& options);

}  // namespace opbench
