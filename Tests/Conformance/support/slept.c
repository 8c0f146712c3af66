// A suspend without one: adds the seconds in the file SLEPT to the clock that goes on while the machine sleeps, and to no
// other. cc -shared -fPIC, then LD_PRELOAD.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t none;
static volatile int64_t *slept = &none;

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("SLEPT");
    int fd = path ? open(path, O_RDONLY) : -1;
    if (fd < 0) return;
    void *page = mmap(0, sizeof *slept, PROT_READ, MAP_SHARED, fd, 0);
    if (page != MAP_FAILED) slept = page;
    close(fd);
}

int clock_gettime(clockid_t id, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, id, time);
    if (id == CLOCK_BOOTTIME) time->tv_sec += *slept;
    return result;
}
