#ifndef CLoop_SHIMS_H
#define CLoop_SHIMS_H
// Macros, variadic calls and socket structures that Swift cannot name. One call each, no decisions. Whatever can fail
// returns a negative errno, so that no caller reads `errno` after something else may have overwritten it.
#include <features.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <sys/wait.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <event2/event.h>

#pragma clang assume_nonnull begin

static inline long gw_result(long value) { return value < 0 ? -(long)errno : value; }

/* Clocks, nanoseconds. CLOCK_MONOTONIC stands still while the machine sleeps. */
static inline uint64_t gw_boot_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static inline int64_t gw_wall(int32_t *nanoseconds) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    *nanoseconds = (int32_t)t.tv_nsec;
    return (int64_t)t.tv_sec;
}

/* Events. */
static inline struct event_base *_Nullable gw_base_new(void) {
    struct event_config *c = event_config_new();
    if (!c) return NULL;
    event_config_set_flag(c, EVENT_BASE_FLAG_NOLOCK | EVENT_BASE_FLAG_IGNORE_ENV);
    struct event_base *base = event_base_new_with_config(c);
    event_config_free(c);
    return base;
}
static inline int gw_base_tick(struct event_base *base) {
    return event_base_loop(base, EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY);
}
typedef void (*gw_event_callback)(int, short, void *_Nullable);
static inline struct event *_Nullable gw_event_new(
    struct event_base *base, int fd, int what, gw_event_callback callback, void *context) {
    return event_new(base, fd, (short)what, callback, context);
}
static inline int gw_event_add(struct event *e) { return event_add(e, NULL); }
static inline int gw_event_add_after(struct event *e, uint64_t nanoseconds) {
    // Rounded up: a timer must not fire before its deadline.
    uint64_t us = nanoseconds / 1000u + 1u;
    struct timeval t = {(time_t)(us / 1000000u), (suseconds_t)(us % 1000000u)};
    return event_add(e, &t);
}
enum { gw_readable = EV_READ, gw_writable = EV_WRITE, gw_persistent = EV_PERSIST, gw_signal = EV_SIGNAL };

/* Sockets. */
static inline int gw_socket(int family) {
    return (int)gw_result(socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}
static inline int gw_option(int fd, int level, int name, int value) {
    return (int)gw_result(setsockopt(fd, level, name, &value, sizeof value));
}
static inline int gw_reuse_address(int fd) { return gw_option(fd, SOL_SOCKET, SO_REUSEADDR, 1); }
static inline int gw_v6_only(int fd) { return gw_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1); }
static inline int gw_no_delay(int fd) { return gw_option(fd, IPPROTO_TCP, TCP_NODELAY, 1); }
/* A peer that is gone is noticed after idle + count * interval seconds without a byte of ours under way. */
static inline void gw_keep_alive(int fd, int idle, int interval, int count) {
    gw_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    gw_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, idle);
    gw_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, interval);
    gw_option(fd, IPPROTO_TCP, TCP_KEEPCNT, count);
}
static inline int gw_send_buffer(int fd, int bytes) { return gw_option(fd, SOL_SOCKET, SO_SNDBUF, bytes); }
static inline int gw_reset_on_close(int fd) {
    struct linger l = {1, 0};
    return (int)gw_result(setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof l));
}
static inline int gw_listen(int fd, int backlog) { return (int)gw_result(listen(fd, backlog)); }
static inline int gw_close(int fd) { return (int)gw_result(close(fd)); }
static inline int gw_shutdown_writes(int fd) { return (int)gw_result(shutdown(fd, SHUT_WR)); }
static inline int gw_open_reserve(void) { return (int)gw_result(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

/* Writes 4 or 16 bytes and returns how many; 0 when the text is no address. */
static inline int gw_parse_address(const char *text, uint8_t *out) {
    if (inet_pton(AF_INET, text, out) == 1) return 4;
    return inet_pton(AF_INET6, text, out) == 1 ? 16 : 0;
}
static inline socklen_t gw_fill_ip(struct sockaddr_storage *s, const uint8_t *address, int count, uint16_t port) {
    memset(s, 0, sizeof *s);
    if (count == 4) {
        struct sockaddr_in *v4 = (struct sockaddr_in *)s;
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        memcpy(&v4->sin_addr, address, 4);
        return sizeof *v4;
    }
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)s;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    memcpy(&v6->sin6_addr, address, 16);
    return sizeof *v6;
}
static inline int gw_bind_ip(int fd, const uint8_t *address, int count, uint16_t port) {
    struct sockaddr_storage s;
    socklen_t size = gw_fill_ip(&s, address, count, port);
    return (int)gw_result(bind(fd, (struct sockaddr *)&s, size));
}
static inline int gw_connect_ip(int fd, const uint8_t *address, int count, uint16_t port) {
    struct sockaddr_storage s;
    socklen_t size = gw_fill_ip(&s, address, count, port);
    return (int)gw_result(connect(fd, (struct sockaddr *)&s, size));
}
static inline int gw_socket_error(int fd) {
    int code = 0;
    socklen_t size = sizeof code;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) < 0 ? errno : code;
}
static inline int gw_fill_unix(struct sockaddr_un *s, const char *path) {
    memset(s, 0, sizeof *s);
    s->sun_family = AF_UNIX;
    size_t size = strlen(path);
    if (size == 0 || size >= sizeof s->sun_path) return -ENAMETOOLONG;
    memcpy(s->sun_path, path, size);
    return 0;
}
/* The mode comes from the umask and not from a later chmod, which would leave a moment with an open door. */
static inline int gw_bind_unix(int fd, const char *path) {
    struct sockaddr_un s;
    if (gw_fill_unix(&s, path) < 0) return -ENAMETOOLONG;
    mode_t old = umask(0177);
    int result = (int)gw_result(bind(fd, (struct sockaddr *)&s, sizeof s));
    umask(old);
    return result;
}
static inline int gw_connect_unix(int fd, const char *path) {
    struct sockaddr_un s;
    if (gw_fill_unix(&s, path) < 0) return -ENAMETOOLONG;
    return (int)gw_result(connect(fd, (struct sockaddr *)&s, sizeof s));
}
/* Copies family-dependent bytes out; returns 4, 16 or 0 (unix). */
static inline int gw_unpack(const struct sockaddr_storage *s, uint8_t *out, uint16_t *port) {
    if (s->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)s;
        memcpy(out, &v4->sin_addr, 4);
        *port = ntohs(v4->sin_port);
        return 4;
    }
    if (s->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)s;
        memcpy(out, &v6->sin6_addr, 16);
        *port = ntohs(v6->sin6_port);
        return 16;
    }
    *port = 0;
    return 0;
}
/* glibc shows accept4 only with _GNU_SOURCE, which this module must not define (fd_set clash). */
extern int accept4(int, struct sockaddr *_Nullable restrict, socklen_t *_Nullable restrict, int);
static inline int gw_accept(int fd, uint8_t *address, int *count, uint16_t *port) {
    struct sockaddr_storage s;
    socklen_t size = sizeof s;
    memset(&s, 0, sizeof s);
    int result = accept4(fd, (struct sockaddr *)&s, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (result < 0) return -errno;
    *count = gw_unpack(&s, address, port);
    return result;
}
static inline uint16_t gw_local_port(int fd) {
    struct sockaddr_storage s;
    socklen_t size = sizeof s;
    uint8_t address[16];
    uint16_t port = 0;
    if (getsockname(fd, (struct sockaddr *)&s, &size) == 0) gw_unpack(&s, address, &port);
    return port;
}
static inline long gw_recv(int fd, void *buffer, size_t size) { return gw_result(recv(fd, buffer, size, 0)); }
static inline long gw_peek(int fd) {
    char byte;
    return gw_result(recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT));
}
static inline long gw_send(int fd, const void *buffer, size_t size) {
    return gw_result(send(fd, buffer, size, MSG_NOSIGNAL));
}
static inline long gw_send_two(int fd, const void *a, size_t a_size, const void *b, size_t b_size) {
    struct iovec parts[2] = {{(void *)a, a_size}, {(void *)b, b_size}};
    struct msghdr message = {0};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    return gw_result(sendmsg(fd, &message, MSG_NOSIGNAL));
}

/* Files of unix sockets. */
struct gw_file { uint64_t device; uint64_t inode; int is_socket; };
static inline int gw_look(const char *path, struct gw_file *out) {
    struct stat s;
    if (lstat(path, &s) < 0) return -errno;
    out->device = (uint64_t)s.st_dev;
    out->inode = (uint64_t)s.st_ino;
    out->is_socket = S_ISSOCK(s.st_mode);
    return 0;
}
static inline int gw_unlink(const char *path) { return (int)gw_result(unlink(path)); }

/* Wake-up from other threads. */
static inline int gw_eventfd(void) { return (int)gw_result(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }
static inline long gw_eventfd_signal(int fd) {
    uint64_t one = 1;
    return gw_result(write(fd, &one, sizeof one));
}
static inline long gw_eventfd_clear(int fd) {
    uint64_t value;
    return gw_result(read(fd, &value, sizeof value));
}

/* A child whose standard output comes back through a pipe; its input and its error output lead nowhere. It has a process
   group of its own, so that whatever it starts can be ended with it, and the usual signals (ours are changed). */
extern char *_Nullable *_Null_unspecified environ;
static inline int gw_spawn(char *_Nullable const *_Nonnull argv, int *pid, int *output) {
    int ends[2];
    if (pipe(ends) < 0) return -errno;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    pid_t child = 0;
    int fault = posix_spawnp(&child, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (fault != 0) { close(ends[0]); return -fault; }
    *pid = (int)child;
    *output = ends[0];
    return 0;
}
static inline void gw_kill_group(int pid) { kill(-pid, SIGKILL); }
/* -1: still running; its exit code; 128 + the signal that ended it. */
static inline int gw_reap(int pid) {
    int status = 0;
    pid_t result = waitpid(pid, &status, WNOHANG);
    if (result == 0) return -1;
    if (result < 0) return 255;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Process. */
static inline void gw_signal_default(int number) { signal(number, SIG_DFL); }
static inline void gw_signal_ignore(int number) { signal(number, SIG_IGN); }
static inline void gw_trim_heap(void) { malloc_trim(0); }
static inline uint64_t gw_heap_in_use(void) {
    struct mallinfo2 m = mallinfo2();
    return (uint64_t)m.uordblks + (uint64_t)m.hblkhd;
}
static inline int gw_no_core(void) {
    struct rlimit l = {0, 0};
    return (int)gw_result(setrlimit(RLIMIT_CORE, &l));
}
static inline int gw_not_dumpable(void) { return (int)gw_result(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)); }
static inline int gw_nofile(uint64_t *soft, uint64_t *hard) {
    struct rlimit l;
    if (getrlimit(RLIMIT_NOFILE, &l) < 0) return -errno;
    *soft = (uint64_t)l.rlim_cur;
    *hard = (uint64_t)l.rlim_max;
    return 0;
}
static inline int gw_set_nofile(uint64_t soft, uint64_t hard) {
    struct rlimit l = {(rlim_t)soft, (rlim_t)hard};
    return (int)gw_result(setrlimit(RLIMIT_NOFILE, &l));
}
enum {
    gw_family_unix = AF_UNIX, gw_family_v4 = AF_INET, gw_family_v6 = AF_INET6,
    gw_again = EAGAIN, gw_interrupted = EINTR, gw_emfile = EMFILE, gw_enfile = ENFILE, gw_nobufs = ENOBUFS,
    gw_nomem = ENOMEM, gw_noent = ENOENT, gw_connrefused = ECONNREFUSED, gw_addrinuse = EADDRINUSE, gw_notsock = ENOTSOCK,
    gw_afnosupport = EAFNOSUPPORT, gw_addrnotavail = EADDRNOTAVAIL, gw_inprogress = EINPROGRESS, gw_badf = EBADF,
};

#pragma clang assume_nonnull end
#endif
