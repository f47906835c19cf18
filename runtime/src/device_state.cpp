#include "device_state.h"

#include "compilation.h"
#include "cuttle/error.hpp"

namespace cuttle::detail {

std::unique_ptr<const Executable> DeviceState::load(const Compilation& compilation, const std::string& title) {
  const FunctionName name{.symbol = compilation.entry,
                          .title = title,
                          .static_shared_bytes = compilation.static_shared_bytes,
                          .least_shared_bytes = compilation.least_shared_bytes,
                          .is_cooperative = compilation.cooperative,
                          .is_checked = compilation.target.check != 0};
  auto executable = find_function(load_module(compilation.binary, title), name);
  if (!executable) throw InternalError("the binary of kernel " + compilation.entry + " does not hold that function");
  return executable;
}

}  // namespace cuttle::detail
