#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(HEADWIND_MOST_DESCRIPTORS * sizeof(int))];
};

int headwind_socket_pair(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

ssize_t headwind_send(
    int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count)
{
    if (descriptor_count > HEADWIND_MOST_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    union control control = {0};
    struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        size_t length = descriptor_count * sizeof *descriptors;
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(length);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(length)};
        memcpy(CMSG_DATA(header), descriptors, length);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent;
}

ssize_t headwind_receive(
    int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count)
{
    union control control;
    struct iovec vector = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *descriptor_count = 0;
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        return -1;
    }
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof *descriptors;
        memcpy(descriptors + *descriptor_count, CMSG_DATA(header), count * sizeof *descriptors);
        *descriptor_count += count;
    }
    if ((message.msg_flags & MSG_CTRUNC) != 0) {
        while (*descriptor_count > 0) {
            close(descriptors[--*descriptor_count]);
        }
        errno = EMFILE;
        return -1;
    }
    return received;
}
