#include "common/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

bool notify_systemd(const char *state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = getenv("NOTIFY_SOCKET");
    size_t length = path ? strlen(path) : 0;

    if (length < 2 || length > sizeof address.sun_path || (path[0] != '/' && path[0] != '@')) {
        return true;
    }
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return false;
    }
    memcpy(address.sun_path, path, length);
    if (path[0] == '@') {
        address.sun_path[0] = '\0'; /* an abstract address */
    }
    ssize_t sent = sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
                          (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    bool is_full = sent < 0 && (errno == EAGAIN || errno == ENOBUFS);
    close(fd);
    return !is_full;
}

uint64_t notify_watchdog_us(void)
{
    const char *pid = getenv("WATCHDOG_PID");
    const char *period = getenv("WATCHDOG_USEC");

    if (!period || (pid && strtol(pid, NULL, 10) != (long)getpid())) {
        return 0;
    }
    return strtoull(period, NULL, 10);
}
