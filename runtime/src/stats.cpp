#include "cuttle/stats.hpp"

#include "counters.h"

namespace cuttle {

Stats stats() { return {detail::counters.compilations.load(), detail::counters.memory_hits.load(), detail::counters.modules.load()}; }

}  // namespace cuttle
