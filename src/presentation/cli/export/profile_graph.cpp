#include "presentation/cli/export/profile_graph.h"

#include <utility>

#include "model/graph/onnx_file.h"
#include "model/zoo/zoo.h"

namespace opbench {
namespace {

/// Of the model that is read now and of the one that was profiled.
Error other_model(const std::string& path, const std::string& here, const std::string& there) {
  return Error{ErrorCode::kInvalidInput, "\"" + path + "\" is another model than the profile's"}
      .with("sha256 there", there)
      .with("sha256 here", here);
}

}  // namespace

Result<Graph> graph_of_profile(const ProfileResult& profile, const std::string& given) {
  if (profile.scope != "model") {
    return Error{ErrorCode::kInvalidInput, "the profile is of a single workload: it has no graph"};
  }
  if (given.empty() && profile.source == "zoo") {
    OPBENCH_TRY(Model model, zoo_outline(profile.model, profile.batch_size));
    return std::move(model.graph);
  }
  const std::string& path = given.empty() ? profile.source : given;
  if (path.empty() || path.find("://") != std::string::npos) {
    return Error{ErrorCode::kInvalidInput, "the profile's model \"" + path + "\" is no file"}.with(
        "needed", "--model FILE, the ONNX file that was profiled");
  }
  Result<Model> model = read_onnx(path);
  if (!model) {
    return Error(model.error()).with("needed", "--model FILE, the ONNX file that was profiled");
  }
  const bool are_known = !profile.sha256.empty() && !model->sha256.empty();
  if (are_known && profile.sha256 != model->sha256 && profile.source != "zoo") {
    return other_model(path, model->sha256, profile.sha256);
  }
  return std::move(model->graph);
}

}  // namespace opbench
