#pragma once

#include <functional>
#include <memory>

namespace Halide {
struct Expr;
class Func;
class Var;
}  // namespace Halide

namespace opbench {

/// Which of two values is better, and of equal ones which place.
struct ExtremeOrder {
  bool is_max = true;
  bool takes_last = false;  ///< of equal values, else the first

  /// Of a value that stands behind the other one.
  Halide::Expr is_later_better(const Halide::Expr& value, const Halide::Expr& top) const;
};

/// Where in a row the best value is: a value and its place for every lane of a few vectors, which
/// are compared at the end.
class RowExtreme {
 public:
  using Read = std::function<Halide::Expr(const Halide::Expr& place)>;

  /// The shortest row that fills the vectors.
  static int least_length(int lanes);

  /// `read` gives the element at a place of `row`.
  RowExtreme(const ExtremeOrder& order, int length, int lanes, const Read& read,
             const Halide::Var& row);
  ~RowExtreme();
  RowExtreme(const RowExtreme&) = delete;
  RowExtreme& operator=(const RowExtreme&) = delete;

  /// int32, of the row.
  Halide::Expr place() const;

  /// Computes it for one row inside the loop `at` of `out`.
  void compute_at(Halide::Func& out, const Halide::Var& at);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace opbench
