#define _GNU_SOURCE

#include "options.h"

#include <CLinux.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char usage[] =
    "usage: headwind-guard --lifeline FD [--report FD] [--scratch DIR] [--directory DIR]\n"
    "                      [--environment-prefix PREFIX] [--grace MS] [--open-files N] [--foreground] [--namespace]\n"
    "                      -- CMD [ARG...]\n"
    "Runs CMD and ends every process that it leaves behind, also when the process at the other end of FD dies.\n"
    "       headwind-guard --lifeline FD [--report FD] --keep DIR\n"
    "Makes DIR, and removes it when the process at the other end of FD is dead and no guard has it as --scratch.\n";

enum { DEFAULT_GRACE = 2000, MAXIMAL_GRACE = 600000 };

/// Reads a number between two others; says what is wrong and answers −1 otherwise.
static long read_number(const char *option, const char *text, long minimum, long maximum)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || number < minimum || number > maximum) {
        fprintf(
            stderr, "headwind-guard: --%s is '%s', not a number from %ld to %ld\n", option, text, minimum, maximum);
        return -1;
    }
    return number;
}

/// Reads the number of a descriptor that is open and not one of the command's own three.
static int read_descriptor(const char *option, const char *text)
{
    int descriptor = (int)read_number(option, text, STDERR_FILENO + 1, INT_MAX - 1);
    if (descriptor >= 0 && fcntl(descriptor, F_GETFD) < 0) {
        fprintf(stderr, "headwind-guard: --%s %d: no descriptor of this number was passed on\n", option, descriptor);
        return -1;
    }
    return descriptor;
}

/// Opens the scratch directory and holds it as long as this process lives: a lock keeps its owner from removing it
/// before the command has ended.
static bool hold_scratch(const char *path, struct options *options)
{
    int directory = headwind_scratch_open(path);
    if (directory < 0) {
        fprintf(
            stderr, "headwind-guard: --scratch '%s' is no directory of this user with a file '%s' in it: %s\n", path,
            HEADWIND_SCRATCH_MARKER, strerror(errno));
        return false;
    }
    if (flock(directory, LOCK_SH | LOCK_NB) < 0) {
        fprintf(stderr, "headwind-guard: --scratch '%s' is being removed: %s\n", path, strerror(errno));
        close(directory);
        return false;
    }
    options->scratch_directory = directory;
    return true;
}

/// Keeps the variables whose names begin with `prefix`, without it.
///
/// The command's variables travel under other names so that none of them, LD_PRELOAD least of all, works on the guard.
static void strip_prefix(char *environment[], const char *prefix)
{
    size_t length = strlen(prefix), kept = 0;
    for (size_t index = 0; environment[index] != NULL; index++) {
        if (strncmp(environment[index], prefix, length) == 0) {
            environment[kept++] = environment[index] + length;
        }
    }
    environment[kept] = NULL;
}

static bool read_option(int option, const char *value, struct options *options)
{
    switch (option) {
    case 'l': return (options->lifeline = read_descriptor("lifeline", value)) >= 0;
    case 'r': return (options->report = read_descriptor("report", value)) >= 0;
    case 'g': return (options->grace_milliseconds = read_number("grace", value, 0, MAXIMAL_GRACE)) >= 0;
    case 's': return options->scratch_directory < 0 && hold_scratch(value, options);
    case 'o': return (options->open_files = read_number("open-files", value, 0, LONG_MAX - 1)) >= 0;
    case 'k': options->kept = value; return true;
    case 'f': options->is_foreground = true; return true;
    case 'n': options->wants_namespace = true; return true;
    case 'd': options->directory = value; return true;
    case 'e': strip_prefix(options->environment, value); return true;
    default: return false;
    }
}

bool options_read(int argc, char *argv[], char *environment[], struct options *options)
{
    static const struct option known[] = {
        {"lifeline", required_argument, NULL, 'l'},  {"report", required_argument, NULL, 'r'},
        {"scratch", required_argument, NULL, 's'},   {"grace", required_argument, NULL, 'g'},
        {"directory", required_argument, NULL, 'd'}, {"environment-prefix", required_argument, NULL, 'e'},
        {"keep", required_argument, NULL, 'k'},      {"open-files", required_argument, NULL, 'o'},
        {"foreground", no_argument, NULL, 'f'},      {"namespace", no_argument, NULL, 'n'},
        {NULL, 0, NULL, 0},
    };
    *options = (struct options){
        .lifeline = -1,
        .report = -1,
        .scratch_directory = -1,
        .open_files = -1,
        .grace_milliseconds = DEFAULT_GRACE,
        .environment = environment,
    };
    // "+" stops at the command, whose own options are not for the guard.
    for (int option; (option = getopt_long(argc, argv, "+", known, NULL)) != -1;) {
        if (!read_option(option, optarg, options)) {
            fputs(usage, stderr);
            return false;
        }
    }
    // Either a directory or a command.
    if (options->lifeline < 0 || (options->kept == NULL) != (optind < argc)) {
        fputs(usage, stderr);
        return false;
    }
    options->command = argv + optind;
    return true;
}
