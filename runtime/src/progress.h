// A line on the terminal while a compilation takes long.
#pragma once

#include <memory>
#include <string>

namespace cuttle::detail {

/// From half a second after its construction to its end, stderr shows "cuttle: compiling <what> ...", where it is a terminal and
/// CUTTLE_PROGRESS is not 0.
class Progress {
 public:
  explicit Progress(const std::string& what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  class Line;
  std::unique_ptr<Line> line_;  // null where nothing is shown
};

}  // namespace cuttle::detail
