#include "report.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/// A line in the making. 16 names of at most 63 bytes, 24 stretches and all numbers fit; what would not is cut, never overrun.
struct line {
    char text[4096];
    size_t length;
};

static void __attribute__((format(printf, 2, 3))) append(struct line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line->text + line->length, sizeof line->text - line->length, format, arguments);
    va_end(arguments);
    if (length > 0) {
        size_t rest = sizeof line->text - line->length - 1;
        line->length += (size_t)length < rest ? (size_t)length : rest;
    }
}

/// Puts the name that a process gave itself into quotes. Whatever is not plain ASCII becomes a question mark.
static void append_name(struct line *line, const char *name)
{
    append(line, "\"");
    for (; *name != '\0'; name++) {
        bool plain = *name >= ' ' && *name <= '~' && *name != '"' && *name != '\\';
        append(line, "%c", plain ? *name : '?');
    }
    append(line, "\"");
}

static void append_command(struct line *line, const struct command *command)
{
    struct failure failure = command->failure;
    const char *outcome = "left";
    int code = 0;
    if (failure.stage != STAGE_NONE) {
        outcome = failure.stage == STAGE_DIRECTORY ? "no-directory" : "not-executed";
        code = failure.error;
    } else if (command->ended) {
        outcome = WIFSIGNALED(command->status) ? "signaled" : "exited";
        code = WIFSIGNALED(command->status) ? WTERMSIG(command->status) : WEXITSTATUS(command->status);
    }
    const struct rusage *usage = &command->usage;
    append(
        line,
        "\"outcome\":\"%s\",\"code\":%d,\"ended_ns\":%lld,\"user_us\":%lld,\"system_us\":%lld,\"max_rss_bytes\":%lld",
        outcome, code, command->ended ? (long long)command->ended_at : 0, (long long)usage->ru_utime.tv_sec * 1000000 + usage->ru_utime.tv_usec,
        (long long)usage->ru_stime.tv_sec * 1000000 + usage->ru_stime.tv_usec, (long long)usage->ru_maxrss * 1024);
}

static void append_left(struct line *line, const struct outcome *outcome)
{
    append(line, "\"left\":%zu,\"left_named\":[", outcome->left);
    for (size_t index = 0; index < LEFT_NAMED && outcome->left_named[index].pid > 0; index++) {
        const struct process *process = &outcome->left_named[index];
        append(
            line, "%s{\"pid\":%d,\"state\":\"%c\",\"name\":", index == 0 ? "" : ",", process->pid, process->state);
        append_name(line, process->name);
        append(line, "}");
    }
    append(line, "]");
}

static void append_stretches(struct line *line, const struct outcome *outcome)
{
    append(line, ",\"wanted_us\":[");
    for (size_t index = 0; index < outcome->stretch_count; index++) {
        const struct stretch *stretch = &outcome->stretches[index];
        append(
            line, "%s[%lld,%lld,%llu,%llu]", index == 0 ? "" : ",", (long long)stretch->from / 1000,
            (long long)stretch->until / 1000, stretch->ran / 1000, stretch->waited / 1000);
    }
    append(line, "]");
}

void report_write(int descriptor, const struct command *command, const struct outcome *outcome)
{
    static const char *const causes[] = {
        [CAUSE_COMMAND] = "command",
        [CAUSE_LIFELINE] = "lifeline",
        [CAUSE_SIGNAL] = "signal",
        [CAUSE_GUARD] = "guard",
    };
    struct line line = {.length = 0};
    append(&line, "{\"v\":1,\"cause\":\"%s\",", causes[outcome->cause]);
    append_command(&line, command);
    if (outcome->longest_wait >= 0) {
        append(&line, ",\"longest_wait_us\":%lld", (long long)outcome->longest_wait / 1000);
        append_stretches(&line, outcome);
    }
    append(
        &line, ",\"namespace\":%s,\"ended\":%zu,", outcome->is_namespace ? "true" : "false", outcome->ended);
    append_left(&line, outcome);
    append(&line, "}\n");
    // Shorter than PIPE_BUF, so it goes out as a whole or not at all; a reader that is gone needs no report.
    ssize_t written = write(descriptor, line.text, line.length);
    (void)written;
}

void report_failure(int descriptor, int error)
{
    dprintf(descriptor, "{\"v\":1,\"outcome\":\"failed\",\"code\":%d}\n", error);
}

void report_lost(int descriptor, int signal, size_t left)
{
    dprintf(descriptor, "{\"v\":1,\"outcome\":\"lost\",\"code\":%d,\"left\":%zu}\n", signal, left);
}

void report_kept(int descriptor)
{
    dprintf(descriptor, "{\"v\":1,\"outcome\":\"kept\",\"code\":0}\n");
}
