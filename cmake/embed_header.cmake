# Writes the C++ source SOURCE that registers the text of HEADER as device code and defines SYMBOL (see cuttle_embed_headers.cmake).
file(READ ${HEADER} bytes HEX)
string(REGEX REPLACE "(..)" "'\\\\x\\1'," literals "${bytes}")
file(WRITE ${SOURCE} "// Made from ${HEADER} by cuttle_embed_headers.
#include <cuttle/dsl/device_code.hpp>

namespace {

constexpr char text[] = {${literals}0};
constexpr cuttle::detail::DeviceBlock header{text, \"${HEADER}\", 1, 0, \"\", nullptr, cuttle::detail::DeviceBlockKind::embedded_header};
[[gnu::section(\"cuttle_blocks\"), gnu::used]] const cuttle::detail::DeviceBlock* const entry = &header;

}  // namespace

extern \"C\" [[gnu::visibility(\"hidden\")]] const char ${SYMBOL};
const char ${SYMBOL} = 0;
")
