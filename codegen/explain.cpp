#include "codegen/explain.h"

#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticSema.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "codegen/hints.h"
#include "codegen/read_file.h"
#include "codegen/text_view.h"
#include "dsl/text/tokens.h"

namespace cuttle::codegen {
namespace {

namespace diag = clang::diag;

constexpr std::size_t most_notes = 3;  // of one error
constexpr std::size_t widest_line = 200;

// An error or a warning with Clang's notes on it.
struct Group {
  Diagnostic head;
  std::vector<Diagnostic> notes;

  [[nodiscard]] bool has_note(std::string_view words) const {
    return std::any_of(notes.begin(), notes.end(), [words](const Diagnostic& note) { return note.message.find(words) != std::string::npos; });
  }
};

std::vector<Group> grouped(std::vector<Diagnostic> raw) {
  std::vector<Group> groups;
  for (Diagnostic& d : raw) {
    if (d.severity == CUTTLE_SEVERITY_NOTE && !groups.empty()) {
      groups.back().notes.push_back(std::move(d));
    } else {
      groups.push_back({std::move(d), {}});
    }
  }
  return groups;
}

bool is_instantiation(const Diagnostic& note) { return note.message.ends_with("requested here"); }

void take_place(Diagnostic& d, const Diagnostic& from) {
  d.file = from.file;
  d.line = from.line;
  d.column = from.column;
  d.source_line = from.source_line;
}

/// The place of what is wrong in the prelude or in generated code: the user's line that led there, or the kernel's. True where it moved.
bool move_to_user(Group& group, const cuttle_compile_request& request) {
  if (group.head.origin == Origin::user && !group.head.file.empty()) return false;
  for (const Diagnostic& note : group.notes) {
    if (note.origin != Origin::user || note.file.empty()) continue;
    take_place(group.head, note);
    return true;
  }
  group.head.file = view_of(request.file);
  group.head.line = request.line;
  group.head.column = 0;
  return true;
}

// Of the prelude's text only the overloads stay that a call of the user's own did not fit.
void cut_notes(std::vector<Diagnostic>& notes, bool is_call) {
  const auto is_noise = [is_call](const Diagnostic& note) {
    if (note.origin != Origin::user) return !is_call || !note.message.starts_with("candidate");
    return is_instantiation(note) || note.id == diag::note_called_by || note.id == diag::note_use_ifdef_guards;
  };
  notes.erase(std::remove_if(notes.begin(), notes.end(), is_noise), notes.end());
  const auto says_the_same = [](const Diagnostic& a, const Diagnostic& b) { return a.message == b.message; };
  notes.erase(std::unique(notes.begin(), notes.end(), says_the_same), notes.end());
  if (notes.size() > most_notes) notes.resize(most_notes);
  for (Diagnostic& note : notes) {
    if (note.origin == Origin::user) continue;
    note.file.clear();
    note.line = note.column = 0;
    note.source_line.clear();
  }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

// Names and words that are ours or CUDA's, and mean nothing to somebody who has written a lambda.
void plain_words(std::string& message) {
  for (const std::string_view internal : {"cuttle_captures::", "cuttle::dsl::", "cuttle::detail::", "cuttle::device::", "cuttle::"}) {
    replace_all(message, internal, "");
  }
  for (const std::string_view function : {"__host__ __device__ function", "__global__ function", "__device__ function"}) {
    replace_all(message, function, "kernel");
  }
  replace_all(message, "reference to __host__ ", "reference to the host's ");
  // The type of a row.
  for (int n = 2; n <= 8; ++n) replace_all(message, ", " + std::to_string(n) + " - 1, ", ", " + std::to_string(n - 1) + ", ");
  replace_all(message, ", 1, contiguous>", ">");
  replace_all(message, ", contiguous>", ">");
}

void reword(Group& group, bool moved) {
  Diagnostic& d = group.head;
  switch (d.id) {
    case diag::err_cuda_device_exceptions:
      d.message = "a kernel cannot use '" + quoted_word(d.message) + "': there are no exceptions on a device";
      break;
    case diag::err_need_header_before_typeid:
    case diag::err_no_typeid_with_fno_rtti:
      d.message = "a kernel cannot use typeid: there is no run-time type information on a device";
      break;
    case diag::err_no_dynamic_cast_with_fno_rtti:
      d.message = "a kernel cannot use dynamic_cast: there is no run-time type information on a device";
      break;
    case diag::err_cuda_vla:
    case diag::err_vla_decl_has_static_storage:  // in shared memory
      d.message = "a kernel cannot have an array whose length is known only when it runs";
      break;
    case diag::err_static_assert_requirement_failed:
      // Ours are sentences, and their requirement is an expression of the prelude.
      if (const std::size_t at = d.message.find("': "); moved && at != std::string::npos) d.message.erase(0, at + 3);
      break;
    case diag::err_static_assert_failed:
      if (const std::size_t at = d.message.find(": "); moved && at != std::string::npos) d.message.erase(0, at + 2);
      break;
    case diag::err_typecheck_assign_const:
      if (moved || d.message.find("function 'operator") != std::string::npos) d.message = read_only_message;
      break;
    case diag::err_ovl_no_viable_function_in_call:  // an atomic of the prelude
      if (moved && group.has_note("('const ")) d.message = read_only_message;
      break;
    case diag::err_implied_comparison_category_type_not_found:
      d.message = "a kernel has no operator <=>, nor <compare>";
      break;
    case diag::err_ovl_no_viable_object_call:
      if (moved) d.message = "the kernel's parameters do not take the arguments of the call";
      break;
    default:
      break;
  }
  plain_words(d.message);
}

// Whether an earlier diagnostic says it all: of a loop over something that is no integer, the errors about what then is no index follow.
bool is_said(const Diagnostic& earlier, const Diagnostic& d, bool moved) {
  const bool same_line = earlier.line == d.line && earlier.file == d.file;
  if (earlier.message == loop_message) return moved || same_line;
  return earlier.message == d.message &&
         (same_line || (moved && d.column == 0));  // a second line of the prelude, say, whose way there Clang has told
}

// Whether `d` is about a name that an earlier error left undeclared: `std::vector<float> v;` makes one of the class, and one more of every `v`.
bool follows_from(const Diagnostic& earlier, const Diagnostic& d) {
  const bool same_line = earlier.line == d.line && earlier.file == d.file;
  if (same_line && (earlier.column == d.column || earlier.message == d.message)) return true;
  // What the parser says of the rest of a line where it has lost its way.
  if (same_line && d.message.starts_with("expected ") && d.column > earlier.column) return true;
  if (d.id != diag::err_undeclared_var_use && d.id != diag::err_undeclared_var_use_suggest) return false;
  const std::string name = quoted_word(d.message);
  if (quoted_word(earlier.message) == name) return same_line;
  if (earlier.id == d.id) return false;
  for (const text::Token& token : text::tokenize(earlier.source_line)) {
    if (token.text == name && token.column > earlier.column) return true;
  }
  return false;
}

// The user's line in place of the laid text's, which lacks comments and what stands before the lambda.
void show_line_of_file(Diagnostic& d) {
  const std::string file = read_file(d.file);
  if (const std::string_view line = line_of(file, d.line); !line.empty() && line.size() <= widest_line) d.source_line = line;
}

}  // namespace

std::vector<Diagnostic> explain(std::vector<Diagnostic> raw, const Unit& unit, const cuttle_compile_request& request) {
  std::vector<Diagnostic> result;
  std::vector<std::pair<std::string, unsigned>> misled;
  const auto is_at = [](const Diagnostic& d, const auto& place) { return d.file == place.first && d.line == place.second; };
  for (Group& group : grouped(std::move(raw))) {
    const bool moved = move_to_user(group, request);
    reword(group, moved);
    const bool is_error = group.head.severity == CUTTLE_SEVERITY_ERROR;
    if (!is_error && (moved || group.head.id == diag::ext_vla_cxx || group.head.id == diag::ext_vla_cxx_static_assert)) continue;
    const auto explains_it = [&](const Diagnostic& earlier) {
      if (is_said(earlier, group.head, moved)) return true;
      return is_error && earlier.severity == CUTTLE_SEVERITY_ERROR && follows_from(earlier, group.head);
    };
    if (std::any_of(result.begin(), result.end(), explains_it)) continue;
    if (is_error) {
      // Where Clang went on with a name that it guessed, and we guess another, the rest of the line is about the wrong function.
      const bool is_misled = std::any_of(misled.begin(), misled.end(), [&](const auto& place) { return is_at(group.head, place); });
      if (is_misled) continue;
      const std::size_t length = group.head.message.size();
      add_hint(group.head, group.notes, unit, request);
      if (group.head.column == 0) group.head.source_line.clear();  // generated code
      if (group.head.message.size() < length) misled.emplace_back(group.head.file, group.head.line);
    }
    cut_notes(group.notes, !moved && group.head.id != diag::err_typecheck_invalid_operands);
    result.push_back(std::move(group.head));
    for (Diagnostic& note : group.notes) {
      plain_words(note.message);
      result.push_back(std::move(note));
    }
  }
  // A type of the signature that a parameter names too.
  const auto is_said_at_its_place = [&result](const Diagnostic& d) {
    const auto is_it = [&d](const Diagnostic& other) { return other.column > 0 && other.hint == d.hint; };
    return d.column == 0 && !d.hint.empty() && std::any_of(result.begin(), result.end(), is_it);
  };
  std::vector<Diagnostic> kept;
  std::remove_copy_if(result.begin(), result.end(), std::back_inserter(kept), is_said_at_its_place);
  result = std::move(kept);
  for (Diagnostic& d : result) {
    for (const UserText& text : unit.texts) {
      if (text.file != d.file || d.line < text.first_line || d.line > text.last_line) continue;
      if (text.from_file) {
        show_line_of_file(d);
      } else {
        d.column = 0;  // of a text that is all on one line
      }
      break;
    }
  }
  return result;
}

}  // namespace cuttle::codegen
