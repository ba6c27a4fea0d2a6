#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/numbers/random.h"
#include "model/zoo/zoo_builder.h"

namespace opbench {

/// Models of one architecture whose width, depth, kernel sizes and resolution are drawn at random:
/// layers as real models have them, in numbers that no model has. For what learns from times.
struct VariantFamily {
  std::string name;
  std::string (*build)(ZooBuilder&, Random&);  ///< returns the output, as a ZooModel's
};

const std::vector<VariantFamily>& variant_families();

/// The outline (zoo.h) of the variant that `seed` draws: `resnet-17` for family resnet, seed 17.
/// `kInvalidInput` for an unknown family, with a guess.
Result<Model> zoo_variant(const std::string& family, uint64_t seed);

}  // namespace opbench
