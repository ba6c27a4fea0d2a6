#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// The extents of an input.
struct GivenShape {
  std::string input;
  Shape shape;
  std::string source;  ///< who gives them, for messages: `--shape x`, `"x.npy"`
};

/// What decides free dimensions.
struct ExtentChoices {
  std::vector<GivenShape> shapes;
  std::map<std::string, int64_t> dimensions;  ///< by the dimension's name
  int64_t batch_size = 0;                     ///< dimension 0 of every input; 0: not given
  std::set<std::string> single_elements;      ///< inputs whose other free dimensions become 1
  std::vector<Dimension> otherwise;           ///< by name, where nothing else gives the extent
};

/// Gives free dimensions their extents; dimensions of one name have one extent. `kInvalidInput`:
/// an unknown input or dimension (with a guess); an extent that the model or another choice says
/// otherwise, with both sources; dimensions that stay free, each with its name, inputs and axes,
/// and options that bind them.
Result<void> bind_shapes(Model& model, const ExtentChoices& choices);

/// `[batch, ?, 8]`; `[]` for a scalar, `of any rank` where the model states none.
std::string declared_text(const Value& input);

}  // namespace opbench
