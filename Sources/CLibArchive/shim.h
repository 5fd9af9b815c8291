// libarchive reads packs; see libarchive(3).
#include <archive.h>
#include <archive_entry.h>
