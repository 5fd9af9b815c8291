// What this system's libstdc++ has from a libc that is newer than the one that packages are linked against.

#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// glibc 2.32: whether a process has one thread alone. 0 is always right, and costs an atomic instruction.
char __libc_single_threaded = 0;

// glibc 2.36.
uint32_t arc4random(void) {
    uint32_t number;
    if (getrandom(&number, sizeof number, 0) != sizeof number) abort();
    return number;
}
