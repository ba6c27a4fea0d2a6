#include "records/store/database/duckdb_value.h"

#include <duckdb.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace opbench {
namespace {

struct TypeHandle {
  duckdb_logical_type type;
  explicit TypeHandle(duckdb_logical_type owned) : type(owned) {}
  TypeHandle(const TypeHandle&) = delete;
  TypeHandle& operator=(const TypeHandle&) = delete;
  ~TypeHandle() { duckdb_destroy_logical_type(&type); }
};

std::string taken(char* text) {
  std::string copy = text == nullptr ? "" : text;
  duckdb_free(text);
  return copy;
}

const char* simple_name(duckdb_type type) {
  static const std::map<duckdb_type, const char*> kNames = {
      {DUCKDB_TYPE_BOOLEAN, "BOOLEAN"},
      {DUCKDB_TYPE_TINYINT, "TINYINT"},
      {DUCKDB_TYPE_SMALLINT, "SMALLINT"},
      {DUCKDB_TYPE_INTEGER, "INTEGER"},
      {DUCKDB_TYPE_BIGINT, "BIGINT"},
      {DUCKDB_TYPE_UTINYINT, "UTINYINT"},
      {DUCKDB_TYPE_USMALLINT, "USMALLINT"},
      {DUCKDB_TYPE_UINTEGER, "UINTEGER"},
      {DUCKDB_TYPE_UBIGINT, "UBIGINT"},
      {DUCKDB_TYPE_FLOAT, "FLOAT"},
      {DUCKDB_TYPE_DOUBLE, "DOUBLE"},
      {DUCKDB_TYPE_TIMESTAMP, "TIMESTAMP"},
      {DUCKDB_TYPE_DATE, "DATE"},
      {DUCKDB_TYPE_TIME, "TIME"},
      {DUCKDB_TYPE_INTERVAL, "INTERVAL"},
      {DUCKDB_TYPE_HUGEINT, "HUGEINT"},
      {DUCKDB_TYPE_UHUGEINT, "UHUGEINT"},
      {DUCKDB_TYPE_VARCHAR, "VARCHAR"},
      {DUCKDB_TYPE_BLOB, "BLOB"},
      {DUCKDB_TYPE_DECIMAL, "DECIMAL"},
      {DUCKDB_TYPE_ENUM, "ENUM"},
      {DUCKDB_TYPE_UUID, "UUID"},
      {DUCKDB_TYPE_TIMESTAMP_S, "TIMESTAMP_S"},
      {DUCKDB_TYPE_TIMESTAMP_MS, "TIMESTAMP_MS"},
      {DUCKDB_TYPE_TIMESTAMP_NS, "TIMESTAMP_NS"},
      {DUCKDB_TYPE_TIMESTAMP_TZ, "TIMESTAMP WITH TIME ZONE"}};
  const auto it = kNames.find(type);
  return it == kNames.end() ? "OTHER" : it->second;
}

template <class T>
T duckdb_value_at(void* data, uint64_t row) {
  return static_cast<const T*>(data)[row];
}

Json duckdb_value_number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

/// A type without a form in JSON, in DuckDB's words.
Json in_words(duckdb_value value) {
  std::string text = taken(duckdb_get_varchar(value));
  duckdb_destroy_value(&value);
  return text;
}

std::string uuid_text(duckdb_hugeint value) {
  const auto high = static_cast<uint64_t>(value.upper) ^ (uint64_t{1} << 63);
  const uint64_t low = value.lower;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                     high & 0xffff, low >> 48, low & 0xffffffffffff);
}

Json string_json(void* data, uint64_t row) {
  auto text = duckdb_value_at<duckdb_string_t>(data, row);
  return std::string(duckdb_string_t_data(&text), duckdb_string_t_length(text));
}

Json decimal_json(void* data, duckdb_logical_type type, uint64_t row) {
  const double scale = std::pow(10.0, duckdb_decimal_scale(type));
  switch (duckdb_decimal_internal_type(type)) {
    case DUCKDB_TYPE_SMALLINT:
      return duckdb_value_at<int16_t>(data, row) / scale;
    case DUCKDB_TYPE_INTEGER:
      return duckdb_value_at<int32_t>(data, row) / scale;
    case DUCKDB_TYPE_BIGINT:
      return static_cast<double>(duckdb_value_at<int64_t>(data, row)) / scale;
    default:
      return duckdb_hugeint_to_double(duckdb_value_at<duckdb_hugeint>(data, row)) / scale;
  }
}

Json enum_json(void* data, duckdb_logical_type type, uint64_t row) {
  uint64_t index = 0;
  switch (duckdb_enum_internal_type(type)) {
    case DUCKDB_TYPE_UTINYINT:
      index = duckdb_value_at<uint8_t>(data, row);
      break;
    case DUCKDB_TYPE_USMALLINT:
      index = duckdb_value_at<uint16_t>(data, row);
      break;
    default:
      index = duckdb_value_at<uint32_t>(data, row);
  }
  return taken(duckdb_enum_dictionary_value(type, index));
}

Json list_json(duckdb_vector vector, duckdb_logical_type type, uint64_t row) {
  const TypeHandle item(duckdb_list_type_child_type(type));
  const auto entry = duckdb_value_at<duckdb_list_entry>(duckdb_vector_get_data(vector), row);
  duckdb_vector child = duckdb_list_vector_get_child(vector);
  Json list = Json::array();
  for (uint64_t i = 0; i < entry.length; ++i) {
    list.push_back(value_json(child, item.type, entry.offset + i));
  }
  return list;
}

Json struct_json(duckdb_vector vector, duckdb_logical_type type, uint64_t row) {
  Json object = Json::object();
  for (idx_t i = 0; i < duckdb_struct_type_child_count(type); ++i) {
    const TypeHandle item(duckdb_struct_type_child_type(type, i));
    object[taken(duckdb_struct_type_child_name(type, i))] =
        value_json(duckdb_struct_vector_get_child(vector, i), item.type, row);
  }
  return object;
}

/// A map is a list of pairs inside.
Json map_json(duckdb_vector vector, duckdb_logical_type type, uint64_t row) {
  const TypeHandle key(duckdb_map_type_key_type(type));
  const TypeHandle value(duckdb_map_type_value_type(type));
  const auto entry = duckdb_value_at<duckdb_list_entry>(duckdb_vector_get_data(vector), row);
  duckdb_vector pairs = duckdb_list_vector_get_child(vector);
  duckdb_vector keys = duckdb_struct_vector_get_child(pairs, 0);
  duckdb_vector values = duckdb_struct_vector_get_child(pairs, 1);
  Json object = Json::object();
  for (uint64_t i = entry.offset; i < entry.offset + entry.length; ++i) {
    const Json name = value_json(keys, key.type, i);
    object[name.is_string() ? name.get<std::string>() : name.dump()] =
        value_json(values, value.type, i);
  }
  return object;
}

Json time_json(void* data, duckdb_type kind, uint64_t row) {
  switch (kind) {
    case DUCKDB_TYPE_TIMESTAMP:
      return in_words(duckdb_create_timestamp(duckdb_value_at<duckdb_timestamp>(data, row)));
    case DUCKDB_TYPE_TIMESTAMP_TZ:
      return in_words(duckdb_create_timestamp_tz(duckdb_value_at<duckdb_timestamp>(data, row)));
    case DUCKDB_TYPE_TIMESTAMP_S:
      return in_words(duckdb_create_timestamp_s(duckdb_value_at<duckdb_timestamp_s>(data, row)));
    case DUCKDB_TYPE_TIMESTAMP_MS:
      return in_words(duckdb_create_timestamp_ms(duckdb_value_at<duckdb_timestamp_ms>(data, row)));
    case DUCKDB_TYPE_TIMESTAMP_NS:
      return in_words(duckdb_create_timestamp_ns(duckdb_value_at<duckdb_timestamp_ns>(data, row)));
    case DUCKDB_TYPE_DATE:
      return in_words(duckdb_create_date(duckdb_value_at<duckdb_date>(data, row)));
    case DUCKDB_TYPE_TIME:
      return in_words(duckdb_create_time(duckdb_value_at<duckdb_time>(data, row)));
    case DUCKDB_TYPE_INTERVAL:
      return in_words(duckdb_create_interval(duckdb_value_at<duckdb_interval>(data, row)));
    case DUCKDB_TYPE_HUGEINT:
      return in_words(duckdb_create_hugeint(duckdb_value_at<duckdb_hugeint>(data, row)));
    case DUCKDB_TYPE_UHUGEINT:
      return in_words(duckdb_create_uhugeint(duckdb_value_at<duckdb_uhugeint>(data, row)));
    default:
      return nullptr;
  }
}

/// A sum of whole numbers is a HUGEINT: a number as long as it fits.
Json huge_json(void* data, uint64_t row) {
  const auto value = duckdb_value_at<duckdb_hugeint>(data, row);
  const bool fits = value.upper == (static_cast<int64_t>(value.lower) < 0 ? -1 : 0);
  if (fits) return static_cast<int64_t>(value.lower);
  return time_json(data, DUCKDB_TYPE_HUGEINT, row);
}

}  // namespace

std::string type_text(void* handle) {
  auto* const type = static_cast<duckdb_logical_type>(handle);
  switch (duckdb_get_type_id(type)) {
    case DUCKDB_TYPE_LIST: {
      const TypeHandle item(duckdb_list_type_child_type(type));
      return type_text(item.type) + "[]";
    }
    case DUCKDB_TYPE_MAP: {
      const TypeHandle key(duckdb_map_type_key_type(type));
      const TypeHandle value(duckdb_map_type_value_type(type));
      return "MAP(" + type_text(key.type) + ", " + type_text(value.type) + ")";
    }
    case DUCKDB_TYPE_STRUCT: {
      std::string text = "STRUCT(";
      for (idx_t i = 0; i < duckdb_struct_type_child_count(type); ++i) {
        const TypeHandle item(duckdb_struct_type_child_type(type, i));
        if (i > 0) text += ", ";
        text += taken(duckdb_struct_type_child_name(type, i)) + " " + type_text(item.type);
      }
      return text + ")";
    }
    default:
      return simple_name(duckdb_get_type_id(type));
  }
}

Json value_json(void* vector_handle, void* type_handle, uint64_t row) {
  auto* const vector = static_cast<duckdb_vector>(vector_handle);
  auto* const type = static_cast<duckdb_logical_type>(type_handle);
  uint64_t* const validity = duckdb_vector_get_validity(vector);
  if (validity != nullptr && !duckdb_validity_row_is_valid(validity, row)) return nullptr;
  void* const data = duckdb_vector_get_data(vector);
  const duckdb_type kind = duckdb_get_type_id(type);
  switch (kind) {
    case DUCKDB_TYPE_BOOLEAN:
      return duckdb_value_at<bool>(data, row);
    case DUCKDB_TYPE_TINYINT:
      return duckdb_value_at<int8_t>(data, row);
    case DUCKDB_TYPE_SMALLINT:
      return duckdb_value_at<int16_t>(data, row);
    case DUCKDB_TYPE_INTEGER:
      return duckdb_value_at<int32_t>(data, row);
    case DUCKDB_TYPE_BIGINT:
      return duckdb_value_at<int64_t>(data, row);
    case DUCKDB_TYPE_UTINYINT:
      return duckdb_value_at<uint8_t>(data, row);
    case DUCKDB_TYPE_USMALLINT:
      return duckdb_value_at<uint16_t>(data, row);
    case DUCKDB_TYPE_UINTEGER:
      return duckdb_value_at<uint32_t>(data, row);
    case DUCKDB_TYPE_UBIGINT:
      return duckdb_value_at<uint64_t>(data, row);
    case DUCKDB_TYPE_FLOAT:
      return duckdb_value_number_or_null(duckdb_value_at<float>(data, row));
    case DUCKDB_TYPE_DOUBLE:
      return duckdb_value_number_or_null(duckdb_value_at<double>(data, row));
    case DUCKDB_TYPE_VARCHAR:
    case DUCKDB_TYPE_BLOB:
      return string_json(data, row);
    case DUCKDB_TYPE_UUID:
      return uuid_text(duckdb_value_at<duckdb_hugeint>(data, row));
    case DUCKDB_TYPE_HUGEINT:
      return huge_json(data, row);
    case DUCKDB_TYPE_DECIMAL:
      return decimal_json(data, type, row);
    case DUCKDB_TYPE_ENUM:
      return enum_json(data, type, row);
    case DUCKDB_TYPE_LIST:
      return list_json(vector, type, row);
    case DUCKDB_TYPE_STRUCT:
      return struct_json(vector, type, row);
    case DUCKDB_TYPE_MAP:
      return map_json(vector, type, row);
    default:
      return time_json(data, kind, row);
  }
}

}  // namespace opbench
