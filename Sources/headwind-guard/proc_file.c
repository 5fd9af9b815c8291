#define _GNU_SOURCE

#include "proc_file.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

bool proc_file_read(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    ssize_t length = read(file, text, size - 1);
    close(file);
    if (length <= 0) {
        return false;
    }
    text[length] = '\0';
    return true;
}
