#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CLinux.h"

#include <unistd.h>

int headwind_synchronise_file_system(int descriptor) {
    return syncfs(descriptor);
}
