#include "engines/package/package_series.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/passes/evaluate.h"
#include "model/passes/passes.h"

namespace opbench {
namespace {

std::string extents_text(const Graph& graph) {
  std::string text;
  for (const Value& input : graph.inputs) {
    for (const Dimension& dimension : input.dimensions) text += fmt::format(" {}", dimension.value);
    text += ';';
  }
  return text;
}

std::string least_extents_text(const Graph& graph) {
  std::string text;
  for (const Value& input : graph.inputs) {
    for (const Dimension& dimension : input.dimensions) {
      const bool is_free = !dimension.symbol.empty();
      text += fmt::format(" {}", is_free ? least_extent(dimension.value) : dimension.value);
    }
    text += ';';
  }
  return text;
}

}  // namespace

/// The weights of one package of the series. A constant that is fixed for all extents is known by
/// its name. Another one that has values is compared with those of earlier packages. One without
/// values is the model's, or passes made it of such, and the model itself must be lowered for it.
class PackageSeries::Weights : public PackageWeights {
 public:
  Weights(PackageSeries& series, const Model& model, const Graph& lowered)
      : series_(series), model_(model), lowered_(lowered) {}

  Result<const Tensor*> values_of(const std::string& constant) override {
    const Tensor& known = lowered_.constants.at(constant);
    if (has_values(known)) return &known;
    const auto own = model_.graph.constants.find(constant);
    if (own != model_.graph.constants.end()) return &own->second;
    if (full_.name.empty()) OPBENCH_CHECK(lower_model());
    const auto made = full_.graph.constants.find(constant);
    if (made != full_.graph.constants.end() && made->second.type == known.type) {
      return &made->second;
    }
    return Error{ErrorCode::kSystem, "the constant \"" + constant + "\" has no values"};
  }

  std::string identity_of(const std::string& constant) override {
    if (series_.outline_->fixed.contains(constant)) return constant;
    const Tensor& known = lowered_.constants.at(constant);
    if (!has_values(known)) return constant + " at" + extents_text(model_.graph);
    std::vector<Tensor>& contents = series_.contents_[constant];
    const auto same = std::ranges::find(contents, known);
    const auto number = same - contents.begin();
    if (same == contents.end()) contents.push_back(known);
    return fmt::format("{} {}", constant, number);
  }

  WeightFile& file() override { return *series_.file_; }

 private:
  Result<void> lower_model() {
    full_ = model_;
    full_.graph.outputs = lowered_.outputs;
    OPBENCH_TRY(const std::vector<Unit> units, lower(full_, series_.fusion_));
    return {};
  }

  PackageSeries& series_;
  const Model& model_;
  const Graph& lowered_;
  Model full_;  ///< lowered; without a name: not yet
};

Result<Package> PackageSeries::build(const Model& model, const std::vector<std::string>& observed,
                                     PackageOptions options) {
  OPBENCH_TRY(Model lowered, outline_for(model, observed));
  const FreeForms& forms = forms_for(lowered);
  OPBENCH_TRY(const std::vector<Unit> units, lower(lowered, fusion_));
  reason_ = forms.reason();
  options.free = &forms;
  options.folder = folder_ / std::to_string(count_++);
  std::error_code ignored;
  std::filesystem::create_directories(options.folder, ignored);
  if (!file_) file_.emplace(folder_ / "weights.bin");
  Weights weights(*this, model, lowered.graph);
  options.weights = &weights;
  options.findings = &findings_;
  return build_package(lowered, units, options);
}

Result<Model> PackageSeries::outline_for(const Model& model,
                                         const std::vector<std::string>& observed) {
  if (!outline_) outline_ = free_outline(model);
  Model outline = outline_at(*outline_, model);
  if (observed.empty()) return outline;
  OPBENCH_CHECK(infer_types(outline));
  observe(outline.graph, observed);
  return outline;
}

const FreeForms& PackageSeries::forms_for(const Model& outline) {
  const std::string extents = least_extents_text(outline.graph);
  auto forms = forms_.find(extents);
  if (forms == forms_.end()) {
    forms = forms_.emplace(extents, FreeForms::of(outline, fusion_)).first;
  }
  return forms->second;
}

void observe(Graph& graph, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (is_output(graph, name) || !graph.types.contains(name)) continue;
    Value value{name, graph.types.at(name).data_type, true, {}};
    for (const int64_t extent : graph.types.at(name).shape)
      value.dimensions.push_back({extent, ""});
    graph.outputs.push_back(std::move(value));
  }
}

}  // namespace opbench
