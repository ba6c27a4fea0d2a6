#pragma once

#include <string>
#include <vector>

#include "base/errors/error.h"
#include "base/json/json.h"
#include "base/tables/table.h"
#include "presentation/web/requests/web_request.h"
#include "presentation/web/store/web_store.h"

namespace opbench {

class AnswerCache;
class KeptPairs;

/// What a view is made from.
struct ViewContext {
  WebStore& store;
  AnswerCache* answers = nullptr;          ///< that were given; null: none are kept
  KeptPairs* pairs = nullptr;              ///< that were compared; null: none are kept
  std::string version = {};                ///< of the program
  std::string exported_at = {};            ///< of an export: when; empty: it is served
  std::vector<std::string> left_out = {};  ///< of an export: sentences
};

/// A view: the JSON that one request of a page asks for. A view is one file,
/// `src/presentation/web/views/<x>_view.cpp`, that defines `ViewDef <x>_view()`; nothing else is
/// edited.
struct ViewDef {
  std::string name;                     ///< its path behind `api/`: `compare/row`
  std::vector<std::string> parameters;  ///< that a request may have
  std::string list = {};  ///< member that CSV is made of: a list of objects; empty: there is none
  /// The list of CSV, where the answer holds it in another form; null: `list`.
  Json (*table)(const Json& answer) = nullptr;
  bool is_kept = true;  ///< the same request has the same answer while the store is the same
  /// The answer. Aggregates and pages of rows, never all rows of a store.
  Result<Json> (*run)(const ViewContext& context, const WebRequest& request) = nullptr;
};

/// Every view, from the files `<x>_view.cpp`.
const Table<ViewDef>& view_table();

/// The answer to a request of a view. `kInvalidInput` for an unknown parameter, a value that is
/// none, and what the view refuses; `kNoMatch` for something that the store does not have.
Result<Json> answer_of(const ViewDef& view, const ViewContext& context, const WebRequest& request);

}  // namespace opbench
