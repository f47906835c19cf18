// CUTTLE_DUMP: files of what was compiled, for people who read PTX.
#pragma once

#include <string>
#include <string_view>

namespace cuttle::detail {

struct Compilation;

/// Writes source, IR and PTX or assembly into the folder of CUTTLE_DUMP, if it is set. I/O errors are ignored: a dump must not fail a launch.
void dump(const Compilation& compilation);
/// The same for one binary, `<entry>.<suffix>`.
void dump_binary(const Compilation& compilation, std::string_view suffix, std::string_view bytes);
/// Writes PTX that the driver refused into CUTTLE_DUMP, else the folder for temporary files. The file's path.
std::string keep_failed_ptx(const Compilation& compilation);

}  // namespace cuttle::detail
