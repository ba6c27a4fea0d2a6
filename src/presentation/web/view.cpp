#include "presentation/web/view.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/errors/suggestion.h"

namespace opbench {

Result<Json> answer_of(const ViewDef& view, const ViewContext& context, const WebRequest& request) {
  for (const auto& [name, value] : request.parameters()) {
    if (std::ranges::count(view.parameters, name) > 0) continue;
    if (!view.parameters.empty()) {
      return unknown_name("parameter of api/" + view.name, name, view.parameters);
    }
    return invalid_input(fmt::format("api/{} takes no parameters, not \"{}\"", view.name, name));
  }
  return view.run(context, request);
}

}  // namespace opbench
