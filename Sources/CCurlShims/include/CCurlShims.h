#ifndef CCurl_SHIMS_H
#define CCurl_SHIMS_H
// curl_easy_setopt and friends are variadic: one function per argument type, callback and context together. No decisions.
#include <features.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <curl/curl.h>
#include <openssl/ssl.h>

#pragma clang assume_nonnull begin

/* Easy handles. */
static inline CURLcode gw_set_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode gw_set_size(CURL *h, CURLoption o, int64_t v) { return curl_easy_setopt(h, o, (curl_off_t)v); }
static inline CURLcode gw_set_text(CURL *h, CURLoption o, const char *_Nullable v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode gw_set_pointer(CURL *h, CURLoption o, const void *_Nullable v) {
    return curl_easy_setopt(h, o, v);
}
static inline CURLcode gw_set_list(CURL *h, struct curl_slist *_Nullable v) {
    return curl_easy_setopt(h, CURLOPT_HTTPHEADER, v);
}
static inline CURLcode gw_set_resolve(CURL *h, struct curl_slist *_Nullable v) {
    return curl_easy_setopt(h, CURLOPT_RESOLVE, v);
}
static inline CURLcode gw_set_connect_to(CURL *h, struct curl_slist *_Nullable v) {
    return curl_easy_setopt(h, CURLOPT_CONNECT_TO, v);
}
static inline CURLcode gw_set_share(CURL *h, CURLSH *_Nullable v) { return curl_easy_setopt(h, CURLOPT_SHARE, v); }
/* A URL that is parsed once; NULL when it is none. Free it after the easy handle. */
static inline CURLU *_Nullable gw_url(const char *text) {
    CURLU *u = curl_url();
    if (u && curl_url_set(u, CURLUPART_URL, text, CURLU_PATH_AS_IS) != CURLUE_OK) {
        curl_url_cleanup(u);
        return NULL;
    }
    return u;
}
static inline CURLcode gw_set_url(CURL *h, CURLU *u) { return curl_easy_setopt(h, CURLOPT_CURLU, u); }
static inline void gw_url_free(CURLU *_Nullable u) { curl_url_cleanup(u); }
static inline CURLcode gw_on_header(CURL *h, curl_write_callback f, void *c) {
    curl_easy_setopt(h, CURLOPT_HEADERDATA, c);
    return curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, f);
}
static inline CURLcode gw_on_body(CURL *h, curl_write_callback f, void *c) {
    curl_easy_setopt(h, CURLOPT_WRITEDATA, c);
    return curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, f);
}
static inline CURLcode gw_on_read(CURL *h, curl_read_callback f, void *c) {
    curl_easy_setopt(h, CURLOPT_READDATA, c);
    return curl_easy_setopt(h, CURLOPT_READFUNCTION, f);
}
static inline CURLcode gw_on_open(CURL *h, curl_opensocket_callback f, void *c) {
    curl_easy_setopt(h, CURLOPT_OPENSOCKETDATA, c);
    return curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, f);
}
static inline CURLcode gw_on_close(CURL *h, curl_closesocket_callback f, void *c) {
    curl_easy_setopt(h, CURLOPT_CLOSESOCKETDATA, c);
    return curl_easy_setopt(h, CURLOPT_CLOSESOCKETFUNCTION, f);
}
static inline CURLcode gw_on_prerequest(CURL *h, curl_prereq_callback f, void *c) {
    curl_easy_setopt(h, CURLOPT_PREREQDATA, c);
    return curl_easy_setopt(h, CURLOPT_PREREQFUNCTION, f);
}
/* Tells which TLS streams ended in order (close_notify). The context travels as the application data of the SSL_CTX, of
   which libcurl makes one per connection. */
typedef void (*gw_tls_ended)(void *_Nullable context, uintptr_t stream);
struct gw_tls_watch { gw_tls_ended ended; void *_Nullable context; };
static inline void gw_tls_state(const SSL *ssl, int where, int value) {
    if (where != SSL_CB_READ_ALERT || (value & 0xff) != SSL_AD_CLOSE_NOTIFY) return;
    const struct gw_tls_watch *watch = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
    if (watch) watch->ended(watch->context, (uintptr_t)ssl);
}
static inline CURLcode gw_tls_begin(CURL *h, void *ctx, void *watch) {
    (void)h;
    SSL_CTX_set_app_data((SSL_CTX *)ctx, watch);
    SSL_CTX_set_info_callback((SSL_CTX *)ctx, gw_tls_state);
    return CURLE_OK;
}
static inline CURLcode gw_watch_tls(CURL *h, const struct gw_tls_watch *watch) {
    curl_easy_setopt(h, CURLOPT_SSL_CTX_DATA, (void *)watch);
    return curl_easy_setopt(h, CURLOPT_SSL_CTX_FUNCTION, gw_tls_begin);
}
/* The TLS stream of a transfer under way; 0 = none. */
static inline uintptr_t gw_tls_stream(CURL *h) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(h, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || !info) return 0;
    return (uintptr_t)info->internals;
}
static inline CURLcode gw_on_debug(CURL *h, curl_debug_callback f, void *c) {
    curl_easy_setopt(h, CURLOPT_DEBUGDATA, c);
    return curl_easy_setopt(h, CURLOPT_DEBUGFUNCTION, f);
}
static inline long gw_info_long(CURL *h, CURLINFO i) {
    long v = 0;
    curl_easy_getinfo(h, i, &v);
    return v;
}
static inline const char *_Nullable gw_info_text(CURL *h, CURLINFO i) {
    char *v = NULL;
    curl_easy_getinfo(h, i, &v);
    return v;
}
static inline void *_Nullable gw_private(CURL *h) {
    char *v = NULL;
    curl_easy_getinfo(h, CURLINFO_PRIVATE, &v);
    return v;
}

/* Multi handles and shares. */
static inline CURLMcode gw_multi_long(CURLM *m, CURLMoption o, long v) { return curl_multi_setopt(m, o, v); }
static inline CURLMcode gw_multi_on_socket(CURLM *m, curl_socket_callback f, void *c) {
    curl_multi_setopt(m, CURLMOPT_SOCKETDATA, c);
    return curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, f);
}
static inline CURLMcode gw_multi_on_timer(CURLM *m, curl_multi_timer_callback f, void *c) {
    curl_multi_setopt(m, CURLMOPT_TIMERDATA, c);
    return curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, f);
}
/* The finished transfer's handle, or NULL; its result goes to `code`. */
static inline CURL *_Nullable gw_next_finished(CURLM *m, int *code) {
    int left;
    CURLMsg *message;
    while ((message = curl_multi_info_read(m, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = (int)message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
static inline CURLSHcode gw_share_sessions(CURLSH *s) {
    return curl_share_setopt(s, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

/* Sockets of libcurl. Failures are negative errnos. */
static inline int gw_curl_socket(const struct curl_sockaddr *a) {
    int fd = socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
    return fd < 0 ? -errno : fd;
}
static inline void gw_curl_close(int fd) { close(fd); }
static inline void gw_curl_shutdown(int fd) { shutdown(fd, SHUT_RDWR); }
/* 1: a byte waits, 0: the peer has ended, -EAGAIN: silence. */
static inline long gw_curl_peek(int fd) {
    char byte;
    long n = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n < 0 ? -(long)errno : n;
}
static inline int gw_curl_local_port(int fd) {
    struct sockaddr_storage s;
    socklen_t size = sizeof s;
    if (getsockname(fd, (struct sockaddr *)&s, &size) < 0) return 0;
    if (s.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&s)->sin_port);
    if (s.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&s)->sin6_port);
    return 0;
}

/* Macros with casts, which Swift does not import. */
static const long gw_read_abort = CURL_READFUNC_ABORT;
static const long gw_read_pause = CURL_READFUNC_PAUSE;
static const long gw_write_pause = CURL_WRITEFUNC_PAUSE;
enum {
    gw_poll_in = CURL_POLL_IN, gw_poll_out = CURL_POLL_OUT, gw_poll_inout = CURL_POLL_INOUT, gw_poll_remove = CURL_POLL_REMOVE,
    gw_select_in = CURL_CSELECT_IN, gw_select_out = CURL_CSELECT_OUT, gw_select_error = CURL_CSELECT_ERR,
    gw_socket_timeout = CURL_SOCKET_TIMEOUT,
    gw_pause_receive = CURLPAUSE_RECV, gw_pause_send = CURLPAUSE_SEND, gw_pause_none = CURLPAUSE_CONT,
    gw_errno_again = EAGAIN, gw_errno_netunreach = ENETUNREACH, gw_errno_hostunreach = EHOSTUNREACH,
    gw_errno_netdown = ENETDOWN, gw_errno_timedout = ETIMEDOUT, gw_errno_addrnotavail = EADDRNOTAVAIL,
    gw_errno_mfile = EMFILE, gw_errno_nfile = ENFILE,
};

#pragma clang assume_nonnull end
#endif
