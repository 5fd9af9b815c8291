#include "CLinux.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int uses;
static struct rlimit before;
/// Read by children too, in which no lock may be taken.
static atomic_bool is_raised;

void headwind_descriptors_raise(void)
{
    pthread_mutex_lock(&lock);
    if (uses++ == 0 && getrlimit(RLIMIT_NOFILE, &before) == 0 && before.rlim_cur < before.rlim_max) {
        struct rlimit most = {.rlim_cur = before.rlim_max, .rlim_max = before.rlim_max};
        atomic_store(&is_raised, setrlimit(RLIMIT_NOFILE, &most) == 0);
    }
    pthread_mutex_unlock(&lock);
}

void headwind_descriptors_as_before(void)
{
    if (atomic_load(&is_raised)) {
        setrlimit(RLIMIT_NOFILE, &before);
    }
}

long headwind_descriptors_before(void)
{
    return atomic_load(&is_raised) ? (long)before.rlim_cur : -1;
}

void headwind_descriptors_lower(void)
{
    pthread_mutex_lock(&lock);
    if (--uses == 0) {
        headwind_descriptors_as_before();
        atomic_store(&is_raised, false);
    }
    pthread_mutex_unlock(&lock);
}
