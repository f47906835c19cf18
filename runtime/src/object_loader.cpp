#include "object_loader.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cpu_symbols.h"
#include "cuttle/error.hpp"
#include "debugger.h"

namespace cuttle::detail {
namespace {

// Where a function outside of the image is called through: it may be more than the 2 GB away that a call spans. The address inside serves
// as the global offset table's entry too.
struct [[gnu::packed]] Stub {
  std::uint8_t jump[6] = {0xff, 0x25, 0, 0, 0, 0};  // jmp *address(%rip), with the address right behind
  const void* address = nullptr;
};

class Image {
 public:
  Image(std::string_view object, const std::string& name) : object_(object), name_(name) {}

  std::unordered_map<std::string, LoadedObject::Symbol> load() {
    read_sections();
    lay_out();
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (sections_[i].sh_type == SHT_RELA && sections_[i].sh_info < sections_.size() && places_[sections_[i].sh_info]) relocate(sections_[i]);
    }
    show_debug_information();
    if (mprotect(memory_, read_only_bytes_, PROT_READ | PROT_EXEC) != 0) fail("the system allows no executable memory");
    return visible_symbols();
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw InternalError("the code of kernel " + name_ + " cannot be loaded: " + why); }

  // `count` objects of type T at an offset of the file.
  template <class T>
  std::vector<T> read(std::uint64_t offset, std::uint64_t count) const {
    if (offset > object_.size() || count > (object_.size() - offset) / sizeof(T)) fail("a table reaches past the object's end");
    std::vector<T> values(count);
    std::memcpy(values.data(), object_.data() + offset, count * sizeof(T));
    return values;
  }

  void read_sections() {
    const auto header = read<Elf64_Ehdr>(0, 1)[0];
    const bool known = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_type == ET_REL &&
                       header.e_machine == EM_X86_64 && header.e_shentsize == sizeof(Elf64_Shdr);
    if (!known) fail("it is no relocatable ELF object for x86-64");
    sections_ = read<Elf64_Shdr>(header.e_shoff, header.e_shnum);
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_SYMTAB) continue;
      if (section.sh_link >= sections_.size()) fail("its symbols have no names");
      symbols_ = read<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym));
      names_ = read<char>(sections_[section.sh_link].sh_offset, sections_[section.sh_link].sh_size);
    }
    if (names_.empty() || names_.back() != '\0') fail("it has no symbols");
  }

  // Nothing unwinds through a kernel.
  static bool is_loaded(const Elf64_Shdr& section) {
    return (section.sh_flags & SHF_ALLOC) && (section.sh_type == SHT_PROGBITS || section.sh_type == SHT_NOBITS) && section.sh_size > 0;
  }

  [[nodiscard]] std::string_view name_of(const Elf64_Sym& symbol) const {
    if (symbol.st_name >= names_.size()) fail("a symbol's name lies outside of the table");
    return names_.data() + symbol.st_name;
  }

  // One mapping, so that all is within reach of 32-bit offsets: first what is read and run, with the stubs; then, on pages of its own, what is
  // written.
  void lay_out() {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const auto align = [](std::uint64_t value, std::uint64_t alignment) { return (value + alignment - 1) / alignment * alignment; };
    std::vector<std::uint64_t> offsets(sections_.size());
    std::uint64_t size = 0;
    const auto place = [&](bool writable) {
      for (std::size_t i = 0; i < sections_.size(); ++i) {
        const Elf64_Shdr& section = sections_[i];
        if (!is_loaded(section) || writable != ((section.sh_flags & SHF_WRITE) != 0)) continue;
        if (section.sh_flags & SHF_TLS) fail("it has thread-local variables");
        if (section.sh_addralign > page) fail("it asks for an alignment of " + std::to_string(section.sh_addralign));
        offsets[i] = align(size, section.sh_addralign > 0 ? section.sh_addralign : 1);
        size = offsets[i] + section.sh_size;
      }
    };
    place(false);
    const std::uint64_t stubs = align(size, 16);
    for (const Elf64_Sym& symbol : symbols_) {
      if (symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0) stub_index_.try_emplace(name_of(symbol), stub_index_.size());
    }
    read_only_bytes_ = size = align(stubs + stub_index_.size() * sizeof(Stub), page);
    place(true);
    size = std::max(size, page);  // of a text without kernels there is nothing to load

    void* mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) fail("there is no memory for it");
    memory_ = static_cast<unsigned char*>(mapped);
    places_.resize(sections_.size());
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      if (!is_loaded(sections_[i])) continue;
      places_[i] = memory_ + offsets[i];
      if (sections_[i].sh_type == SHT_NOBITS) continue;
      const auto bytes = read<unsigned char>(sections_[i].sh_offset, sections_[i].sh_size);
      std::memcpy(places_[i], bytes.data(), bytes.size());
    }
    stubs_ = memory_ + stubs;
    for (const auto& [name, index] : stub_index_) {
      Stub stub;
      stub.address = cpu_symbol(name);
      if (!stub.address) fail("it calls " + std::string(name) + ", which kernels on the CPU do not have");
      std::memcpy(stubs_ + index * sizeof(Stub), &stub, sizeof(stub));
    }
  }

  [[nodiscard]] unsigned char* stub_of(const Elf64_Sym& symbol) const { return stubs_ + stub_index_.at(name_of(symbol)) * sizeof(Stub); }

  // The address of a symbol: its place in the image, or the stub of one that is outside.
  [[nodiscard]] unsigned char* address_of(const Elf64_Sym& symbol) const {
    if (symbol.st_shndx == SHN_UNDEF) return stub_of(symbol);
    if (symbol.st_shndx >= sections_.size() || !places_[symbol.st_shndx] || symbol.st_value > sections_[symbol.st_shndx].sh_size) {
      fail("its symbol " + std::string(name_of(symbol)) + " is nowhere in the image");
    }
    return places_[symbol.st_shndx] + symbol.st_value;
  }

  void relocate(const Elf64_Shdr& table) {
    unsigned char* section = places_[table.sh_info];
    const std::uint64_t section_size = sections_[table.sh_info].sh_size;
    for (const Elf64_Rela& relocation : read<Elf64_Rela>(table.sh_offset, table.sh_size / sizeof(Elf64_Rela))) {
      const std::uint64_t symbol_index = ELF64_R_SYM(relocation.r_info);
      const auto type = static_cast<unsigned>(ELF64_R_TYPE(relocation.r_info));
      const std::size_t width = type == R_X86_64_64 ? 8 : 4;
      if (symbol_index >= symbols_.size() || relocation.r_offset > section_size || section_size - relocation.r_offset < width) {
        fail("a relocation reaches past its section's end");
      }
      const Elf64_Sym& symbol = symbols_[symbol_index];
      unsigned char* at = section + relocation.r_offset;
      const auto target = reinterpret_cast<std::int64_t>(address_of(symbol)) + relocation.r_addend;
      const std::int64_t distance = target - reinterpret_cast<std::int64_t>(at);
      switch (type) {
        case R_X86_64_64:
          std::memcpy(at, &target, sizeof(target));
          break;
        case R_X86_64_PC32:
        case R_X86_64_PLT32:
          store32(at, distance);
          break;
        case R_X86_64_GOTPCREL:
        case R_X86_64_GOTPCRELX:
        case R_X86_64_REX_GOTPCRELX:
          if (symbol.st_shndx != SHN_UNDEF) fail("it has a table entry for its own symbol " + std::string(name_of(symbol)));
          store32(at, distance + static_cast<std::int64_t>(offsetof(Stub, address)));
          break;
        default:
          fail("it has a relocation of type " + std::to_string(type));
      }
    }
  }

  void store32(unsigned char* at, std::int64_t value) const {
    if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max()) fail("it is larger than 2 GB");
    const auto narrow = static_cast<std::int32_t>(value);
    std::memcpy(at, &narrow, sizeof(narrow));
  }

  // The object as a debugger reads it: with the addresses of its sections, which it relocates the lines and variables by.
  void show_debug_information() const {
    const auto header = read<Elf64_Ehdr>(0, 1)[0];
    if (header.e_shstrndx >= sections_.size()) return;
    const Elf64_Shdr& names = sections_[header.e_shstrndx];
    const auto text = read<char>(names.sh_offset, names.sh_size);
    const std::string_view all(text.data(), text.size());
    if (all.find(".debug_info") == std::string_view::npos) return;
    std::string object(object_);
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      Elf64_Shdr section = sections_[i];
      section.sh_addr = reinterpret_cast<Elf64_Addr>(places_[i]);
      std::memcpy(object.data() + header.e_shoff + i * sizeof(section), &section, sizeof(section));
    }
    show_debugger(std::move(object));
  }

  [[nodiscard]] std::unordered_map<std::string, LoadedObject::Symbol> visible_symbols() const {
    std::unordered_map<std::string, LoadedObject::Symbol> visible;
    for (const Elf64_Sym& symbol : symbols_) {
      const unsigned type = ELF64_ST_TYPE(symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL || (type != STT_FUNC && type != STT_OBJECT)) continue;
      visible.insert({std::string(name_of(symbol)), {address_of(symbol), symbol.st_size, type == STT_FUNC}});
    }
    return visible;
  }

  std::string_view object_;
  const std::string& name_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<Elf64_Sym> symbols_;
  std::vector<char> names_;
  std::unordered_map<std::string_view, std::size_t> stub_index_;
  std::vector<unsigned char*> places_;  // of each section; null where it is not loaded
  unsigned char* memory_ = nullptr;
  unsigned char* stubs_ = nullptr;
  std::uint64_t read_only_bytes_ = 0;
};

}  // namespace

LoadedObject::LoadedObject(std::string_view object, const std::string& name) : symbols_(Image(object, name).load()) {}

const LoadedObject::Symbol* LoadedObject::find(const std::string& name) const {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? nullptr : &found->second;
}

}  // namespace cuttle::detail
