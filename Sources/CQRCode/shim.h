// libqrcodegen makes QR codes; see qrcodegen.h.
#if __has_include(<qrcodegen.h>)
#include <qrcodegen.h>
#else
// Where pkg-config does not know it.
#include <qrcodegen/qrcodegen.h>
#endif
