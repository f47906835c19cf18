#include "function_arguments.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <type_traits>

#include "cuttle/error.hpp"
#include "scalars.h"

namespace cuttle::detail {
namespace {

class Argument {
 public:
  Argument(const std::string& function, const text::ParameterSymbol& parameter, const TypeInfo& given, std::size_t index)
      : function_(function), parameter_(parameter), given_(given), index_(index) {}

  /// Where the parameter's value is.
  const void* convert(const void* value, std::uint64_t* scalar) const {
    const text::SymbolType& type = parameter_.type;
    if (type.is_pointer) {
      check_pointer();
    } else if (type.scalar != Scalar::none && given_.scalar != Scalar::none) {
      return type.scalar == given_.scalar ? value : convert_number(value, scalar);
    } else if (given_.size != type.size) {
      refuse(" is of " + std::to_string(type.size) + " bytes and the argument, " + given_.name().short_form + ", of " + std::to_string(given_.size) +
             ".");
    }
    return value;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    const std::string name = parameter_.name.empty() ? "parameter " + std::to_string(index_ + 1) : "parameter '" + parameter_.name + "'";
    throw LaunchError(name + " of kernel " + function_ + ", " + parameter_.type.spelling + "," + why);
  }

  // Elements are compared as far as both sides know them: numbers by their type, structs by their size, void not at all.
  void check_pointer() const {
    const text::SymbolType& type = parameter_.type;
    if (given_.window == Window::none) refuse(" was given a " + given_.name().short_form + "; it takes an Array, a view or a device pointer.");
    if (given_.window == Window::strided_view) {
      refuse(" was given a strided view, whose elements do not lie side by side; copy them to an Array first.");
    }
    if (given_.read_only && !type.is_read_only) {
      refuse(" was given elements that are const. Pass an Array that is not const, or declare the parameter's elements const.");
    }
    if (!given_.element || type.element_size == 0) return;
    const bool are_numbers = type.element != Scalar::none && given_.element->scalar != Scalar::none;
    if (are_numbers ? type.element != given_.element->scalar : type.element_size != given_.element->size) {
      refuse(" was given elements of type " + given_.element->name().short_form + ".");
    }
  }

  const void* convert_number(const void* value, std::uint64_t* scalar) const {
    with_type(given_.scalar, [&](auto source) {
      std::memcpy(&source, value, sizeof(source));
      with_type(parameter_.type.scalar, [&](auto target) {
        if (!fits<decltype(target)>(source)) {
          std::ostringstream text;
          text << " cannot hold " << +source << "; pass a value that it can, or change its type.";
          refuse(text.str());
        }
        target = static_cast<decltype(target)>(source);
        std::memcpy(scalar, &target, sizeof(target));
      });
    });
    return scalar;
  }

  // Whether a number is the same in the other type. A long double has every number of both; rounding to float is no loss that one would be told of.
  template <class To, class From>
  static bool fits(From value) {
    const auto wide = static_cast<long double>(value);
    if constexpr (std::is_same_v<To, bool>) {
      return wide == 0 || wide == 1;
    } else if constexpr (std::is_integral_v<To>) {
      return wide >= static_cast<long double>(std::numeric_limits<To>::min()) && wide <= static_cast<long double>(std::numeric_limits<To>::max()) &&
             wide == std::trunc(wide);
    } else if constexpr (std::is_integral_v<From>) {
      return static_cast<long double>(static_cast<To>(value)) == wide;
    } else {
      return std::isinf(static_cast<To>(value)) == std::isinf(value);
    }
  }

  const std::string& function_;
  const text::ParameterSymbol& parameter_;
  const TypeInfo& given_;
  std::size_t index_;
};

[[noreturn]] void refuse_count(const std::string& function, std::size_t takes, const std::string& list, std::size_t given) {
  throw LaunchError("kernel " + function + " takes " + std::to_string(takes) + (takes == 1 ? " argument" : " arguments") + list + " and was given " +
                    std::to_string(given) + ".");
}

}  // namespace

void convert_to_parameters(const std::string& function, const std::vector<text::ParameterSymbol>& parameters, const Signature& given,
                           const void* const* values, std::uint64_t* scalars, const void** pointers) {
  if (given.count != parameters.size()) {
    std::string list;
    for (const text::ParameterSymbol& parameter : parameters) {
      list += (list.empty() ? " (" : ", ") + parameter.type.spelling + (parameter.name.empty() ? "" : " " + parameter.name);
    }
    refuse_count(function, parameters.size(), list.empty() ? "" : list + ")", given.count);
  }
  for (std::size_t i = 0; i < given.count; ++i) {
    pointers[i] = Argument(function, parameters[i], *given.parameters[i], i).convert(values[i], &scalars[i]);
  }
}

void check_sizes(const std::string& function, const std::vector<std::size_t>& sizes, const Signature& given) {
  if (given.count != sizes.size()) refuse_count(function, sizes.size(), "", given.count);
  for (std::size_t i = 0; i < given.count; ++i) {
    const TypeInfo& type = *given.parameters[i];
    const std::size_t size = type.window == Window::contiguous_view && sizes[i] == sizeof(void*) ? sizeof(void*) : type.size;
    if (size == sizes[i]) continue;
    throw LaunchError("parameter " + std::to_string(i + 1) + " of kernel " + function + " is of " + std::to_string(sizes[i]) +
                      " bytes and the argument, " + type.name().short_form + ", of " + std::to_string(size) +
                      "; PTX and cubins do not tell types, so that nothing is converted.");
  }
}

}  // namespace cuttle::detail
