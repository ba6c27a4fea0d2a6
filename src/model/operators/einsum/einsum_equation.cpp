#include "model/operators/einsum/einsum_equation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "model/operators/axes/strided.h"

namespace opbench {
namespace {

const std::string kEllipsis = "...";
const std::string kArrow = "->";

/// A letter, or a number from 256 on: the dimensions that an ellipsis stands for.
using Label = int;
using Labels = std::vector<Label>;
constexpr Label kFirstOfEllipsis = 256;

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; });
  return text;
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// The letters before and after an ellipsis.
struct Term {
  std::string before;
  std::string after;
  bool has_ellipsis = false;

  std::string letters() const { return before + after; }
  Labels labels(int64_t ellipsis_rank, int64_t most) const {
    Labels result(before.begin(), before.end());
    for (int64_t i = most - ellipsis_rank; has_ellipsis && i < most; ++i) {
      result.push_back(kFirstOfEllipsis + static_cast<Label>(i));
    }
    result.insert(result.end(), after.begin(), after.end());
    return result;
  }
};

struct Equation {
  std::vector<Term> operands;
  Term output;
};

Error bad_equation(const OperatorCall& call, const std::string& reason) {
  return misfit(call, fmt::format("equation \"{}\" {}",
                                  string_attribute(*call.node, "equation", ""), reason));
}

Result<Term> parse_term(const OperatorCall& call, const std::string& text) {
  Term term;
  const size_t ellipsis = text.find(kEllipsis);
  term.has_ellipsis = ellipsis != std::string::npos;
  term.before = text.substr(0, ellipsis);
  if (term.has_ellipsis) term.after = text.substr(ellipsis + kEllipsis.size());
  for (const char c : term.letters()) {
    if (!is_letter(c)) return bad_equation(call, fmt::format("has '{}' in a term", c));
  }
  return term;
}

/// The ellipsis, if there is one, and in order the letters that occur once.
std::string implicit_output(const std::string& operands) {
  std::string letters;
  for (const char c : operands) {
    if (is_letter(c) && std::ranges::count(operands, c) == 1) letters += c;
  }
  std::ranges::sort(letters);
  return (operands.find(kEllipsis) == std::string::npos ? "" : kEllipsis) + letters;
}

Result<Equation> parse_equation(const OperatorCall& call) {
  const std::string text =
      explicit_equation(string_attribute(*call.node, "equation", std::string()));
  const size_t arrow = text.find(kArrow);
  const std::string operands = text.substr(0, arrow) + ',';
  Equation equation;
  for (size_t begin = 0; begin < operands.size();) {
    const size_t comma = operands.find(',', begin);
    OPBENCH_TRY(Term term, parse_term(call, operands.substr(begin, comma - begin)));
    equation.operands.push_back(std::move(term));
    begin = comma + 1;
  }
  OPBENCH_TRY(equation.output, parse_term(call, text.substr(arrow + kArrow.size())));
  const std::string letters = equation.output.letters();
  for (const char c : letters) {
    if (std::ranges::count(letters, c) > 1) {
      return bad_equation(call, fmt::format("repeats '{}' in its output", c));
    }
    if (operands.find(c) == std::string::npos) {
      return bad_equation(call, fmt::format("has '{}' in its output only", c));
    }
  }
  const bool has_ellipsis = operands.find(kEllipsis) != std::string::npos;
  if (equation.output.has_ellipsis == has_ellipsis) return equation;
  return bad_equation(call, "has an ellipsis on one side only");
}

/// The labels of every operand's dimensions, and those of the result.
struct Labelled {
  std::vector<Labels> operands;
  Labels result;
};

Result<Labelled> label_dimensions(const OperatorCall& call) {
  OPBENCH_TRY(const Equation equation, parse_equation(call));
  if (equation.operands.size() != call.inputs.size()) {
    return bad_equation(call, fmt::format("has {} terms for {} operands", equation.operands.size(),
                                          call.inputs.size()));
  }
  std::vector<int64_t> ranks;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    const Term& term = equation.operands[i];
    const int64_t rest = rank_of(call, i) - static_cast<int64_t>(term.letters().size());
    if (rest < 0 || (rest > 0 && !term.has_ellipsis)) {
      return bad_equation(call, fmt::format("does not fit operand {} of shape {}", i,
                                            shape_text(shape_of(call, i))));
    }
    ranks.push_back(rest);
  }
  const int64_t most = *std::ranges::max_element(ranks);
  Labelled result{{}, equation.output.labels(most, most)};
  for (size_t i = 0; i < ranks.size(); ++i) {
    result.operands.push_back(equation.operands[i].labels(ranks[i], most));
  }
  return result;
}

using EinsumEquationExtents = std::map<Label, int64_t>;

/// `kInvalidInput` when a label has two extents other than 1, or two at all in one operand.
Result<EinsumEquationExtents> einsum_equation_extents_of(const OperatorCall& call,
                                                         const Labelled& labelled) {
  EinsumEquationExtents extents;
  for (size_t i = 0; i < labelled.operands.size(); ++i) {
    EinsumEquationExtents own;
    for (size_t d = 0; d < labelled.operands[i].size(); ++d) {
      const Label label = labelled.operands[i][d];
      const int64_t extent = shape_of(call, i)[d];
      const auto [before, is_first] = own.emplace(label, extent);
      int64_t& known = extents.emplace(label, 1).first->second;
      if ((!is_first && before->second != extent) ||
          (known != 1 && extent != 1 && known != extent)) {
        return bad_equation(call, fmt::format("gives one letter extents {} and {}",
                                              is_first ? known : before->second, extent));
      }
      if (extent != 1) known = extent;
    }
  }
  return extents;
}

}  // namespace

Shape EinsumLoops::all() const {
  Shape shape = result;
  shape.insert(shape.end(), summed.begin(), summed.end());
  return shape;
}

Result<EinsumLoops> einsum_loops(const OperatorCall& call) {
  OPBENCH_TRY(const Labelled labelled, label_dimensions(call));
  OPBENCH_TRY(const EinsumEquationExtents extents, einsum_equation_extents_of(call, labelled));
  EinsumLoops loops;
  Labels order = labelled.result;
  for (const Label label : order) loops.result.push_back(extents.at(label));
  for (const auto& [label, extent] : extents) {
    if (std::ranges::find(labelled.result, label) != labelled.result.end()) continue;
    order.push_back(label);
    loops.summed.push_back(extent);
  }
  for (size_t i = 0; i < labelled.operands.size(); ++i) {
    const Integers dense = dense_strides(shape_of(call, i));
    Integers strides(order.size(), 0);
    for (size_t d = 0; d < dense.size(); ++d) {
      const auto at = std::ranges::find(order, labelled.operands[i][d]) - order.begin();
      if (shape_of(call, i)[d] != 1) strides[static_cast<size_t>(at)] += dense[d];
    }
    loops.strides.push_back(std::move(strides));
  }
  return loops;
}

std::string explicit_equation(const std::string& equation) {
  const std::string text = without_blanks(equation);
  return text.find(kArrow) == std::string::npos ? text + kArrow + implicit_output(text) : text;
}

}  // namespace opbench
