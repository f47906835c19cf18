// Names of classes and enumerations as the embedded Clang writes them, from the host compiler's __PRETTY_FUNCTION__.

#include <string>
#include <string_view>

#include "cuttle/dsl/signature.hpp"
#include "cuttle/error.hpp"

namespace cuttle::detail {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

// g++: "... Named<T>::name() [with T = N::S]"; clang: "... [T = N::S]".
std::string_view template_argument(std::string_view pretty) {
  const std::size_t begin = pretty.find("T = ");
  if (begin == std::string_view::npos) throw InternalError("a type's name cannot be read from: " + std::string(pretty));
  const std::string_view rest = pretty.substr(begin + 4);
  int depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '<' || rest[i] == '(' || rest[i] == '[') ++depth;
    if ((rest[i] == ']' || rest[i] == ';') && depth == 0) return rest.substr(0, i);
    if (rest[i] == '>' || rest[i] == ')' || rest[i] == ']') --depth;
  }
  return rest;
}

}  // namespace

CUTTLE_API std::string normalized_type_name(const char* pretty_function) {
  std::string name(template_argument(pretty_function));
  // Anonymous namespaces need no spelling: their members are visible where the kernel's text stands.
  replace_all(name, "{anonymous}::", "");
  replace_all(name, "(anonymous namespace)::", "");
  replace_all(name, "long unsigned int", "unsigned long");
  replace_all(name, "long int", "long");
  replace_all(name, "short unsigned int", "unsigned short");
  replace_all(name, "short int", "short");
  replace_all(name, "unsigned int", "unsigned");
  replace_all(name, "std::__cxx11::", "std::");
  replace_all(name, "> >", ">>");
  return name;
}

CUTTLE_API std::string short_type_name(const std::string& name) {
  std::string text = name;
  replace_all(text, "std::complex<float>", "c64");
  replace_all(text, "std::complex<double>", "c128");
  return text;
}

}  // namespace cuttle::detail
