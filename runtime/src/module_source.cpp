#include "module_source.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <utility>

#include "compiler_run.h"
#include "dsl/text/known_headers.h"
#include "dsl/text/tokens.h"
#include "environment.h"
#include "file.h"
#include "stored_code.h"

namespace cuttle::detail {
namespace {

namespace fs = std::filesystem;

struct Include {
  std::string name;
  bool is_quoted;
};

// What a text includes, whatever the conditions around it say: a file too many in the key does no harm.
std::vector<Include> includes_of(std::string_view source) {
  std::vector<Include> includes;
  const std::vector<text::Token> tokens = text::tokenize(source);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != "#" || tokens[i + 1].text != "include") continue;
    const text::Token& first = tokens[i + 2];
    if (first.kind == text::TokenKind::string && first.text.size() > 2) {
      includes.push_back({std::string(first.text.substr(1, first.text.size() - 2)), true});
    } else if (first.text == "<") {
      const std::size_t begin = first.offset + 1, end = source.find_first_of(">\n", begin);
      if (end != std::string_view::npos) includes.push_back({std::string(source.substr(begin, end - begin)), false});
    }
  }
  return includes;
}

class HeaderFinder {
 public:
  explicit HeaderFinder(ModuleSource& source) : source_(source) {}

  /// `folder` is where the including file lies, and `folder_name` what its key calls it; both empty for a text that is in no file.
  void find(std::string_view text, const fs::path& folder, const std::string& folder_name) {
    for (const Include& include : includes_of(text)) {
      if (text::is_known_header(include.name)) continue;
      if (include.is_quoted && !folder.empty() && add(folder / include.name, folder_name + include.name)) continue;
      for (const std::string& searched : source_.folders) {
        if (add(fs::path(searched) / include.name, include.name)) break;
      }
    }
  }

 private:
  // Whether the file is there; reads it and what it includes, once.
  bool add(const fs::path& path, const std::string& name) {
    const std::string normal = path.lexically_normal().string();
    std::error_code ignored;
    if (!fs::is_regular_file(normal, ignored)) return false;
    const bool is_known = std::any_of(source_.headers.begin(), source_.headers.end(), [&](const Header& header) { return header.path == normal; });
    if (is_known) return true;
    const std::string text = source_.headers.emplace_back(Header{name, normal, read_file(normal)}).text;
    find(text, fs::path(normal).parent_path(), name.substr(0, name.rfind('/') + 1));
    return true;
  }

  ModuleSource& source_;
};

cuttle_target target_of(const SourceOptions& options, const DeviceState& device) {
  cuttle_target target = device.target();
  target.contract = options.contract ? 1 : 0;
  target.fast_math = options.fast_math ? 1 : 0;
  target.flush_denormals = options.flush_denormals ? 1 : 0;
  target.max_registers = static_cast<std::uint32_t>(std::max(options.max_registers, 0));
  target.line_info = options.line_info ? 1 : 0;
  return target;
}

Key key_of(const ModuleSource& source, const cuttle_target& target) {
  KeyText text("cuttle module", target);
  text.add(source.options.name);
  for (const auto* list : {&source.options.kernels, &source.options.define}) {
    text.add(std::to_string(list->size()));
    for (const std::string& item : *list) text.add(item);
  }
  text.add(source.text);
  for (const Header& header : source.headers) {
    text.add(target.line_info ? header.path : header.name);
    text.add(header.text);
  }
  return std::move(text).key();
}

cuttle_text text_of(const std::string& text) { return {text.data(), text.size()}; }

std::vector<cuttle_text> texts_of(const std::vector<std::string>& strings) {
  std::vector<cuttle_text> texts;
  for (const std::string& text : strings) texts.push_back(text_of(text));
  return texts;
}

std::shared_ptr<Compilation> run_compiler(const ModuleSource& source, const cuttle_target& target, const Key& key) {
  const SourceOptions& options = source.options;
  auto result = std::make_shared<Compilation>();
  result->entry = file_stem(options.name) + "_" + key.hash.substr(0, 12);
  result->signature = "(module)";
  result->target = target;

  const std::vector<cuttle_text> kernels = texts_of(options.kernels), defines = texts_of(options.define), folders = texts_of(source.folders);
  std::vector<cuttle_header> headers;
  for (const Header& header : source.headers) headers.push_back({text_of(header.path), text_of(header.text)});
  cuttle_module_request request{};
  request.target = target;
  request.source = text_of(source.text);
  request.name = text_of(options.name);
  request.kernels = kernels.data();
  request.kernel_count = kernels.size();
  request.defines = defines.data();
  request.define_count = defines.size();
  request.folders = folders.data();
  request.folder_count = folders.size();
  request.headers = headers.data();
  request.header_count = headers.size();
  request.want_llvm_ir = environment::dump_directory().empty() ? 0 : 1;
  run_compiler_library(*result, request, "the module " + options.name, options.name + " does not compile:");
  return result;
}

}  // namespace

ModuleSource::ModuleSource(const std::string& source, SourceOptions source_options) : text(source), options(std::move(source_options)) {
  for (const std::string& folder : options.include) folders.push_back(fs::absolute(folder).lexically_normal().string());
  HeaderFinder(*this).find(text, {}, "");
}

std::shared_ptr<const Compilation> compile(const ModuleSource& source, DeviceState& device) {
  const cuttle_target target = target_of(source.options, device);
  const Key code_key = key_of(source, target);
  const Key key = key_of_binary(code_key, device.linker_identity());
  if (auto found = find_stored(key, target)) return found;
  std::shared_ptr<Compilation> result;
  {
    const std::future<void> linker = device.start_linker();  // while the compiler runs
    result = run_compiler(source, target, code_key);
  }
  return link_and_store(std::move(result), key, device, /*keep=*/true);
}

}  // namespace cuttle::detail
