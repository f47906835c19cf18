#include "build_id.h"

namespace cuttle::detail {

const char* const build_id = CUTTLE_BUILD_ID;

}  // namespace cuttle::detail
