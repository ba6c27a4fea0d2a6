#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/error.h"
#include "base/errors/suggestion.h"

namespace opbench {

/// Everything of one kind that the program was built with, found by name. `Def` has a `name`.
template <class Def>
class Table {
 public:
  Table(std::string kind, std::vector<Def> defs) : kind_(std::move(kind)), defs_(std::move(defs)) {}

  const std::vector<Def>& all() const { return defs_; }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const Def& def : defs_) result.push_back(def.name);
    return result;
  }

  /// The one with this name. `kInvalidInput` with the known names and a guess if there is none.
  Result<const Def*> find(std::string_view name) const {
    const auto it = std::ranges::find_if(defs_, [&](const Def& def) { return def.name == name; });
    if (it == defs_.end()) return unknown_name(kind_, name, names());
    return &*it;
  }

 private:
  std::string kind_;
  std::vector<Def> defs_;
};

}  // namespace opbench
