// libevent's event-config.h defines _GNU_SOURCE. Without this line the fd_set of CEvent differs from the one the
// toolchain's Glibc module has, and clang refuses to merge them (debug and sanitizer builds fail).
#include <features.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/util.h>
