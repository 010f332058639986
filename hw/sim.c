#include "sim.h"

#include "sim_client.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

enum { INJECTED_MAX = 256, BACKLOG = 16 };

#define DAY_US (UINT64_C(24) * 60 * 60 * 1000000)

/* A listening unix socket and its file. */
struct listener {
    int fd; /* -1: not open */
    struct sockaddr_un address;
    dev_t device; /* of the file that was created, so that no other file is removed */
    ino_t inode;
};

struct connection {
    int fd; /* -1: unused */
    uint32_t interest;
    bool input_ended;  /* it sends nothing more, but may still read its answers */
    bool output_ended; /* it reads nothing more, but may still have sent something */
    bool is_read;      /* all lines that have come */
    uint64_t used;     /* the latest of sim->uses */
    struct sim_client client;
};

struct sim {
    struct listener listener;
    int epoll_fd;
    int wake_fd;  /* an edge was injected */
    int spare_fd; /* closed for a moment when no other descriptor is left */
    struct sim_table table;
    struct connection connections[SIM_CLIENTS_MAX];
    uint64_t uses; /* counts connections and receptions, to find the one that is idle for longest */
    unsigned top;  /* all connections from here on are unused */
    unsigned first; /* the connection that is read first; they take turns */

    pthread_mutex_t lock; /* of everything below */
    uint64_t ahead_us;    /* of the kernel's clock */
    uint64_t stamped_us;  /* the last time given to an edge: no two have the same */
    struct edge injected[INJECTED_MAX];
    size_t injected_count;
};

/*
 * The listening socket
 */

static int bind_to(int fd, const struct sockaddr_un *address)
{
    return bind(fd, (const struct sockaddr *)address, sizeof *address) ? -errno : 0;
}

/* Removes the file at the address if it is a socket without a listener. 0 or -errno. */
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

static int listen_at(struct listener *listener)
{
    struct stat status;
    int error = bind_to(listener->fd, &listener->address);

    if (error == -EADDRINUSE) {
        error = remove_stale(&listener->address);
        if (!error) {
            error = bind_to(listener->fd, &listener->address);
        }
    }
    if (error) {
        return error;
    }
    if (stat(listener->address.sun_path, &status)) {
        return -errno;
    }
    listener->device = status.st_dev;
    listener->inode = status.st_ino;
    return listen(listener->fd, BACKLOG) ? -errno : 0;
}

static void listener_close(struct listener *listener)
{
    struct stat status;

    if (listener->fd < 0) {
        return;
    }
    if (listener->inode && stat(listener->address.sun_path, &status) == 0 &&
        status.st_dev == listener->device && status.st_ino == listener->inode) {
        unlink(listener->address.sun_path);
    }
    close(listener->fd);
    listener->fd = -1;
}

/* 0 or -errno, see sim_open. */
static int listener_open(struct listener *listener, const char *path)
{
    *listener = (struct listener){.fd = -1, .address = {.sun_family = AF_UNIX}};
    if (!path[0]) {
        return -EINVAL;
    }
    if (strlen(path) >= sizeof listener->address.sun_path) {
        return -ENAMETOOLONG;
    }
    memcpy(listener->address.sun_path, path, strlen(path));
    listener->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener->fd < 0) {
        return -errno;
    }
    int error = listen_at(listener);
    if (error) {
        listener_close(listener);
    }
    return error;
}

/*
 * The clock, and edges from other threads
 */

static uint64_t stamp_us(struct sim *sim)
{
    uint64_t now_us = monotonic_us() + sim->ahead_us;

    sim->stamped_us = now_us > sim->stamped_us ? now_us : sim->stamped_us + 1;
    return sim->stamped_us;
}

static void set_time(struct sim *sim, struct edge *edge)
{
    pthread_mutex_lock(&sim->lock);
    uint64_t clock_us = monotonic_us();
    if (edge->at_us == EDGE_UNTIMED_US) {
        edge->at_us = stamp_us(sim);
    } else if (edge->at_us > clock_us + sim->ahead_us) {
        sim->ahead_us = edge->at_us - clock_us;
    }
    pthread_mutex_unlock(&sim->lock);
}

static int sim_fd(void *self)
{
    const struct sim *sim = self;

    return sim->epoll_fd;
}

static uint64_t sim_now_us(void *self)
{
    struct sim *sim = self;

    pthread_mutex_lock(&sim->lock);
    uint64_t now_us = monotonic_us() + sim->ahead_us;
    pthread_mutex_unlock(&sim->lock);
    return now_us;
}

static int sim_inject(void *self, unsigned sensor, bool level)
{
    struct sim *sim = self;
    int result = -EAGAIN;

    pthread_mutex_lock(&sim->lock);
    if (sim->injected_count < INJECTED_MAX) {
        sim->injected[sim->injected_count++] =
            (struct edge){.at_us = stamp_us(sim), .sensor = (uint16_t)sensor, .level = level};
        result = 0;
    }
    pthread_mutex_unlock(&sim->lock);
    eventfd_write(sim->wake_fd, 1);
    return result;
}

static size_t take_injected(struct sim *sim, struct edge *edges, size_t max)
{
    pthread_mutex_lock(&sim->lock);
    size_t count = sim->injected_count < max ? sim->injected_count : max;
    memcpy(edges, sim->injected, count * sizeof *edges);
    sim->injected_count -= count;
    memmove(sim->injected, sim->injected + count, sim->injected_count * sizeof *edges);
    pthread_mutex_unlock(&sim->lock);
    return count;
}

/*
 * Clients
 */

static void drop_connection(struct connection *connection)
{
    close(connection->fd);
    connection->fd = -1;
}

static void receive(struct sim *sim, struct connection *connection)
{
    struct sim_client *client = &connection->client;
    ssize_t got = recv(connection->fd, client->input + client->input_length,
                       sizeof client->input - client->input_length, MSG_DONTWAIT);

    if (got > 0) {
        client->input_length += (size_t)got;
        connection->used = ++sim->uses;
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        connection->input_ended = true;
    }
}

static void send_answers(struct connection *connection)
{
    struct sim_client *client = &connection->client;
    ssize_t sent = 0;

    if (client->answers_length > 0 && !connection->output_ended) {
        sent = send(connection->fd, client->answers, client->answers_length,
                    MSG_DONTWAIT | MSG_NOSIGNAL);
        connection->output_ended = sent < 0 && errno != EAGAIN && errno != EINTR;
    }
    if (connection->output_ended) {
        sim_client_sent(client, client->answers_length);
    } else if (sent > 0) {
        sim_client_sent(client, (size_t)sent);
    }
}

/* Does not read from a client that does not take its answers. */
static void update_interest(struct sim *sim, struct connection *connection)
{
    bool has_room = connection->client.input_length < sizeof connection->client.input;
    uint32_t interest = 0;

    if (has_room && !connection->input_ended) {
        interest |= EPOLLIN;
    }
    if (connection->client.answers_length > 0) {
        interest |= EPOLLOUT;
    }
    if (interest != connection->interest) {
        struct epoll_event event = {.events = interest, .data.ptr = connection};
        epoll_ctl(sim->epoll_fd, EPOLL_CTL_MOD, connection->fd, &event);
        connection->interest = interest;
    }
}

static void store_level(struct sim *sim, const struct edge *edge)
{
    sim->table.levels[edge->sensor] = edge->level;
}

/* Answers are sent by sim_finish, unless there is no room for more. */
static size_t read_connection(struct sim *sim, struct connection *connection, struct edge *edges,
                              size_t max)
{
    uint64_t latest_us = monotonic_us() + DAY_US;
    size_t count = 0;
    bool was_full;

    do {
        while (count < max &&
               sim_client_next(&connection->client, &sim->table, latest_us, &edges[count])) {
            set_time(sim, &edges[count]);
            store_level(sim, &edges[count++]);
        }
        was_full = sim_client_is_full(&connection->client);
        if (was_full) {
            send_answers(connection);
        }
    } while (was_full && !sim_client_is_full(&connection->client) && count < max);
    connection->is_read = count < max;
    return count;
}

static void sim_finish(void *self)
{
    struct sim *sim = self;

    for (unsigned i = 0; i < sim->top; i++) {
        struct connection *connection = &sim->connections[i];
        if (connection->fd < 0) {
            continue;
        }
        send_answers(connection);
        if (connection->input_ended && connection->client.answers_length == 0 &&
            connection->is_read) {
            drop_connection(connection);
        } else {
            update_interest(sim, connection);
        }
    }
}

static int open_spare(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* A connection that is not accepted would keep waking the thread: accept it and close it. */
static void reject_connection(struct sim *sim)
{
    close_fd(sim->spare_fd);
    close_fd(accept4(sim->listener.fd, NULL, NULL, SOCK_CLOEXEC));
    sim->spare_fd = open_spare();
}

/* When all are in use, ends the one that is idle for longest: idle clients lock nobody out. */
static struct connection *unused_connection(struct sim *sim)
{
    static const char full[] = "error: too many clients\n";
    struct connection *idle = &sim->connections[0];

    for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
        struct connection *connection = &sim->connections[i];
        if (connection->fd < 0) {
            return connection;
        }
        idle = connection->used < idle->used ? connection : idle;
    }
    send(idle->fd, full, sizeof full - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    drop_connection(idle);
    return idle;
}

static void accept_client(struct sim *sim)
{
    int fd = accept4(sim->listener.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE) {
            reject_connection(sim);
        }
        return;
    }
    struct connection *connection = unused_connection(sim);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    unsigned place = (unsigned)(connection - sim->connections);
    sim->top = sim->top > place ? sim->top : place + 1;
    *connection = (struct connection){.fd = fd, .interest = EPOLLIN, .used = ++sim->uses};
    if (epoll_ctl(sim->epoll_fd, EPOLL_CTL_ADD, fd, &event)) {
        drop_connection(connection);
    }
}

static void handle_event(struct sim *sim, const struct epoll_event *event)
{
    eventfd_t count;

    if (event->data.ptr == &sim->listener) {
        return; /* handled after all others: accepting may end one of them */
    }
    if (event->data.ptr == &sim->wake_fd) {
        eventfd_read(sim->wake_fd, &count);
    } else {
        struct connection *connection = event->data.ptr;
        if (event->events & EPOLLIN) {
            receive(sim, connection);
        }
        if (event->events & (EPOLLHUP | EPOLLERR)) {
            connection->output_ended = true;
        }
    }
}

static size_t sim_read(void *self, struct edge *edges, size_t max)
{
    struct sim *sim = self;
    struct epoll_event events[SIM_CLIENTS_MAX + 2];
    int ready = epoll_wait(sim->epoll_fd, events, SIM_CLIENTS_MAX + 2, 0);

    for (int i = 0; i < ready; i++) {
        handle_event(sim, &events[i]);
    }
    for (int i = 0; i < ready; i++) {
        if (events[i].data.ptr == &sim->listener) {
            accept_client(sim);
        }
    }
    size_t count = take_injected(sim, edges, max);
    for (size_t i = 0; i < count; i++) {
        store_level(sim, &edges[i]);
    }
    for (unsigned i = 0; i < sim->top; i++) {
        struct connection *connection = &sim->connections[(sim->first + i) % sim->top];
        if (connection->fd >= 0) {
            count += read_connection(sim, connection, edges + count, max - count);
        }
    }
    sim->first++;
    return count;
}

static void sim_set_radio(void *self, const bool is_radio[SENSOR_COUNT])
{
    struct sim *sim = self;

    memcpy(sim->table.is_radio, is_radio, sizeof sim->table.is_radio);
}

static void sim_close(void *self)
{
    struct sim *sim = self;

    for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
        if (sim->connections[i].fd >= 0) {
            drop_connection(&sim->connections[i]);
        }
    }
    listener_close(&sim->listener);
    close_fd(sim->wake_fd);
    close_fd(sim->spare_fd);
    close_fd(sim->epoll_fd);
    pthread_mutex_destroy(&sim->lock);
    free(sim);
}

static int add_to_epoll(const struct sim *sim, int fd, void *source)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = source};

    return epoll_ctl(sim->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static int open_descriptors(struct sim *sim, const char *path)
{
    sim->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    sim->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    sim->spare_fd = open_spare();
    if (sim->epoll_fd < 0 || sim->wake_fd < 0 || sim->spare_fd < 0) {
        return -errno;
    }
    int error = listener_open(&sim->listener, path);
    if (!error) {
        error = add_to_epoll(sim, sim->listener.fd, &sim->listener);
    }
    return error ? error : add_to_epoll(sim, sim->wake_fd, &sim->wake_fd);
}

int sim_open(struct backend *backend, const char *path, const struct button_names *buttons)
{
    struct sim *sim = calloc(1, sizeof *sim);

    if (!sim) {
        return -ENOMEM;
    }
    sim->listener.fd = -1;
    for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
        sim->connections[i].fd = -1;
    }
    pthread_mutex_init(&sim->lock, NULL);
    sensor_names_init(&sim->table.names, buttons);
    int error = open_descriptors(sim, path);
    if (error) {
        sim_close(sim);
        return error;
    }
    *backend = (struct backend){.self = sim,
                                .fd = sim_fd,
                                .read = sim_read,
                                .finish = sim_finish,
                                .now_us = sim_now_us,
                                .inject = sim_inject,
                                .set_radio = sim_set_radio,
                                .close = sim_close};
    return 0;
}
