// Arguments of a call through Kernel, where declared parameter types are known only at run time.

#include <cstring>
#include <string>

#include "cuttle/error.hpp"
#include "cuttle/kernel.hpp"
#include "parameter_text.h"
#include "scalars.h"

namespace cuttle::detail {
namespace {

// The same type seen from another library of the process has another TypeInfo.
bool is_same_type(const TypeInfo& a, const TypeInfo& b) { return &a == &b || a.name().device == b.name().device; }

// Whether the bytes of an argument are those of the parameter: the same type, more const, or an array's pointer, which leads its view.
bool is_readable_as(const TypeInfo& parameter, const TypeInfo& argument) {
  if (parameter.element && argument.element) {
    const bool fits = parameter.window == argument.window ? parameter.dimensions == argument.dimensions
                                                          : parameter.window == Window::pointer && argument.window == Window::contiguous_view;
    return fits && (parameter.read_only || !argument.read_only) && is_same_type(*parameter.element, *argument.element);
  }
  return is_same_type(parameter, argument);
}

void convert_scalar(Scalar from, const void* value, Scalar to, void* result) {
  with_type(from, [&](auto source) {
    std::memcpy(&source, value, sizeof(source));
    with_type(to, [&](auto target) {
      target = static_cast<decltype(target)>(source);
      std::memcpy(result, &target, sizeof(target));
    });
  });
}

std::string place(const KernelHandle& kernel) { return std::string("the kernel at ") + kernel.text.file + ":" + std::to_string(kernel.text.line); }

[[noreturn]] void refuse_type(const KernelHandle& kernel, std::size_t index, const TypeInfo& parameter, const TypeInfo& argument) {
  std::string message = numbered("parameter", kernel.text, index) + " of " + place(kernel) + " is declared as " + parameter.name().short_form +
                        ", and the argument is " + argument.name().short_form + ", which does not convert to it.";
  if (parameter.element && argument.element && argument.read_only && !parameter.read_only && is_same_type(*parameter.element, *argument.element)) {
    message += " Pass an array that is not const, or declare the parameter's elements const.";
  }
  throw LaunchError(message);
}

std::string arguments_text(const KernelHandle& kernel) {
  const std::string most = std::to_string(kernel.parameter_count);
  const std::string number = kernel.required_count == kernel.parameter_count ? most : std::to_string(kernel.required_count) + " to " + most;
  return number + (kernel.parameter_count == 1 ? " argument" : " arguments");
}

// A constant is a plain value for a parameter that is declared.
Scalar scalar_of(const TypeInfo& argument) { return argument.constant_of ? argument.constant_of->scalar : argument.scalar; }

}  // namespace

const Signature& convert_arguments(const KernelHandle& kernel, const Signature& given, const void* const* values, std::uint64_t* scalars,
                                   const void** pointers) {
  if (!kernel.text.text) throw LaunchError("an empty cuttle::Kernel was launched; assign a CUTTLE_KERNEL to it first.");
  if (given.count < kernel.required_count || given.count > kernel.parameter_count) {
    throw LaunchError(place(kernel) + " takes " + arguments_text(kernel) + " and was given " + std::to_string(given.count) + ".");
  }
  const Signature& wanted = kernel.declared ? *kernel.declared[given.count] : given;
  for (std::size_t i = 0; i < given.count; ++i) {
    const TypeInfo& argument = *given.parameters[i];
    const TypeInfo& parameter = *wanted.parameters[i];
    const Scalar from = scalar_of(argument);
    const bool is_value = parameter.scalar != Scalar::none && from != Scalar::none;
    if (!is_value && &parameter != &argument && !is_readable_as(parameter, argument)) refuse_type(kernel, i, parameter, argument);
    if (!values) continue;
    pointers[i] = values[i];
    if (parameter.scalar != from && is_value) {
      convert_scalar(from, values[i], parameter.scalar, &scalars[i]);
      pointers[i] = &scalars[i];
    }
  }
  return wanted;
}

}  // namespace cuttle::detail
