#include "sim_socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 16 };

static int bind_to(int fd, const struct sockaddr_un *address)
{
    return bind(fd, (const struct sockaddr *)address, sizeof *address) ? -errno : 0;
}

/* 0 when the file at the address is a socket that nobody listens on, and it is gone now. */
static int remove_stale(const struct sockaddr_un *address)
{
    struct stat status;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0) {
        return -errno;
    }
    int answer = connect(fd, (const struct sockaddr *)address, sizeof *address) ? errno : 0;
    close(fd);
    if (lstat(address->sun_path, &status) || !S_ISSOCK(status.st_mode)) {
        return -EEXIST;
    }
    if (answer != ECONNREFUSED) {
        return -EADDRINUSE;
    }
    return unlink(address->sun_path) ? -errno : 0;
}

static int listen_at(struct sim_socket *sim_socket)
{
    struct stat status;
    int error = bind_to(sim_socket->fd, &sim_socket->address);

    if (error == -EADDRINUSE) {
        error = remove_stale(&sim_socket->address);
        if (!error) {
            error = bind_to(sim_socket->fd, &sim_socket->address);
        }
    }
    if (error) {
        return error;
    }
    if (stat(sim_socket->address.sun_path, &status)) {
        return -errno;
    }
    sim_socket->device = status.st_dev;
    sim_socket->inode = status.st_ino;
    return listen(sim_socket->fd, BACKLOG) ? -errno : 0;
}

int sim_socket_open(struct sim_socket *sim_socket, const char *path)
{
    *sim_socket = (struct sim_socket){.fd = -1, .address = {.sun_family = AF_UNIX}};
    if (!path[0]) {
        return -EINVAL;
    }
    if (strlen(path) >= sizeof sim_socket->address.sun_path) {
        return -ENAMETOOLONG;
    }
    memcpy(sim_socket->address.sun_path, path, strlen(path));
    sim_socket->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (sim_socket->fd < 0) {
        return -errno;
    }
    int error = listen_at(sim_socket);
    if (error) {
        sim_socket_close(sim_socket);
    }
    return error;
}

void sim_socket_close(struct sim_socket *sim_socket)
{
    struct stat status;

    if (sim_socket->fd < 0) {
        return;
    }
    if (sim_socket->inode && stat(sim_socket->address.sun_path, &status) == 0 &&
        status.st_dev == sim_socket->device && status.st_ino == sim_socket->inode) {
        unlink(sim_socket->address.sun_path);
    }
    close(sim_socket->fd);
    sim_socket->fd = -1;
}
