#ifndef HEADWIND_CCURL_SHIM_H
#define HEADWIND_CCURL_SHIM_H

#include <curl/curl.h>
#include <resolv.h>
#include <string.h>

// libcurl sets options and reads results through variadic functions, which Swift cannot call.
// Each wrapper below pins one kind of argument, so that a wrong kind does not compile.

// curl_easy_setopt(3) with a long: numbers, flags and bit masks.
static inline CURLcode headwind_easy_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// curl_easy_setopt(3) with a string. libcurl copies it; NULL restores the default.
static inline CURLcode headwind_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// curl_easy_setopt(3) with a list. libcurl keeps the pointer: the list must outlive the transfer.
static inline CURLcode headwind_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

// curl_easy_setopt(3) with a pointer that libcurl keeps and hands back, or writes into (CURLOPT_ERRORBUFFER).
static inline CURLcode headwind_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

// curl_easy_setopt(3) with a callback for head lines or body bytes (CURLOPT_HEADERFUNCTION, CURLOPT_WRITEFUNCTION).
static inline CURLcode headwind_easy_set_data_function(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

// curl_easy_getinfo(3) of a long.
static inline CURLcode headwind_easy_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

// curl_easy_getinfo(3) of a curl_off_t: byte counts, and times in microseconds.
static inline CURLcode headwind_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

// curl_easy_getinfo(3) of a string that libcurl owns; valid until the handle is used again.
static inline CURLcode headwind_easy_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, (char **)value);
}

// curl_easy_getinfo(3) of the certificates that the other end sent, which libcurl owns (CURLINFO_CERTINFO).
static inline CURLcode headwind_easy_get_certificates(CURL *easy, struct curl_certinfo **value) {
    return curl_easy_getinfo(easy, CURLINFO_CERTINFO, value);
}

// curl_multi_setopt(3) with a long.
static inline CURLMcode headwind_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// The result of a finished transfer: CURLMsg keeps it in a union.
static inline CURLcode headwind_message_result(const CURLMsg *message) {
    return message->data.result;
}

// CURL_GLOBAL_DEFAULT is a macro of macros, which Swift does not import.
static inline CURLcode headwind_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

// How long the resolver that libcurl calls waits for one server, all its tries together, in seconds: `timeout` and
// `attempts` of resolv.conf(5).
static inline int headwind_resolver_seconds(void) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return RES_TIMEOUT * RES_DFLRETRY;
    int seconds = state.retrans * state.retry;
    res_nclose(&state);
    return seconds;
}

#endif
