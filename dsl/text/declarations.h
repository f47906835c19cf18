// What a piece of C++ declares and what it mentions, by its tokens: enough to choose the device blocks that a kernel needs, and for messages.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

namespace cuttle::text {

using Names = std::unordered_set<std::string_view>;

/// Every identifier in `source`.
[[nodiscard]] Names identifiers(std::string_view source);

/// The names that `source`, a sequence of declarations at namespace scope, declares there or in namespaces inside: classes, enumerations with
/// their enumerators, aliases, functions, variables. An operator, which nobody calls by name, stands under the types of its parameters.
[[nodiscard]] Names declared_names(std::string_view source);

/// The names of a lambda expression's parameters, in order; empty for one without a name.
[[nodiscard]] std::vector<std::string_view> parameter_names(std::string_view lambda);

}  // namespace cuttle::text
