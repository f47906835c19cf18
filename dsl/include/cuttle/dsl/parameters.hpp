// A lambda's parameter list, read off its text, when the program is compiled: asking the lambda's type would instantiate its body.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuttle::detail {

/// What the text of one parameter says about its type.
enum class ParameterKind : std::uint8_t {
  deduced,  ///< `auto x`, `const auto& x`, `T a`, `view<const T> x`: the argument's own type
  pointer,  ///< `float* x`, `auto* x`, `float x[]`: an Array is passed as the address of its data
  boolean,  ///< and so on: a scalar type by its name, to which the argument converts
  character,
  signed_char,
  unsigned_char,
  short_int,
  unsigned_short,
  int_,
  unsigned_int,
  long_int,
  unsigned_long,
  long_long,
  unsigned_long_long,
  float_,
  double_,
};

inline constexpr std::size_t max_parameters = 64;

/// A parameter's name as it stands in a message; cut where it is longer.
struct ParameterName {
  char text[24] = {};
};

struct ParameterList {
  ParameterKind kinds[max_parameters] = {};
  std::size_t count = 0;
  std::size_t required = 0;  ///< without the defaulted ones at the end
  std::size_t most = 0;      ///< arguments that it takes: more than the count with a pack, `auto... rest`
  char names[192] = {};      ///< one after the other, each ended by a space; as many as fit

  [[nodiscard]] constexpr ParameterName name(std::size_t index) const {
    std::size_t at = 0;
    for (; index > 0 && at < sizeof(names); ++at) index -= names[at] == ' ';
    ParameterName name;
    for (std::size_t i = 0; i + 1 < sizeof(name.text) && at < sizeof(names) && names[at] != ' '; ++i, ++at) name.text[i] = names[at];
    return name;
  }
};

/// Reads `text`, a lambda expression with single spaces between tokens where any were.
class ParameterReader {
 public:
  constexpr explicit ParameterReader(const char* text) : text_(text) {}

  constexpr ParameterList read() {
    ParameterList list;
    if (!find_list()) return list;
    while (text_[at_] != '\0' && text_[at_] != ')') {
      read_parameter(list);
      if (text_[at_] == ',') ++at_;
    }
    if (list.most == 0) list.most = list.count;
    return list;
  }

 private:
  // Past the capture list and a template parameter list with its constraint, to the text after the parenthesis.
  constexpr bool find_list() {
    int square = 0, angle = 0;
    for (; text_[at_] != '\0'; ++at_) {
      const char c = text_[at_];
      if (c == '[') ++square;
      if (c == ']') --square;
      if (square > 0) continue;
      if (c == '<') ++angle;
      if (c == '>' && angle > 0) --angle;
      if (angle > 0) continue;
      if (c == '{') return false;  // a lambda without a parameter list
      if (c == '(') {
        ++at_;
        return true;
      }
    }
    return false;
  }

  static constexpr bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

  // Words of a declaration that name a scalar type, counted; anything else makes the type deduced or a pointer.
  struct Words {
    int total = 0;  // words other than cv-qualifiers, the parameter's name included
    int bool_ = 0, char_ = 0, short_ = 0, int_ = 0, long_ = 0, signed_ = 0, unsigned_ = 0, float_ = 0, double_ = 0;
    ParameterKind fixed = ParameterKind::deduced;  // size_t, std::int32_t and the like
    bool star = false, other = false, pack = false;
  };

  static constexpr bool equal(const char* text, std::size_t length, const char* word) {
    std::size_t i = 0;
    for (; i < length; ++i) {
      if (word[i] == '\0' || word[i] != text[i]) return false;
    }
    return word[i] == '\0';
  }

  static constexpr void add_word(Words& words, const char* text, std::size_t length) {
    using enum ParameterKind;
    struct Fixed {
      const char* name;
      ParameterKind kind;
    };
    // As <cstdint> has them on every 64-bit Linux.
    constexpr Fixed fixed[] = {{"int8_t", signed_char},          {"uint8_t", unsigned_char}, {"int16_t", short_int}, {"uint16_t", unsigned_short},
                               {"int32_t", ParameterKind::int_}, {"uint32_t", unsigned_int}, {"int64_t", long_int},  {"uint64_t", unsigned_long},
                               {"size_t", unsigned_long},        {"ptrdiff_t", long_int}};
    if (equal(text, length, "const") || equal(text, length, "volatile") || equal(text, length, "std")) return;
    ++words.total;
    if (equal(text, length, "bool")) ++words.bool_;
    if (equal(text, length, "char")) ++words.char_;
    if (equal(text, length, "short")) ++words.short_;
    if (equal(text, length, "int")) ++words.int_;
    if (equal(text, length, "long")) ++words.long_;
    if (equal(text, length, "signed")) ++words.signed_;
    if (equal(text, length, "unsigned")) ++words.unsigned_;
    if (equal(text, length, "float")) ++words.float_;
    if (equal(text, length, "double")) ++words.double_;
    for (const Fixed& f : fixed) {
      if (equal(text, length, f.name)) words.fixed = f.kind;
    }
  }

  static constexpr ParameterKind kind_of(const Words& w) {
    using enum ParameterKind;
    if (w.star) return pointer;
    if (w.other) return deduced;
    const int builtin = w.bool_ + w.char_ + w.short_ + w.int_ + w.long_ + w.signed_ + w.unsigned_ + w.float_ + w.double_;
    if (builtin == 0) return w.fixed != deduced && w.total <= 2 ? w.fixed : deduced;
    if (w.total > builtin + 1) return deduced;  // more than the parameter's name beside the type
    if (w.bool_) return boolean;
    if (w.float_) return float_;
    if (w.double_) return w.long_ ? deduced : double_;
    if (w.char_) return w.unsigned_ ? unsigned_char : w.signed_ ? signed_char : character;
    if (w.short_) return w.unsigned_ ? unsigned_short : short_int;
    if (w.long_ == 2) return w.unsigned_ ? unsigned_long_long : long_long;
    if (w.long_ == 1) return w.unsigned_ ? unsigned_long : long_int;
    return w.unsigned_ ? unsigned_int : ParameterKind::int_;
  }

  constexpr void read_parameter(ParameterList& list) {
    Words words;
    int depth = 0;  // of every kind of bracket
    bool defaulted = false, any = false;
    std::size_t name = 0, name_length = 0;  // the last word before a default, which an unnamed parameter has not
    for (; text_[at_] != '\0'; ++at_) {
      const char c = text_[at_];
      if (depth == 0 && (c == ',' || c == ')')) break;
      if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
      if (c == ')' || c == ']' || c == '}' || (c == '>' && depth > 0)) --depth;
      if (c != ' ') any = true;
      if (defaulted) continue;
      if (c == '=' && depth == 0) {
        defaulted = true;
      } else if ((c == '*' && depth == 0) || (c == '[' && depth == 1 && text_[at_ + 1] != '[')) {  // `float x[]` is a pointer, `[[...]]` is not
        words.star = true;
      } else if (is_word(c)) {
        std::size_t length = 1;
        while (is_word(text_[at_ + length])) ++length;
        if (depth == 0) {
          add_word(words, text_ + at_, length);
          name = at_;
          name_length = length;
        }
        at_ += length - 1;
      } else if (c != ' ' && c != ':') {
        words.other = true;
        if (c == '.' && depth == 0) words.pack = true;
      }
    }
    if (!any) return;
    if (words.pack) {
      list.most = max_parameters;
      return;
    }
    // A parameter past the limit is still counted, so that the message about the number of arguments is right.
    if (list.count < max_parameters) list.kinds[list.count] = kind_of(words);
    for (std::size_t i = 0; i < name_length; ++i) add_letter(list, text_[name + i]);
    add_letter(list, ' ');
    ++list.count;
    if (!defaulted) list.required = list.count;
  }

  constexpr void add_letter(ParameterList& list, char letter) {
    if (letters_ + 1 < sizeof(list.names)) list.names[letters_++] = letter;
  }

  const char* text_;
  std::size_t at_ = 0;
  std::size_t letters_ = 0;  // of all names so far
};

consteval ParameterList parameters_of(const char* text) { return ParameterReader(text).read(); }

}  // namespace cuttle::detail
