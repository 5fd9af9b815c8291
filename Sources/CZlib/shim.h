// CRC-32, which every entry of a zip file and every chunk of a PNG carries; see zlib.h.
#include <zlib.h>
