// libqrcodegen makes QR codes; see qrcodegen.h.
#include <qrcodegen.h>
