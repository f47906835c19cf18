// Random kernels with barriers, early returns, divergent branches and loops, against an interpreter that runs all threads in lock step.

#include <array>
#include <random>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

class RandomKernel : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(RandomKernel);

constexpr int variables = 4;  // v0..v3 of each thread; u, w count uniform loops and are the same in every thread

// The state of a block in the interpreter, and the text of the kernel that does the same: each statement is added to both at once.
class Program {
 public:
  explicit Program(unsigned seed, int threads)
      : random_(seed), threads_(threads), values_(threads), own_(threads), shared_(threads), alive_(threads, true) {
    for (int t = 0; t < threads; ++t) {
      for (int v = 0; v < variables; ++v) values_[t][v] = static_cast<unsigned>(t * (v + 3) + v);
      own_[t].fill(static_cast<unsigned>(t));
    }
    text_ =
        "[](unsigned* out, unsigned round) { __shared__ unsigned ring[1024]; const unsigned t = threadIdx.x, n = blockDim.x; unsigned own[4]; "
        "for (int i = 0; i < 4; ++i) own[i] = t; unsigned v0 = t * 3u, v1 = t * 4u + 1u, v2 = t * 5u + 2u, v3 = t * 6u + 3u; ring[t] = 0; "
        "__syncthreads(); ";
    statements(6, 0);
    text_ += " out[t] = v0 + 3u * v1 + 5u * v2 + 7u * v3 + own[round & 3u]; }";
  }

  [[nodiscard]] const std::string& text() const { return text_; }

  // What `out` holds afterwards; 77 where the thread returned early.
  [[nodiscard]] std::vector<unsigned> result() const {
    std::vector<unsigned> out;
    for (int t = 0; t < threads_; ++t) {
      const auto& v = values_[t];
      out.push_back(alive_[t] ? v[0] + 3 * v[1] + 5 * v[2] + 7 * v[3] + own_[t][1] : 77);
    }
    return out;
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  std::string variable(unsigned v) { return "v" + std::to_string(v); }

  template <class Each>
  void for_active(const std::vector<bool>& active, const Each& each) {
    for (int t = 0; t < threads_; ++t) {
      if (active[t] && alive_[t]) each(t);
    }
  }

  std::vector<bool> everyone() const { return std::vector<bool>(static_cast<std::size_t>(threads_), true); }

  // ---- statements that all threads of the block reach: they may wait for each other -------------------------------------------------
  void statements(int count, int depth) {
    for (int i = 0; i < count; ++i) statement(depth);
  }

  void statement(int depth) {
    switch (pick(depth < 2 ? 9 : 6)) {
      case 0:
        return exchange();
      case 1:
        return divergent_loop();
      case 2:
        return assign(everyone());
      case 3:
        return vote();
      case 4:
        return nested_loops();
      case 5:
        return strided_loop();
      case 6:
        return branch(depth);
      case 7:
        return depth == 0 ? leave() : own_array();
      default:
        return uniform_loop(depth);
    }
  }

  void exchange() {
    const unsigned from = pick(variables), to = pick(variables), distance = pick(40);
    text_ += "ring[t] = " + variable(from) + "; __syncthreads(); " + variable(to) + " += ring[(t + " + std::to_string(distance) +
             "u) % n]; __syncthreads(); ";
    for_active(everyone(), [&](int t) { shared_[t] = values_[t][from]; });
    for_active(everyone(), [&](int t) { values_[t][to] += shared_[(static_cast<unsigned>(t) + distance) % static_cast<unsigned>(threads_)]; });
  }

  void vote() {
    const unsigned of = pick(variables), to = pick(variables), bit = 1u << pick(4);
    text_ += variable(to) + " += __syncthreads_count(" + variable(of) + " & " + std::to_string(bit) + "u); ";
    unsigned count = 0;
    for_active(everyone(), [&](int t) { count += (values_[t][of] & bit) != 0; });
    for_active(everyone(), [&](int t) { values_[t][to] += count; });
  }

  void own_array() {
    const unsigned of = pick(variables), to = pick(variables);
    text_ +=
        "own[" + variable(of) + " & 3u] += " + variable(to) + "; __syncthreads(); " + variable(to) + " ^= own[(" + variable(of) + " + 1u) & 3u]; ";
    for_active(everyone(), [&](int t) {
      auto& v = values_[t];
      own_[t][v[of] & 3] += v[to];
      v[to] ^= own_[t][(v[of] + 1) & 3];
    });
  }

  // Some threads return, and never all of them: thread 0 stays.
  void leave() {
    const unsigned modulus = 2 + pick(5);
    text_ += "if (t % " + std::to_string(modulus) + "u == " + std::to_string(modulus - 1) + "u) return; ";
    for (int t = 0; t < threads_; ++t) {
      if (static_cast<unsigned>(t) % modulus == modulus - 1) alive_[t] = false;
    }
  }

  // A condition that is the same in every thread, of which the compiler knows nothing: `round` is an argument, 1.
  void branch(int depth) {
    const bool taken = pick(2) == 0;
    text_ += taken ? "if (round == 1u) { " : "if (round != 1u) { ";
    Program skipped = *this;
    Program& body = taken ? *this : skipped;
    const std::string before = body.text_;
    body.text_.clear();
    body.statements(2, depth + 1);
    const std::string inner = body.text_;
    random_ = body.random_;
    text_ = before + inner + "} ";
  }

  void uniform_loop(int depth) {
    const unsigned rounds = pick(4);
    const std::string counter = "i" + std::to_string(counters_++);
    text_ += "for (unsigned " + counter + " = 0; " + counter + " < " + std::to_string(rounds) + "u * round; ++" + counter + ") { ";
    Program body = *this;
    body.text_.clear();
    body.statements(2, depth + 1);
    text_ += body.text_ + "} ";
    // The same statements again for each round: a copy of the generator makes the same picks.
    const auto start = random_;
    for (unsigned i = 0; i < rounds; ++i) {
      const std::string kept = text_;
      random_ = start;
      statements(2, depth + 1);
      text_ = kept;
    }
    random_ = body.random_;
    counters_ = body.counters_ + 10;
  }

  // ---- statements that threads may reach alone ------------------------------------------------------------------------------------------
  void assign(const std::vector<bool>& active) {
    const unsigned a = pick(variables), b = pick(variables), to = pick(variables), factor = 1 + pick(9);
    text_ += variable(to) + " = " + variable(a) + " * " + std::to_string(factor) + "u + " + variable(b) + "; ";
    for_active(active, [&](int t) { values_[t][to] = values_[t][a] * factor + values_[t][b]; });
    const unsigned condition = pick(variables), then = pick(variables);
    text_ += "if (" + variable(condition) + " & 1u) " + variable(then) + " ^= t; ";
    for_active(active, [&](int t) {
      if (values_[t][condition] & 1) values_[t][then] ^= static_cast<unsigned>(t);
    });
  }

  void divergent_loop() {
    const unsigned of = pick(variables), to = pick(variables);
    const std::string counter = "j" + std::to_string(counters_++);
    text_ += "for (unsigned " + counter + " = " + variable(of) + " % 7u; " + counter + " != 0; --" + counter + ") { if (" + variable(to) +
             " % 11u == 3u) break; " + variable(to) + " = " + variable(to) + " * 5u + " + counter + "; } ";
    for_active(everyone(), [&](int t) {
      auto& v = values_[t];
      for (unsigned j = v[of] % 7; j != 0; --j) {
        if (v[to] % 11 == 3) break;
        v[to] = v[to] * 5 + j;
      }
    });
  }

  // An inner loop whose rounds all threads count alike, in one that each leaves at a time of its own.
  void nested_loops() {
    const unsigned of = pick(variables), to = pick(variables), also = pick(variables), rounds = 33 + pick(5);
    const std::string outer = "j" + std::to_string(counters_++), inner = "k" + std::to_string(counters_++);
    text_ += "for (unsigned " + outer + " = " + variable(of) + " % 5u; " + outer + " != 0; --" + outer + ") { for (unsigned " + inner + " = 0; " +
             inner + " < " + std::to_string(rounds) + "u * round; ++" + inner + ") " + variable(to) + " = " + variable(to) + " * 3u + " + inner +
             "; if (" + variable(to) + " % 3u == 0u) continue; " + variable(also) + " ^= " + variable(to) + " + " + outer + "; } ";
    for_active(everyone(), [&](int t) {
      auto& v = values_[t];
      for (unsigned j = v[of] % 5; j != 0; --j) {
        for (unsigned k = 0; k < rounds; ++k) v[to] = v[to] * 3 + k;
        if (v[to] % 3 == 0) continue;
        v[also] ^= v[to] + j;
      }
    });
  }

  // Each thread starts at its own number and moves on by the size of the block.
  void strided_loop() {
    const unsigned to = pick(variables), end = 50 + pick(300);
    const std::string counter = "i" + std::to_string(counters_++);
    text_ += "for (unsigned " + counter + " = t; " + counter + " < " + std::to_string(end) + "u; " + counter + " += n) " + variable(to) +
             " += " + counter + " * " + counter + "; ";
    for_active(everyone(), [&](int t) {
      for (unsigned i = static_cast<unsigned>(t); i < end; i += static_cast<unsigned>(threads_)) values_[t][to] += i * i;
    });
  }

  std::mt19937 random_;
  int threads_;
  std::vector<std::array<unsigned, variables>> values_;
  std::vector<std::array<unsigned, 4>> own_;
  std::vector<unsigned> shared_;
  std::vector<bool> alive_;
  std::string text_;
  unsigned counters_ = 0;
};

// What every program is made from: the parameters, and nothing else.
const auto shape = CUTTLE_KERNEL([](unsigned* out, unsigned round) { out[0] = round; });

TEST_P(RandomKernel, GivesWhatLockStepGives) {
  constexpr int programs = 40;
  constexpr int sizes[] = {1, 32, 37, 256};
  for (unsigned seed = 0; seed < programs; ++seed) {
    for (const int threads : sizes) {
      // Texts and sites live as long as the process: variants refer to them.
      const auto& program = *new Program(seed, threads);
      auto handle = shape.handle();
      handle.text.text = program.text().c_str();
      handle.site = new cuttle::detail::Site;
      const decltype(shape) kernel(handle);
      cuttle::Array<unsigned> out(std::vector<unsigned>(static_cast<std::size_t>(threads), 77u));
      kernel[{1, threads}](out, 1u);
      ASSERT_EQ(out.to_vector(), program.result()) << "seed " << seed << ", " << threads << " threads:\n" << program.text();
    }
  }
}

}  // namespace
