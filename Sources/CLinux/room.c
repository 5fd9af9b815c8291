#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/// Enough for a thread that only waits, with its thread-local storage.
enum { STACK_BYTES = 256 << 10 };

int headwind_room_descriptors(int count)
{
    int *opened = calloc(count > 0 ? (size_t)count : 1, sizeof *opened);
    if (opened == NULL) {
        return 0;
    }
    int had = 0, error = 0;
    while (had < count) {
        int next = had == 0 ? open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : fcntl(opened[0], F_DUPFD_CLOEXEC, 0);
        if (next < 0) {
            error = errno;
            break;
        }
        opened[had++] = next;
    }
    for (int index = 0; index < had; index++) {
        close(opened[index]);
    }
    free(opened);
    errno = error;
    return had;
}

static void *wait_for_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

int headwind_room_threads(int count)
{
    pthread_t *threads = calloc(count > 0 ? (size_t)count : 1, sizeof *threads);
    if (threads == NULL) {
        return 0;
    }
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_mutex_lock(&gate);
    int had = 0, error = 0;
    while (had < count && (error = pthread_create(&threads[had], &attributes, wait_for_gate, &gate)) == 0) {
        had++;
    }
    pthread_mutex_unlock(&gate);
    for (int index = 0; index < had; index++) {
        pthread_join(threads[index], NULL);
    }
    pthread_attr_destroy(&attributes);
    free(threads);
    errno = error;
    return had;
}

bool headwind_room_addresses(size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        return false;
    }
    munmap(room, bytes);
    return true;
}

void headwind_room_spare_addresses(void)
{
    mallopt(M_ARENA_MAX, 1);
}

void headwind_room_return_memory(void)
{
    malloc_trim(0);
}
