#pragma once

#include <optional>
#include <string>

#include "base/files/file.h"
#include "engines/package/package_series.h"

namespace opbench {

/// Keeps the series of the last model from run to run, so that a run of it at other extents packs
/// no weights again.
class PackageKeeper {
 public:
  /// The series of the model with this identity: equal identities, equal nodes and constants. What
  /// is kept of another model, or of this one fused otherwise, is removed. Errors of
  /// TemporaryFolder.
  Result<PackageSeries*> series_of(const std::string& identity, Fusion fusion = Fusion::kOn);

 private:
  std::string identity_;
  Fusion fusion_ = Fusion::kOn;
  std::optional<TemporaryFolder> folder_;
  std::optional<PackageSeries> series_;
};

}  // namespace opbench
