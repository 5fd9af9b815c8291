#ifndef PROC_FILE_H
#define PROC_FILE_H

#include <stdbool.h>
#include <stddef.h>

/// Reads the beginning of a file of /proc as text, in one read, which is consistent; at most `size` bytes with the zero at
/// the end. False where it is gone, refused or empty.
bool proc_file_read(const char *path, char *text, size_t size);

#endif
