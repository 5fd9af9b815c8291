// The digests of libcrypto, through its EVP interface; see EVP_DigestInit(3).
#include <openssl/evp.h>
