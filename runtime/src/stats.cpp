#include "cuttle/stats.hpp"

#include "counters.h"

namespace cuttle {

Stats stats() {
  const detail::Counters& now = detail::counters;
  return {.compilations = now.compilations.load(),
          .memory_hits = now.memory_hits.load(),
          .disk_hits = now.disk_hits.load(),
          .modules = now.modules.load()};
}

}  // namespace cuttle
