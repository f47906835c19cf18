// Arguments of a module's function against its parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cuttle/dsl/signature.hpp"
#include "dsl/text/module_symbols.h"

namespace cuttle::detail {

/// Checks arguments of the types `given`, whose values are at `values`, and fills in `pointers` to what the function gets; a number that is converted
/// lies in `scalars`. Throws LaunchError for a wrong number of arguments, a pointer to other elements, and a number whose value the parameter
/// cannot hold.
void convert_to_parameters(const std::string& function, const std::vector<text::ParameterSymbol>& parameters, const Signature& given,
                           const void* const* values, std::uint64_t* scalars, const void** pointers);

/// The same where only the parameters' sizes are known.
void check_sizes(const std::string& function, const std::vector<std::size_t>& sizes, const Signature& given);

}  // namespace cuttle::detail
