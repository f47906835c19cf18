#include "progress.h"

#include <unistd.h>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "environment.h"

namespace cuttle::detail {

class Progress::Line {
 public:
  explicit Line(const std::string& what) : text_("cuttle: compiling " + what + " ..."), thread_([this] { wait_and_show(); }) {}
  ~Line() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    end_.notify_one();
    thread_.join();
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

 private:
  void wait_and_show() {
    std::unique_lock lock(mutex_);
    if (end_.wait_for(lock, std::chrono::milliseconds(500), [this] { return done_; })) return;
    std::fprintf(stderr, "\r%s", text_.c_str());
    end_.wait(lock, [this] { return done_; });
    std::fprintf(stderr, "\r%*s\r", static_cast<int>(text_.size()), "");
  }

  std::string text_;
  std::mutex mutex_;
  std::condition_variable end_;
  bool done_ = false;
  std::thread thread_;  // last: it uses the members above
};

Progress::Progress(const std::string& what) {
  if (isatty(STDERR_FILENO) && !environment::progress_is_off()) line_ = std::make_unique<Line>(what);
}

Progress::~Progress() = default;

}  // namespace cuttle::detail
