/* A listening unix socket that owns its file: it never takes over one that is in use. */
#ifndef HW_SIM_SOCKET_H
#define HW_SIM_SOCKET_H

#include <sys/stat.h>
#include <sys/un.h>

struct sim_socket {
    int fd; /* -1: not open */
    struct sockaddr_un address;
    dev_t device; /* of the file that was made, so that no other one is removed */
    ino_t inode;
};

/* 0 or -errno, see sim_open. */
int sim_socket_open(struct sim_socket *sim_socket, const char *path);

/* Removes the file, too. Accepts one that did not open. */
void sim_socket_close(struct sim_socket *sim_socket);

#endif
