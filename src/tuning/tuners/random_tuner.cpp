#include <unordered_set>

#include "tuning/tuners/sparse_shuffle.h"
#include "tuning/tuners/tuner.h"

namespace opbench {
namespace {

class RandomSearch : public Tuner {
 public:
  RandomSearch(uint64_t size, uint64_t seed) : random_(seed, "random"), order_(size, random_) {}

  std::vector<uint64_t> next(size_t count) override {
    std::vector<uint64_t> configs;
    while (configs.size() < count && !order_.is_empty()) {
      const uint64_t config = order_.draw();
      if (visited_.insert(config).second) configs.push_back(config);
    }
    return configs;
  }

  void tell(uint64_t index, double) override { visited_.insert(index); }

 private:
  Random random_;
  SparseShuffle order_;
  std::unordered_set<uint64_t> visited_;
};

std::unique_ptr<Tuner> make_random(const TunerInput& input) {
  return std::make_unique<RandomSearch>(input.size, input.seed);
}

}  // namespace

TunerDef random_tuner() {
  return {.name = "random", .summary = "every config once, in random order", .make = make_random};
}

}  // namespace opbench
