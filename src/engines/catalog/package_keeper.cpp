#include "engines/catalog/package_keeper.h"

#include <utility>

namespace opbench {

Result<PackageSeries*> PackageKeeper::series_of(const std::string& identity) {
  if (series_ && identity == identity_) return &*series_;
  series_.reset();
  folder_.reset();
  OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
  folder_.emplace(std::move(folder));
  series_.emplace(folder_->path());
  identity_ = identity;
  return &*series_;
}

}  // namespace opbench
