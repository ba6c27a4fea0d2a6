#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/loops/nest.h"
#include "kernels/space/config_space.h"
#include "kernels/tasks/template.h"

namespace opbench {

/// A config of a task as numbers that compare with those of other tasks of the template, whatever
/// knobs and loops their shapes give them: every number has a name, and equal names mean the same
/// thing. Logarithms are to the base 2.
///
/// Of the task: log of every number in its arguments. Of a split: logs of its sizes and of the
/// axis, whether the innermost size fills vectors. Of two splits: the log of the innermost sizes'
/// product, and the vectors that hold it along the first. Of an option its value; of other knobs
/// the number of the entity. Of the loops, where they are known: how many elements of each buffer
/// the innermost one to five loops touch, and by how far the innermost moves in it.
class ConfigEncoder {
 public:
  /// Both must outlive it.
  ConfigEncoder(const Task& task, const ConfigSpace& space);

  /// One a number.
  const std::vector<std::string>& names() const { return names_; }

  /// The first of them: those of the task.
  const std::vector<float>& shape() const { return shape_; }

  /// The numbers of a config of the space.
  std::vector<float> encode(uint64_t index) const;

 private:
  void name_knobs();
  void name_loops();
  void add_knobs(const std::vector<size_t>& digits, std::vector<float>& row) const;
  void add_loops(const KnobConfig& config, std::vector<float>& row) const;

  const Task& task_;
  const ConfigSpace& space_;
  const NestDef* nest_ = nullptr;
  int lanes_ = 1;
  std::vector<float> shape_;
  std::vector<std::string> buffers_;  ///< of the loops
  std::vector<std::string> names_;
};

}  // namespace opbench
