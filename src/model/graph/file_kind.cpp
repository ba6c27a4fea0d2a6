#include "model/graph/file_kind.h"

#include <algorithm>
#include <array>

namespace opbench {
namespace {

using std::string_view_literals::operator""sv;

/// Bytes that a kind of file has at a place.
struct Mark {
  size_t offset;
  std::string_view bytes;
  std::string_view kind;
};

constexpr std::array kMarks = {
    Mark{4, "TFL3"sv, "a TensorFlow Lite model"},
    Mark{4, "ORTM"sv, "a model in ONNX Runtime's own format (.ort)"},
    Mark{0, "GGUF"sv, "a GGUF model"},
    Mark{0, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file, such as Keras models are"},
    Mark{0, "\x93NUMPY"sv, "a NumPy array"},
    Mark{0, "\x1f\x8b"sv, "a gzip file; unpack it first"},
    Mark{0, "\x28\xb5\x2f\xfd"sv, "a Zstandard file; unpack it first"},
    Mark{0,
         "\xfd"
         "7zXZ\0"sv,
         "an xz file; unpack it first"},
    Mark{0, "BZh"sv, "a bzip2 file; unpack it first"},
    Mark{0, "7z\xbc\xaf\x27\x1c"sv, "a 7-zip file; unpack it first"},
    Mark{257, "ustar"sv, "a tar file; unpack it first"},
    Mark{0,
         "\x7f"
         "ELF"sv,
         "a program or library (ELF)"},
    Mark{0, "\x89PNG"sv, "a PNG image"},
    Mark{0, "\xff\xd8\xff"sv, "a JPEG image"},
    Mark{0, "%PDF"sv, "a PDF document"},
    Mark{0, "version https://git-lfs"sv,
         "a pointer of Git LFS; fetch the file with `git lfs pull`"},
    Mark{0, "<!DOCTYPE"sv, "a web page"},
    Mark{0, "<!doctype"sv, "a web page"},
    Mark{0, "<html"sv, "a web page"},
    Mark{0, "<?xml"sv, "XML, such as OpenVINO's models are"},
};

bool has_mark(std::string_view bytes, const Mark& mark) {
  return bytes.size() >= mark.offset && bytes.substr(mark.offset).starts_with(mark.bytes);
}

/// Zip files are told apart by the names of the files inside.
std::string zip_kind(std::string_view bytes) {
  constexpr size_t kNames = 4096;
  const std::string_view head = bytes.substr(0, kNames);
  const bool is_torch = head.find("data.pkl") != std::string_view::npos ||
                        head.find("/version") != std::string_view::npos;
  return is_torch ? "a PyTorch model; export it with torch.onnx.export"
                  : "a zip file; unpack it first";
}

/// PyTorch's older files and other Python objects: protocol 2 to 5 and an opcode.
bool is_pickle(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

/// The length of a JSON header in 8 bytes, then the header.
bool is_safetensors(std::string_view bytes) {
  return bytes.size() > 10 && bytes.substr(5, 3) == "\0\0\0"sv && bytes.substr(8, 2) == "{\"";
}

bool is_text(std::string_view bytes) {
  constexpr size_t kLook = 4096;
  return std::ranges::all_of(bytes.substr(0, kLook), [](unsigned char c) {
    return c >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  });
}

std::string text_kind(std::string_view bytes) {
  const size_t begin = bytes.find_first_not_of(" \t\r\n");
  const std::string_view text = begin == std::string_view::npos ? "" : bytes.substr(begin);
  if (text.empty()) return "blanks";
  const bool is_onnx = text.starts_with("ir_version") || text.starts_with("opset_import") ||
                       text.starts_with("<") || text.starts_with("graph");
  if (is_onnx) return "text, perhaps ONNX's text format; write it with onnx.save in binary form";
  if (text.starts_with("{") || text.starts_with("[")) return "JSON";
  return "text";
}

}  // namespace

std::string file_kind(std::string_view bytes) {
  for (const Mark& mark : kMarks) {
    if (has_mark(bytes, mark)) return std::string(mark.kind);
  }
  if (bytes.starts_with("PK\x03\x04")) return zip_kind(bytes);
  if (is_pickle(bytes)) return "a Python pickle, such as older PyTorch models are";
  if (is_safetensors(bytes)) return "weights without a graph (safetensors)";
  const bool is_zero = std::ranges::all_of(bytes.substr(0, 4096), [](char c) { return c == '\0'; });
  if (is_zero) return "zeros";
  return is_text(bytes) ? text_kind(bytes) : "";
}

}  // namespace opbench
