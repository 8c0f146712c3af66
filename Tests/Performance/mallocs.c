// Counts the allocations of a process into a shared file: cc -O2 -shared -fPIC, then LD_PRELOAD, MALLOC_COUNT=FILE.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic uint64_t unshared;
static _Atomic uint64_t *count = &unshared;

__attribute__((constructor)) static void share(void) {
    const char *path = getenv("MALLOC_COUNT");
    int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof *count) != 0) return;
    void *page = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) count = page;
    close(file);
}

static void add(void) { atomic_fetch_add_explicit(count, 1, memory_order_relaxed); }

void *malloc(size_t size) { add(); return __libc_malloc(size); }
void *calloc(size_t items, size_t size) { add(); return __libc_calloc(items, size); }
void *realloc(void *old, size_t size) { add(); return __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { add(); return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) { return (*result = memalign(alignment, size)) ? 0 : 12; }
