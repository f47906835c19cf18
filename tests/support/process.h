// Other processes, for tests of what only whole processes show: start them with an environment, kill them, read what they wrote.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace cuttle::test {

/// The folder of the running test program, where the programs that it starts lie too.
inline std::filesystem::path program_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

/// A folder of its own for a test, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "cuttle-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder can be made");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Variables to set; an empty optional value cannot be said: name them in `unset`.
struct Environment {
  std::map<std::string, std::string> set;
  std::vector<std::string> unset;
};

/// A started program, whose output is collected in files.
class Process {
 public:
  Process(const std::filesystem::path& program, const std::vector<std::string>& arguments, const Environment& environment) {
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("fork failed");
    if (pid_ > 0) return;
    for (const std::string& name : environment.unset) unsetenv(name.c_str());
    for (const auto& [name, value] : environment.set) setenv(name.c_str(), value.c_str(), 1);
    redirect(output_path(), STDOUT_FILENO);
    redirect(error_path(), STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  ~Process() {
    if (!ended_) {
      kill_now();
      wait();
    }
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// The exit code, or -signal.
  int wait() {
    if (!ended_) {
      waitpid(pid_, &status_, 0);
      ended_ = true;
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
  }
  void kill_now() const { ::kill(pid_, SIGKILL); }

  /// What it wrote, after wait().
  [[nodiscard]] std::string output() const { return read(output_path()); }
  [[nodiscard]] std::string error() const { return read(error_path()); }

 private:
  [[nodiscard]] std::string output_path() const { return (folder_.path() / "out").string(); }
  [[nodiscard]] std::string error_path() const { return (folder_.path() / "err").string(); }

  static void redirect(const std::string& path, int descriptor) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, descriptor);
    close(file);
  }
  static std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  TemporaryFolder folder_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace cuttle::test
