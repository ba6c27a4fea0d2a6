#include "records/store/parts/compact.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files/file.h"
#include "records/store/parts/part_writer.h"

namespace opbench {
namespace {

namespace fs = std::filesystem;

}  // namespace

Result<std::vector<std::string>> names_of_parts(const std::vector<StorePart>& parts) {
  std::set<std::string> names;
  for (const StorePart& part : parts) {
    names.insert(part.name);
    if (!part.name.starts_with("part-c")) continue;
    bool is_gone = false;
    OPBENCH_TRY(const std::vector<std::string> replaced, read_replaced(part.path, is_gone));
    names.insert(replaced.begin(), replaced.end());
  }
  return std::vector<std::string>(names.begin(), names.end());
}

int64_t remove_part_files(const std::vector<StorePart>& parts) {
  int64_t removed = 0;
  for (const StorePart& part : parts) {
    std::error_code error;
    removed += fs::remove(part.path, error) ? 1 : 0;
  }
  return removed;
}

Result<Compaction> compact(StoreFolder& store, RecordKind kind, const CompactionOptions& options) {
  Compaction result;
  OPBENCH_TRY(const FolderLock lock, FolderLock::take(store.path(), "_compact", false));
  result.is_elsewhere = !lock.is_held();
  if (result.is_elsewhere) return result;
  OPBENCH_TRY(const std::vector<StorePart> leftovers, store.superseded_parts(kind));
  result.leftovers = remove_part_files(leftovers);
  OPBENCH_TRY(std::vector<StorePart> parts, store.live_parts(kind));
  result.parts_before = result.parts_after = std::ssize(parts);
  std::erase_if(parts,
                [&](const StorePart& part) { return part.bytes >= options.whole_from_bytes; });
  if (parts.size() < options.fewest_parts) return result;
  OPBENCH_TRY(const std::vector<std::string> names, names_of_parts(parts));
  OPBENCH_TRY(const TemporaryFolder folder, TemporaryFolder::make_in(store.temporary()));
  OPBENCH_TRY(Database database,
              Database::open(writing_options(folder.path() / "spill", options.threads)));
  const fs::path file = folder.path() / "part.tmp";
  const Result<void> written =
      database.run(copy_statement("SELECT * FROM " + scan_of(parts, kind), file, kind, names));
  if (!written) {
    return Error{written.error().code,
                 fmt::format("cannot compact the store \"{}\"", store.path().string())}
        .with("reason", written.error().message)
        .with("changed", "nothing");
  }
  OPBENCH_CHECK(store.commit(file, kind, made_part_name(fmt::format("{}", fmt::join(names, " ")))));
  remove_part_files(parts);
  result.parts_merged = std::ssize(parts);
  result.parts_after -= result.parts_merged - 1;
  return result;
}

}  // namespace opbench
