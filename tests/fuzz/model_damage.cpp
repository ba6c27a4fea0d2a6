#include "model_damage.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace opbench {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// A field of a message that has a value.
struct Place {
  Message* message = nullptr;
  const FieldDescriptor* field = nullptr;
};

template <class Choices>
auto one_of(const Choices& choices, Random& random) {
  return choices[random.below(choices.size())];
}

int64_t odd_integer(int64_t old, Random& random) {
  constexpr std::array kOdd = {
      int64_t{0},       int64_t{1},         int64_t{-1},        int64_t{2},       int64_t{-2},
      int64_t{3},       int64_t{7},         int64_t{16},        int64_t{127},     int64_t{255},
      int64_t{1000},    int64_t{65536},     int64_t{1} << 31,   int64_t{1} << 32, int64_t{1} << 40,
      int64_t{1} << 62, int64_t{INT32_MAX}, int64_t{INT32_MIN}, INT64_MAX,        INT64_MIN};
  switch (random.below(4)) {
    case 0:
      return static_cast<int64_t>(static_cast<uint64_t>(old) + random.below(5) - 2);
    case 1:
      return static_cast<int64_t>(random.below(30)) - 4;
    default:
      return one_of(kOdd, random);
  }
}

double odd_number(Random& random) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::array kOdd = {0.0,
                               -0.0,
                               1.0,
                               -1.0,
                               0.5,
                               1e-45,
                               1e38,
                               -1e38,
                               3e9,
                               1e19,
                               kInfinity,
                               -kInfinity,
                               std::numeric_limits<double>::quiet_NaN()};
  return one_of(kOdd, random);
}

std::string odd_text(std::string old, const std::vector<std::string>& others, Random& random) {
  switch (random.below(6)) {
    case 0:
      return "";
    case 1:
      return old + "x";
    case 2:
      if (!old.empty()) old[random.below(old.size())] = static_cast<char>(random.next());
      return old;
    case 3:
      return old.substr(0, random.below(old.size() + 1));
    default:
      return others.empty() ? old : one_of(others, random);
  }
}

// NOLINTNEXTLINE(misc-no-recursion)
void add_places(Message& message, std::vector<Place>& places) {
  std::vector<const FieldDescriptor*> fields;
  const Reflection& reflection = *message.GetReflection();
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    places.push_back({&message, field});
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) add_places(*reflection.MutableMessage(&message, field), places);
    for (int i = 0; field->is_repeated() && i < reflection.FieldSize(message, field); ++i) {
      add_places(*reflection.MutableRepeatedMessage(&message, field, i), places);
    }
  }
}

/// Texts that stand in fields of the same name.
std::vector<std::string> texts_of(const std::vector<Place>& places, const std::string& name) {
  std::vector<std::string> texts;
  for (const Place& place : places) {
    if (place.field->name() != name || place.field->cpp_type() != FieldDescriptor::CPPTYPE_STRING)
      continue;
    const Reflection& reflection = *place.message->GetReflection();
    if (!place.field->is_repeated()) {
      texts.push_back(reflection.GetString(*place.message, place.field));
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(*place.message, place.field); ++i) {
      texts.push_back(reflection.GetRepeatedString(*place.message, place.field, i));
    }
  }
  return texts;
}

class FieldDamage {
 public:
  FieldDamage(Message& model, Message& donor, Random& random) : random_(random) {
    add_places(model, places_);
    add_places(donor, donors_);
  }

  void damage_one() {
    if (places_.empty()) return;
    const Place place = one_of(places_, random_);
    // Fields that no model here has are part of the format too.
    if (random_.below(8) == 0) {
      add_field(*place.message);
    } else if (place.field->is_repeated()) {
      damage_list(place);
    } else if (random_.below(4) == 0) {
      place.message->GetReflection()->ClearField(place.message, place.field);
    } else {
      change(place);
    }
  }

 private:
  void add_field(Message& message) {
    const auto& descriptor = *message.GetDescriptor();
    const FieldDescriptor* const field = descriptor.field(
        static_cast<int>(random_.below(static_cast<uint64_t>(descriptor.field_count()))));
    if (field->is_repeated()) {
      append({&message, field});
    } else {
      change({&message, field});
    }
  }

  void damage_list(const Place& place) {
    const Reflection& reflection = *place.message->GetReflection();
    const int size = reflection.FieldSize(*place.message, place.field);
    switch (random_.below(6)) {
      case 0:
        return reflection.ClearField(place.message, place.field);
      case 1:
        if (size > 0) reflection.RemoveLast(place.message, place.field);
        return;
      case 2:
        if (size < 2) return;
        return reflection.SwapElements(place.message, place.field, below(size), below(size));
      case 3:
        return append(place);
      default:
        if (size > 0) change_element(place, below(size));
    }
  }

  int below(int limit) { return static_cast<int>(random_.below(static_cast<uint64_t>(limit))); }

  /// A message of the same type and field, from either model.
  const Message* other(const FieldDescriptor* field) {
    const auto& from = random_.below(2) == 0 ? places_ : donors_;
    std::vector<const Message*> found;
    for (const Place& place : from) {
      if (place.field != field) continue;
      const Reflection& reflection = *place.message->GetReflection();
      if (!field->is_repeated()) found.push_back(&reflection.GetMessage(*place.message, field));
      for (int i = 0; field->is_repeated() && i < reflection.FieldSize(*place.message, field);
           ++i) {
        found.push_back(&reflection.GetRepeatedMessage(*place.message, field, i));
      }
    }
    return found.empty() ? nullptr : one_of(found, random_);
  }

  std::string text(const FieldDescriptor* field, const std::string& old) {
    // Values are named by nodes, by the graph's inputs and by initialisers.
    const bool is_value = field->name() == "input" || field->name() == "output";
    const bool from_donor = random_.below(3) == 0;
    const std::string& name = is_value && random_.below(2) == 0 ? "name" : field->name();
    return odd_text(old, texts_of(from_donor ? donors_ : places_, name), random_);
  }

  void append(const Place& place) {
    const Reflection& reflection = *place.message->GetReflection();
    Message* const message = place.message;
    const FieldDescriptor* const field = place.field;
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return reflection.AddInt32(message, field, static_cast<int32_t>(odd_integer(0, random_)));
      case FieldDescriptor::CPPTYPE_INT64:
        return reflection.AddInt64(message, field, odd_integer(0, random_));
      case FieldDescriptor::CPPTYPE_UINT64:
        return reflection.AddUInt64(message, field, static_cast<uint64_t>(odd_integer(0, random_)));
      case FieldDescriptor::CPPTYPE_FLOAT:
        return reflection.AddFloat(message, field, static_cast<float>(odd_number(random_)));
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return reflection.AddDouble(message, field, odd_number(random_));
      case FieldDescriptor::CPPTYPE_STRING:
        return reflection.AddString(message, field, text(field, ""));
      case FieldDescriptor::CPPTYPE_MESSAGE: {
        const std::string bytes = other_bytes(field);
        reflection.AddMessage(message, field)->ParsePartialFromString(bytes);
        return;
      }
      default:
        return;
    }
  }

  void change_element(const Place& place, int index) {
    const Reflection& reflection = *place.message->GetReflection();
    Message* const message = place.message;
    const FieldDescriptor* const field = place.field;
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32: {
        const int32_t old = reflection.GetRepeatedInt32(*message, field, index);
        return reflection.SetRepeatedInt32(message, field, index,
                                           static_cast<int32_t>(odd_integer(old, random_)));
      }
      case FieldDescriptor::CPPTYPE_INT64: {
        const int64_t old = reflection.GetRepeatedInt64(*message, field, index);
        return reflection.SetRepeatedInt64(message, field, index, odd_integer(old, random_));
      }
      case FieldDescriptor::CPPTYPE_UINT64:
        return reflection.SetRepeatedUInt64(message, field, index, random_.next());
      case FieldDescriptor::CPPTYPE_FLOAT:
        return reflection.SetRepeatedFloat(message, field, index,
                                           static_cast<float>(odd_number(random_)));
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return reflection.SetRepeatedDouble(message, field, index, odd_number(random_));
      case FieldDescriptor::CPPTYPE_STRING: {
        const std::string old = reflection.GetRepeatedString(*message, field, index);
        return reflection.SetRepeatedString(message, field, index, text(field, old));
      }
      case FieldDescriptor::CPPTYPE_MESSAGE: {
        const std::string bytes = other_bytes(field);
        reflection.MutableRepeatedMessage(message, field, index)->ParsePartialFromString(bytes);
        return;
      }
      default:
        return;
    }
  }

  /// The bytes of another message of this type; empty if there is none. They are taken before
  /// anything is changed, as the other one may hold this one, or be held by it.
  std::string other_bytes(const FieldDescriptor* field) {
    const Message* const found = other(field);
    return found == nullptr ? "" : found->SerializePartialAsString();
  }

  void change(const Place& place) {
    const Reflection& reflection = *place.message->GetReflection();
    Message* const message = place.message;
    const FieldDescriptor* const field = place.field;
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32: {
        const int32_t old = reflection.GetInt32(*message, field);
        return reflection.SetInt32(message, field, static_cast<int32_t>(odd_integer(old, random_)));
      }
      case FieldDescriptor::CPPTYPE_INT64: {
        const int64_t old = reflection.GetInt64(*message, field);
        return reflection.SetInt64(message, field, odd_integer(old, random_));
      }
      case FieldDescriptor::CPPTYPE_FLOAT:
        return reflection.SetFloat(message, field, static_cast<float>(odd_number(random_)));
      case FieldDescriptor::CPPTYPE_ENUM:
        return reflection.SetEnumValue(message, field, below(20));
      case FieldDescriptor::CPPTYPE_STRING: {
        const std::string old = reflection.GetString(*message, field);
        return reflection.SetString(message, field, text(field, old));
      }
      case FieldDescriptor::CPPTYPE_MESSAGE: {
        const std::string bytes = other_bytes(field);
        reflection.MutableMessage(message, field)->ParsePartialFromString(bytes);
        return;
      }
      default:
        return;
    }
  }

  Random& random_;
  std::vector<Place> places_;
  std::vector<Place> donors_;
};

}  // namespace

std::string with_damaged_bytes(std::string model, Random& random) {
  for (uint64_t i = 1 + random.below(4); i > 0 && !model.empty(); --i) {
    const size_t at = random.below(model.size());
    const size_t count = std::min<size_t>(model.size() - at, 1 + random.below(8));
    switch (random.below(6)) {
      case 0:
        model.resize(at);
        break;
      case 1:
        model.erase(at, count);
        break;
      case 2:
        model.insert(at, model.substr(at, count));
        break;
      case 3:
        model.insert(at, count, static_cast<char>(random.next()));
        break;
      case 4:
        model[at] =
            static_cast<char>(static_cast<unsigned char>(model[at]) ^ (1U << random.below(8)));
        break;
      default:
        model[at] = static_cast<char>(random.next());
    }
  }
  return model;
}

std::string with_damaged_fields(const std::string& model, const std::string& donor,
                                Random& random) {
  onnx::ModelProto proto;
  onnx::ModelProto other;
  if (!proto.ParsePartialFromString(model) || !other.ParsePartialFromString(donor)) return model;
  for (uint64_t i = 1 + random.below(4); i > 0; --i) FieldDamage(proto, other, random).damage_one();
  return proto.SerializePartialAsString();
}

}  // namespace opbench
