// A module's source as it is compiled: the text, the headers that it includes, and the key of all of it.
#pragma once

#include <string>
#include <vector>

#include "compilation.h"
#include "cuttle/module.hpp"
#include "device_state.h"
#include "key.h"

namespace cuttle::detail {

struct Header {
  std::string name;  // as it is found in its folder: enters the key
  std::string path;  // absolute
  std::string text;
};

struct ModuleSource {
  ModuleSource(const std::string& source, SourceOptions source_options);

  std::string text;
  SourceOptions options;
  std::vector<std::string> folders;  // absolute
  std::vector<Header> headers;       // every one that the text includes, and those that these include, where the folders have them
};

/// The code of all kernels of the source for the device, from the cache on disk or compiled.
[[nodiscard]] std::shared_ptr<const Compilation> compile(const ModuleSource& source, DeviceState& device);

}  // namespace cuttle::detail
