#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engines/package/free_forms.h"
#include "engines/package/package.h"
#include "model/passes/free_outline.h"

namespace opbench {

/// Packages of one model for one set of extents after another. They share a file of weights: what a
/// kernel reads is packed once, and a further package has a program of its own and no more than
/// those constants that its extents make. Kernels leave extents free where they can.
class PackageSeries {
 public:
  /// `folder`: of the packages and their weights. `fusion`: how models are lowered.
  explicit PackageSeries(std::filesystem::path folder, Fusion fusion = Fusion::kOn)
      : folder_(std::move(folder)), fusion_(fusion) {}

  /// The package for the extents of `model`, which is the same model each time, with values. The
  /// values `observed` are made outputs too if it has them. Of the options, `folder`, `free` and
  /// `weights` are set here. Errors as those of the passes and of
  /// build_package.
  Result<Package> build(const Model& model, const std::vector<std::string>& observed,
                        PackageOptions options);

  /// Why no kernel of the last package leaves extents free; empty: some may.
  const std::string& reason() const { return reason_; }

 private:
  class Weights;
  Result<Model> outline_for(const Model& model, const std::vector<std::string>& observed);
  const FreeForms& forms_for(const Model& outline);

  std::filesystem::path folder_;
  Fusion fusion_;
  std::optional<FreeOutline> outline_;
  std::map<std::string, FreeForms> forms_;  ///< by the least extents, in text
  std::optional<WeightFile> file_;
  std::map<std::string, std::vector<Tensor>> contents_;  ///< of constants that extents may change
  PackageFindings findings_;
  int count_ = 0;
  std::string reason_;
};

/// Makes values outputs too, those that the graph has and that are none yet.
void observe(Graph& graph, const std::vector<std::string>& names);

}  // namespace opbench
