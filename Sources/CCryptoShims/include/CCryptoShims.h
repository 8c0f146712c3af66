#ifndef CCrypto_SHIMS_H
#define CCrypto_SHIMS_H
// First line: libc's feature macros before any other header, or clang refuses to merge fd_set of two modules.
#include <features.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

// Header-only, no logic: macros and libc constants that Swift's importer does not see reliably.

#ifdef __cplusplus
extern "C" {
#endif

static inline size_t gw_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/// Zeroed private pages, or NULL.
static inline void *_Nullable gw_map_pages(size_t count) {
    void *pages = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

static inline int gw_lock_pages(void *_Nonnull pages, size_t count) { return mlock(pages, count); }
// 16 = MADV_DONTDUMP: a core file must not hold the pages. The name needs _DEFAULT_SOURCE, the number is the kernel's ABI.
static inline int gw_hide_pages_from_core(void *_Nonnull pages, size_t count) { return madvise(pages, count, 16); }
static inline int gw_protect_pages(void *_Nonnull pages, size_t count) { return mprotect(pages, count, PROT_READ); }
static inline int gw_unprotect_pages(void *_Nonnull pages, size_t count) {
    return mprotect(pages, count, PROT_READ | PROT_WRITE);
}
static inline int gw_unmap_pages(void *_Nonnull pages, size_t count) { return munmap(pages, count); }

/// The parameter list {digest: name}. The name must outlive the list.
static inline void gw_params_digest(OSSL_PARAM list[_Nonnull 2], char *_Nonnull name) {
    list[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0);
    list[1] = OSSL_PARAM_construct_end();
}

/// The parameter list {cipher: name}. The name must outlive the list.
static inline void gw_params_cipher(OSSL_PARAM list[_Nonnull 2], char *_Nonnull name) {
    list[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, name, 0);
    list[1] = OSSL_PARAM_construct_end();
}

// Composed macros that the importer skips.
static inline int gw_select_key_pair(void) { return EVP_PKEY_KEYPAIR; }
static inline int gw_select_public_key(void) { return EVP_PKEY_PUBLIC_KEY; }

#ifdef __cplusplus
}
#endif
#endif
