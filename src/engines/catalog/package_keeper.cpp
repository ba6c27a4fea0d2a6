#include "engines/catalog/package_keeper.h"

#include <utility>

namespace opbench {

Result<PackageSeries*> PackageKeeper::series_of(const std::string& identity, Fusion fusion) {
  if (series_ && identity == identity_ && fusion == fusion_) return &*series_;
  series_.reset();
  folder_.reset();
  OPBENCH_TRY(TemporaryFolder folder, TemporaryFolder::make());
  folder_.emplace(std::move(folder));
  series_.emplace(folder_->path(), fusion);
  identity_ = identity;
  fusion_ = fusion;
  return &*series_;
}

}  // namespace opbench
