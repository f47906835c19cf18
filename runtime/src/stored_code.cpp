#include "stored_code.h"

#include <optional>
#include <utility>

#include "bundle.h"
#include "codegen/stopwatch.h"
#include "disk_cache.h"
#include "events.h"
#include "libdevice.h"

namespace cuttle::detail {

std::shared_ptr<Compilation> find_stored(const Key& key, const cuttle_target& target) {
  codegen::Stopwatch watch;
  std::optional<Entry> entry = Bundle::instance().find(key);
  if (!entry) {
    entry = DiskCache::instance().find(key);
    if (entry && !entry->libdevice.empty() && !Libdevice::instance().is(entry->libdevice)) entry.reset();
  }
  if (!entry) return nullptr;
  record(Event::found_on_disk, entry->entry, entry->signature, {.read = watch.lap()});
  auto result = std::make_shared<Compilation>();
  result->key = key.hash;
  result->entry = std::move(entry->entry);
  result->signature = std::move(entry->signature);
  result->target = target;
  (entry->kind == CodeKind::ptx ? result->code : result->binary) = std::move(entry->code);
  result->static_shared_bytes = entry->static_shared_bytes;
  result->least_shared_bytes = entry->least_shared_bytes;
  result->cooperative = entry->cooperative;
  result->symbols = std::move(entry->symbols);
  result->libdevice = std::move(entry->libdevice);
  return result;
}

void store(const Key& key, CodeKind kind, const Compilation& compilation) {
  codegen::Stopwatch watch;
  const bool kept = DiskCache::instance().publish(key, {.key_text = key.text,
                                                        .entry = compilation.entry,
                                                        .signature = compilation.signature,
                                                        .symbols = compilation.symbols,
                                                        .libdevice = compilation.libdevice,
                                                        .kind = kind,
                                                        .cooperative = compilation.cooperative,
                                                        .static_shared_bytes = compilation.static_shared_bytes,
                                                        .least_shared_bytes = compilation.least_shared_bytes,
                                                        .code = kind == CodeKind::ptx ? compilation.code : compilation.binary});
  if (kept) record(Event::kept_on_disk, compilation.entry, compilation.signature, {.write = watch.lap()});
}

std::shared_ptr<const Compilation> link_and_store(std::shared_ptr<Compilation> result, const Key& key, DeviceState& device, bool keep) {
  result->key = key.hash;
  codegen::Stopwatch watch;
  result->binary = device.link(*result);
  if (device.is_cuda()) record(Event::linked, result->entry, result->signature, {.link = watch.lap()});
  if (keep) store(key, device.is_cuda() ? CodeKind::cubin : CodeKind::object, *result);
  return result;
}

}  // namespace cuttle::detail
