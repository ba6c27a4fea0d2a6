#include "experiments/verify/verify_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/sessions/model/expected_data.h"

namespace opbench {
namespace fs = std::filesystem;
namespace {

Error refused(const fs::path& path, const std::string& reason) {
  return Error{ErrorCode::kInvalidInput, fmt::format("\"{}\" {}", path.string(), reason)}.with(
      "valid",
      "a folder with model.onnx and test_data_set_0, a folder of such folders, or a model and its "
      "data folder");
}

bool is_data_folder(const fs::path& folder) {
  return fs::is_directory(folder) && !numbered_files(folder, "output").empty();
}

std::vector<fs::path> children(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::vector<fs::path> data_folders(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::path& child : children(folder)) {
    const bool is_named = child.filename().string().starts_with("test_data_set");
    if (is_named && is_data_folder(child)) found.push_back(child);
  }
  return found;
}

VerifyCase case_of(const std::string& name, const fs::path& model, const fs::path& data) {
  return {name, model, numbered_files(data, "input"), numbered_files(data, "output")};
}

// One case for each data set; a single one goes by the name of the model alone.
void add_model(const std::string& name, const fs::path& model, const std::vector<fs::path>& data,
               std::vector<VerifyCase>& cases) {
  for (const fs::path& folder : data) {
    const std::string suffix = data.size() > 1 ? "/" + folder.filename().string() : "";
    cases.push_back(case_of(name + suffix, model, folder));
  }
}

void search(const fs::path& folder, const fs::path& root, std::vector<VerifyCase>& cases) {
  const fs::path model = folder / "model.onnx";
  if (fs::exists(model)) {
    const fs::path path = folder == root ? fs::absolute(folder).lexically_normal() : folder;
    const std::string name =
        folder == root ? path.filename().string() : fs::relative(folder, root).string();
    add_model(name, model, data_folders(folder), cases);
    return;
  }
  for (const fs::path& child : children(folder)) {
    if (fs::is_directory(child) && !fs::is_symlink(child)) search(child, root, cases);
  }
}

}  // namespace

Result<std::vector<VerifyCase>> find_cases(const std::vector<fs::path>& paths) {
  std::vector<VerifyCase> cases;
  for (size_t i = 0; i < paths.size(); ++i) {
    const fs::path& path = paths[i];
    const size_t before = cases.size();
    if (!fs::exists(path)) return refused(path, "does not exist");
    if (fs::is_directory(path)) {
      search(path, path, cases);
    } else if (i + 1 < paths.size() && is_data_folder(paths[i + 1])) {
      cases.push_back(case_of(path.stem().string(), path, paths[++i]));
    } else {
      add_model(path.stem().string(), path, data_folders(fs::absolute(path).parent_path()), cases);
    }
    if (cases.size() == before) return refused(path, "holds no expected outputs");
  }
  return cases;
}

}  // namespace opbench
