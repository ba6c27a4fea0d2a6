#pragma once

#include <dnnl.hpp>

#include <string>
#include <vector>

#include "engines/onednn/post_ops.h"
#include "engines/onednn/primitive_candidate.h"
#include "model/operators/operator.h"
#include "model/operators/workloads/workload.h"

namespace opbench {

/// What all candidates of a workload share.
struct Plan {
  const Workload& workload;
  const dnnl::engine& engine;
  const Node& node;
  OperatorCall call;
  dnnl::memory::dims output;
  std::vector<PostOp> post_ops;
  std::vector<Candidate> candidates;
  std::string refusal;

  dnnl::memory::dims dims(size_t input) const { return call.inputs[input]->shape; }
};

/// A float32 tensor in the layout that the primitive likes best.
dnnl::memory::desc any_layout(const dnnl::memory::dims& dims);

/// A dense float32 tensor, the last extent innermost.
dnnl::memory::desc row_major(const dnnl::memory::dims& dims);

dnnl::memory::dims with_leading_ones(const Shape& shape, size_t rank);

/// The plan's post-ops as oneDNN takes them, and the values that they read as arguments.
dnnl::primitive_attr attributes_of(const Plan& plan);
void add_post_op_arguments(const Plan& plan, Candidate& candidate);

/// Whether the post-ops are right for a result in this layout: a second operand as large as the
/// result comes row-major, and oneDNN 2.6 reads it in the result's layout, whatever that is.
bool reads_post_ops_right(const Plan& plan, const dnnl::memory::desc& result);

template <class Primitive, class Made, class Arguments>
Candidate candidate_of(const Plan& plan, const Made& made, const std::string& name,
                       const Arguments& arguments) {
  Candidate candidate;
  candidate.primitive = Primitive(made);
  candidate.kernel = made.impl_info_str();
  candidate.implementation = name + " " + candidate.kernel;
  candidate.arguments = arguments(made);
  candidate.output = made.dst_desc();
  candidate.plain_output = row_major(plan.output);
  add_post_op_arguments(plan, candidate);
  return candidate;
}

/// Makes a candidate of a primitive (`takes_all`: of each of its implementations), or notes why
/// oneDNN refuses.
template <class Primitive, class Desc, class Arguments>
void try_candidate(Plan& plan, const Desc& desc, const std::string& name,
                   const Arguments& arguments, bool takes_all = false) {
  try {
    typename Primitive::primitive_desc made(desc, attributes_of(plan), plan.engine);
    do {
      if (reads_post_ops_right(plan, made.dst_desc())) {
        plan.candidates.push_back(candidate_of<Primitive>(plan, made, name, arguments));
      } else if (plan.refusal.empty()) {
        plan.refusal = "oneDNN reads a second operand of the whole size in the result's layout";
      }
    } while (takes_all && made.next_impl());
  } catch (const dnnl::error& error) {
    if (plan.refusal.empty()) plan.refusal = error.message;
  }
}

}  // namespace opbench
