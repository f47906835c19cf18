// The last kernels that a device was given, so that a fault can be blamed on them. A launch of the kernel that was launched before costs one load.
#pragma once

#include <array>
#include <atomic>
#include <string>
#include <vector>

namespace cuttle::detail {

class RecentLaunches {
 public:
  /// `title` lives until the process ends. Two threads at once may lose one of the two: this is a hint, and not worth a lock.
  void note(const std::string& title) noexcept {
    const unsigned newest = newest_.load(std::memory_order_relaxed);
    if (titles_[newest % titles_.size()].load(std::memory_order_relaxed) == &title) [[likely]]
      return;
    titles_[(newest + 1) % titles_.size()].store(&title, std::memory_order_relaxed);
    newest_.store(newest + 1, std::memory_order_relaxed);
  }

  /// "kernel a (f32)", or "one of the kernels launched last, newest first: b (), a (f32)"; empty where there was none.
  [[nodiscard]] std::string blame() const {
    std::vector<const std::string*> titles;
    const unsigned newest = newest_.load(std::memory_order_relaxed);
    for (unsigned i = 0; i < titles_.size(); ++i) {
      if (const std::string* title = titles_[(newest - i) % titles_.size()].load(std::memory_order_relaxed)) titles.push_back(title);
    }
    if (titles.empty()) return "";
    if (titles.size() == 1) return "kernel " + *titles[0];
    std::string text = "one of the kernels launched last, newest first: ";
    for (std::size_t i = 0; i < titles.size(); ++i) text += (i == 0 ? "" : ", ") + *titles[i];
    return text;
  }

 private:
  std::array<std::atomic<const std::string*>, 4> titles_{};
  std::atomic<unsigned> newest_{0};
};

}  // namespace cuttle::detail
