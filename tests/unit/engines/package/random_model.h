#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "model_maker.h"

namespace opbench {

/// A value of a random model.
struct Made {
  std::string name;
  Shape shape;
};

class RandomModel {
 public:
  explicit RandomModel(uint64_t seed) : random_(seed) {}

  Model make() {
    batch_ = static_cast<int64_t>(1 + random_.below(2));
    side_ = static_cast<int64_t>(1 + random_.below(4));
    for (const int64_t channels : {3, 8, 16}) {
      add(maker_.input("in" + std::to_string(channels), {batch_, channels, side_, side_}),
          channels);
    }
    const uint64_t count = 4 + random_.below(14);
    for (uint64_t i = 0; i < count; ++i) add_node("v" + std::to_string(i));
    std::vector<std::string> outputs = {values_.back().name};
    for (const Made& value : values_) {
      if (random_.below(6) == 0 && value.name != outputs[0]) outputs.push_back(value.name);
    }
    return maker_.finish(outputs);
  }

 private:
  const Made& any() { return values_[random_.below(values_.size())]; }

  void add(const std::string& name, int64_t channels) {
    values_.push_back({name, {batch_, channels, side_, side_}});
  }

  void add_node(const std::string& name) {
    const Made x = any();
    const int64_t channels = x.shape[1];
    switch (random_.below(8)) {
      case 0:
        add(maker_.node("Relu", {x.name}, name), channels);
        return;
      case 1:
        add(maker_.node("Exp", {x.name}, name), channels);
        return;
      case 2:
        add_sum(x, name);
        return;
      case 3:
        add_view(x, name);
        return;
      case 4:
        add_pool(x, name);
        return;
      case 5:
      case 6:
        add_concat(x, name);
        return;
      default:
        add_conv(x, name);
        return;
    }
  }

  void add_conv(const Made& x, const std::string& name) {
    const std::array<int64_t, 5> sizes = {4, 8, 12, 16, 24};
    const int64_t channels = sizes[random_.below(sizes.size())];
    add(maker_.conv(x.name, x.shape[1], channels, 1, name), channels);
  }

  void add_sum(const Made& x, const std::string& name) {
    for (const Made& other : values_) {
      if (other.shape != x.shape || other.name == x.name) continue;
      add(maker_.node("Add", {x.name, other.name}, name), x.shape[1]);
      return;
    }
    add(maker_.node("Add", {x.name, x.name}, name), x.shape[1]);
  }

  // There and back again, so that later nodes find four dimensions.
  void add_view(const Made& x, const std::string& name) {
    const std::string flat = maker_.node("Flatten", {x.name}, name + "f");
    const std::string shape = maker_.integers(name + "s", x.shape);
    add(maker_.node("Reshape", {flat, shape}, name), x.shape[1]);
  }

  void add_pool(const Made& x, const std::string& name) {
    add(maker_.node("MaxPool", {x.name}, name, {{"kernel_shape", std::vector<int64_t>{1, 1}}}),
        x.shape[1]);
  }

  void add_concat(const Made& x, const std::string& name) {
    std::vector<std::string> parts = {x.name};
    int64_t channels = x.shape[1];
    for (uint64_t i = random_.below(3); i > 0; --i) {
      const Made& part = any();
      parts.push_back(part.name);
      channels += part.shape[1];
    }
    add(maker_.concat(parts, name), channels);
  }

  Random random_;
  ModelMaker maker_;
  std::vector<Made> values_;
  int64_t batch_ = 1;
  int64_t side_ = 1;
};

}  // namespace opbench
