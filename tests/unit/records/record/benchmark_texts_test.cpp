// What the tree says of benchmark records beside the code: schemas/benchmark_record.schema.json,
// proto/benchmark_record.proto and a table of docs/reference/benchmark-records.md. Each has a part
// that is made from benchmark_fields.inc. With OPBENCH_UPDATE=1 in the environment the tests write
// these parts.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/files/file.h"
#include "records/record/benchmark_field_table.h"
#include "records/record/record_validation.h"

namespace opbench {
namespace {

using R = BenchmarkRecord;

/// What a kind of field is called elsewhere.
struct KindWords {
  Json schema;
  std::string proto, reference;
};

KindWords words_of(R::Word R::*) { return {{{"type", "string"}}, "string", "text"}; }

KindWords nullable(const char* type, const char* proto, const char* reference) {
  return {{{"type", {type, "null"}}}, std::string("optional ") + proto, reference};
}
KindWords words_of(R::Text R::*) { return nullable("string", "string", "text"); }
KindWords words_of(R::Whole R::*) { return nullable("integer", "int64", "integer"); }
KindWords words_of(R::Number R::*) { return nullable("number", "double", "number"); }
KindWords words_of(R::Flag R::*) { return nullable("boolean", "bool", "true or false"); }

KindWords words_of(R::TextList R::*) {
  return {{{"$ref", "#/$defs/texts"}}, "repeated string", "list of texts"};
}
KindWords words_of(R::NumberList R::*) {
  return {{{"type", {"array", "null"}}, {"items", {{"type", "number"}}}},
          "repeated double",
          "list of numbers"};
}

KindWords map_of(const char* type, const char* proto, const char* reference) {
  return {{{"type", {"object", "null"}}, {"additionalProperties", {{"type", type}}}},
          std::string("map<string, ") + proto + ">",
          std::string("object of ") + reference};
}
KindWords words_of(R::TextMap R::*) { return map_of("string", "string", "texts"); }
KindWords words_of(R::NumberMap R::*) { return map_of("number", "double", "numbers"); }
KindWords words_of(R::CountMap R::*) { return map_of("integer", "int64", "integers"); }

KindWords words_of(R::Object R::*) {
  return {{{"$ref", "#/$defs/object"}}, "optional google.protobuf.Struct", "object"};
}

KindWords words_of(const BenchmarkField& field) {
  KindWords words = std::visit([](auto member) { return words_of(member); }, field.member);
  if (field.is_above_zero) words.schema = {{"$ref", "#/$defs/time"}};
  if (field.minimum) words.schema["minimum"] = *field.minimum;
  if (field.maximum) words.schema["maximum"] = *field.maximum;
  if (*field.schema != '\0') words.schema = Json::parse(field.schema);
  if (*field.proto != '\0') words.proto = field.proto;
  if (words.proto.starts_with("repeated") && words.reference == "object") {
    words.reference = "list of objects";
  }
  return words;
}

/// JSON on one line, with a space behind each comma and colon.
std::string flat(const Json& json) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items()) {
    if (!text.empty()) text += ", ";
    if (json.is_object()) text += Json(key).dump() + ": ";
    text += flat(value);
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

/// The same on several lines where one would be long.
std::string laid_out(const Json& json, const std::string& indent) {
  constexpr size_t kLongest = 120;
  const std::string line = flat(json);
  if (line.size() <= kLongest || !json.is_object()) return line;
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text += (text.empty() ? "\n" : ",\n") + indent + "  " + Json(key).dump() + ": " +
            laid_out(value, indent + "  ");
  }
  return "{" + text + "\n" + indent + "}";
}

std::string schema_properties() {
  std::string text;
  for (const BenchmarkField& field : benchmark_fields()) {
    Json schema = {{"description", field.meaning}};
    schema.update(words_of(field).schema);
    text += (text.empty() ? "    " : ",\n    ") + Json(field.name).dump() + ": " +
            laid_out(schema, "    ");
  }
  return text;
}

std::string schema_required() {
  Json names = Json::array();
  for (const BenchmarkField& field : benchmark_fields()) {
    if (is_required(field)) names.push_back(field.name);
  }
  return flat(names);
}

/// Lines of a comment, each at most 100 wide.
std::string comment(std::string text) {
  constexpr size_t kWidth = 95;
  std::string lines;
  while (text.size() > kWidth) {
    const size_t end = text.rfind(' ', kWidth);
    lines += "  // " + text.substr(0, end) + "\n";
    text.erase(0, end + 1);
  }
  return lines + "  // " + text + "\n";
}

std::string proto_fields() {
  std::string text;
  for (const BenchmarkField& field : benchmark_fields()) {
    text += comment(field.meaning) + "  " + words_of(field).proto + " " + field.name + " = " +
            std::to_string(field.number) + ";\n";
  }
  return text + comment("keys of the source that the schema does not have") +
         "  optional google.protobuf.Struct extras = 53;";
}

std::string column_cell(const BenchmarkField& field) {
  if (field.group == ColumnGroup::kNoColumn) return "";
  std::string text;
  if (field.has_own_column) text = std::string(field.name) + " " + column_type_of(field);
  for (const PartColumn& part : field.parts) {
    text += std::string(text.empty() ? "" : ", ") + part.name + " " + part.type;
  }
  return text;
}

std::string reference_rows() {
  std::string text;
  for (const BenchmarkField& field : benchmark_fields()) {
    text += std::string(text.empty() ? "| " : "\n| ") + field.name + " | " +
            words_of(field).reference + (is_required(field) ? ", required" : "") + " | " +
            field.meaning + " | " + column_cell(field) + " |";
  }
  return text;
}

/// The part of a file between two marks, the first in it.
struct MadePart {
  std::string after, before, text;
};

void expect_parts(const std::string& file, const std::vector<MadePart>& parts) {
  const std::string path = OPBENCH_TEST_FIXTURES "/../../" + file;
  const std::string present = read_file(path).value();
  std::string wanted = present;
  for (const MadePart& part : parts) {
    const size_t mark = wanted.find(part.after);
    ASSERT_NE(mark, std::string::npos) << file << " lacks " << part.after;
    const size_t begin = mark + part.after.size();
    const size_t end = wanted.find(part.before, begin);
    ASSERT_NE(end, std::string::npos) << file << " lacks " << part.before;
    wanted.replace(begin, end - begin, part.text);
  }
  if (std::getenv("OPBENCH_UPDATE") != nullptr) {
    ASSERT_TRUE(write_file(path, wanted));
    return;
  }
  EXPECT_EQ(present, wanted) << file << " and src/records/record/benchmark_fields.inc differ: run "
                             << "OPBENCH_UPDATE=1 ./dev test record";
}

TEST(BenchmarkTexts, TheJsonSchemaHasTheDeclaredFields) {
  expect_parts("schemas/benchmark_record.schema.json",
               {{"\n  \"required\": ", ",\n", schema_required()},
                {"\n  \"properties\": {\n", "\n  },\n", schema_properties()}});
}

TEST(BenchmarkTexts, TheProtoFileHasTheDeclaredFields) {
  expect_parts("proto/benchmark_record.proto",
               {{"message BenchmarkRecord {\n", "\n}\n", proto_fields()}});
}

TEST(BenchmarkTexts, TheReferenceHasTheDeclaredFields) {
  expect_parts(
      "docs/reference/benchmark-records.md",
      {{"| field | type | meaning | columns |\n|---|---|---|---|\n", "\n\n", reference_rows()}});
}

TEST(BenchmarkFields, HaveNumbersOfTheirOwn) {
  std::set<int> numbers = {53};  // extras
  for (const BenchmarkField& field : benchmark_fields()) {
    EXPECT_TRUE(numbers.insert(field.number).second) << field.name;
  }
}

TEST(BenchmarkFields, RefuseWhatIsOfNoKind) {
  for (const BenchmarkField& field : benchmark_fields()) {
    Json record = {{"status", "error"}};
    record[field.name] = Json::parse("[[]]");
    bool is_named = false;
    for (const RecordIssue& issue : validate_record(record)) {
      is_named = is_named || (issue.field == field.name && issue.is_error());
    }
    EXPECT_TRUE(is_named) << field.name;
  }
}

}  // namespace
}  // namespace opbench
