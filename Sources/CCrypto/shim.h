// Digests, keys and certificates of libcrypto; see EVP_DigestInit(3), X509_new(3).
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

// EVP_EC_gen(3), a macro of a function with an open list of arguments, which Swift does not import.
static inline EVP_PKEY *headwind_p256_key(void) { return EVP_EC_gen("P-256"); }
