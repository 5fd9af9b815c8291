// A ptrace for User-Mode Linux on processors with AMX, which Scripts/netem-test loads before libc's.
//
// Linux 6.1 as a process keeps 2,696 bytes of its processes' floating-point registers, as many as AVX-512 has. A
// machine with AMX has 11,008 bytes, and its kernel accepts no fewer: PTRACE_SETREGSET fails with EFAULT, and User-Mode
// Linux panics at its first process. This ptrace appends zeros, which are the initial state of AMX's registers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

// The kernel runs on one thread, and its stacks are too small for this.
static char registers[65536];
static size_t size;

long ptrace(enum __ptrace_request request, ...) {
    static long (*next)(enum __ptrace_request, pid_t, void *, void *);
    va_list arguments;
    va_start(arguments, request);
    pid_t process = va_arg(arguments, pid_t);
    void *address = va_arg(arguments, void *);
    void *data = va_arg(arguments, void *);
    va_end(arguments);

    if (next == NULL) next = dlsym(RTLD_NEXT, "ptrace");
    if (request != PTRACE_SETREGSET || (size_t)address != NT_X86_XSTATE) return next(request, process, address, data);
    const struct iovec *given = data;
    struct iovec all = {registers, sizeof registers};
    if (size == 0 && next(PTRACE_GETREGSET, process, address, &all) == 0) size = all.iov_len;
    if (given->iov_len >= size) return next(request, process, address, data);
    memcpy(registers, given->iov_base, given->iov_len);
    memset(registers + given->iov_len, 0, size - given->iov_len);
    all.iov_len = size;
    return next(request, process, address, &all);
}
