#include "engines/package/weight_file.h"

#include <array>

namespace opbench {
namespace {

constexpr int64_t kWeightFileAlignment = 64;

}  // namespace

const WeightFile::Place* WeightFile::find(const std::string& key) const {
  const auto place = places_.find(key);
  return place == places_.end() ? nullptr : &place->second;
}

Result<WeightFile::Place> WeightFile::append(const std::string& key, const Tensor& packed) {
  OPBENCH_CHECK(open());
  const auto size = static_cast<int64_t>(packed.data.size());
  file_.write(reinterpret_cast<const char*>(packed.data.data()), size);
  constexpr std::array<char, kWeightFileAlignment> kZeros = {};
  const int64_t padding =
      (kWeightFileAlignment - size % kWeightFileAlignment) % kWeightFileAlignment;
  file_.write(kZeros.data(), padding);
  OPBENCH_CHECK(check());
  const Place place{bytes_, size, packed.type.shape};
  bytes_ += size + padding;
  places_.insert_or_assign(key, place);
  return place;
}

Result<void> WeightFile::finish() {
  OPBENCH_CHECK(open());
  file_.flush();
  return check();
}

Result<void> WeightFile::open() {
  if (file_.is_open()) return {};
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);  // of a package made here before: others may read it
  file_.open(path_, std::ios::binary | std::ios::trunc);
  return check();
}

Result<void> WeightFile::check() const {
  if (file_.is_open() && file_) return {};
  return Error{ErrorCode::kSystem, "cannot write \"" + path_.string() + "\""};
}

}  // namespace opbench
