#include <set>

#include "tuning/tuners/tuner.h"

namespace opbench {
namespace {

class GridSearch : public Tuner {
 public:
  explicit GridSearch(uint64_t size) : size_(size) {}

  std::vector<uint64_t> next(size_t count) override {
    std::vector<uint64_t> configs;
    for (; configs.size() < count && at_ < size_; ++at_) {
      if (told_.erase(at_) == 0) configs.push_back(at_);
    }
    return configs;
  }

  void tell(uint64_t index, double) override {
    if (index >= at_) told_.insert(index);
  }

 private:
  uint64_t size_;
  uint64_t at_ = 0;
  std::set<uint64_t> told_;  ///< by a log, not yet passed
};

std::unique_ptr<Tuner> make_gridsearch(const TunerInput& input) {
  return std::make_unique<GridSearch>(input.size);
}

}  // namespace

TunerDef gridsearch_tuner() {
  return {.name = "gridsearch",
          .summary = "every config in the order of its number",
          .make = make_gridsearch};
}

}  // namespace opbench
