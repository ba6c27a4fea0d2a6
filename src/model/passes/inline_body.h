#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/graph/graph.h"

namespace opbench {

/// What the values of a body are called in the graph around it.
using OuterNames = std::map<std::string, std::string>;

/// The name outside; values from around the body keep theirs.
std::string outer_name(const OuterNames& names, const std::string& value);

/// Adds the constants of a body to the graph around it; `names` gains their names there.
void adopt_constants(Graph& graph, const Graph& body, const std::string& prefix, OuterNames& names);

/// The nodes of a body as nodes of the graph around it. Nodes get `prefix` and a slash before their
/// names. Values take their names from `names`; it gains names with the prefix for the others.
std::vector<Node> inline_nodes(const Graph& body, const std::string& prefix, OuterNames& names);

/// The body without results that nobody reads. Constants of bodies inside it are its own, so that
/// copies of these share them.
Graph tidy_body(const Body& body);

}  // namespace opbench
