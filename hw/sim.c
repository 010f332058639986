#include "sim.h"

#include "sim_lines.h"
#include "sim_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { INJECTED_MAX = 256 };

#define DAY_US (UINT64_C(24) * 60 * 60 * 1000000)

struct client {
    int fd; /* -1: nobody */
    uint32_t interest;
    bool finished;  /* it sends no more, but may still want its answers */
    bool deaf;      /* it takes no more answers, but may still have sent something */
    uint64_t heard; /* when it came or last sent something, as a number of such occasions */
    struct sim_lines lines;
};

struct sim {
    struct sim_socket socket;
    int epoll_fd;
    int wake_fd;  /* something was injected */
    int spare_fd; /* to be given up for a moment when there are no others left */
    struct sim_table table;
    struct client clients[SIM_CLIENTS_MAX];
    uint64_t occasions;    /* see client.heard */
    unsigned first_client; /* to be heard; they take turns, so that none can crowd out the others */

    pthread_mutex_t lock; /* of everything below */
    uint64_t ahead_us;    /* of the kernel's clock */
    uint64_t stamped_us;  /* the last time given to an edge: no two have the same */
    struct edge injected[INJECTED_MAX];
    size_t injected_count;
};

static uint64_t stamp_us(struct sim *sim)
{
    uint64_t now_us = backend_clock_us() + sim->ahead_us;

    sim->stamped_us = now_us > sim->stamped_us ? now_us : sim->stamped_us + 1;
    return sim->stamped_us;
}

static void give_time(struct sim *sim, struct edge *edge)
{
    pthread_mutex_lock(&sim->lock);
    uint64_t clock_us = backend_clock_us();
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
    uint64_t now_us = backend_clock_us() + sim->ahead_us;
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

static void close_fd(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

static void drop_client(struct client *client)
{
    close(client->fd);
    client->fd = -1;
}

static void receive(struct sim *sim, struct client *client)
{
    struct sim_lines *lines = &client->lines;
    ssize_t got = recv(client->fd, lines->input + lines->input_length,
                       sizeof lines->input - lines->input_length, MSG_DONTWAIT);

    if (got > 0) {
        lines->input_length += (size_t)got;
        client->heard = ++sim->occasions;
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        client->finished = true;
    }
}

static void send_answers(struct client *client)
{
    struct sim_lines *lines = &client->lines;
    ssize_t sent = 0;

    if (lines->answers_length > 0 && !client->deaf) {
        sent = send(client->fd, lines->answers, lines->answers_length, MSG_DONTWAIT | MSG_NOSIGNAL);
        client->deaf = sent < 0 && errno != EAGAIN && errno != EINTR;
    }
    if (client->deaf) {
        sim_lines_sent(lines, lines->answers_length);
    } else if (sent > 0) {
        sim_lines_sent(lines, (size_t)sent);
    }
}

/* A client that does not take its answers is not read from until it does. */
static void update_interest(struct sim *sim, struct client *client)
{
    bool has_room = client->lines.input_length < sizeof client->lines.input;
    uint32_t interest = 0;

    if (has_room && !client->finished) {
        interest |= EPOLLIN;
    }
    if (client->lines.answers_length > 0) {
        interest |= EPOLLOUT;
    }
    if (interest != client->interest) {
        struct epoll_event event = {.events = interest, .data.ptr = client};
        epoll_ctl(sim->epoll_fd, EPOLL_CTL_MOD, client->fd, &event);
        client->interest = interest;
    }
}

static void note_level(struct sim *sim, const struct edge *edge)
{
    sim->table.levels[edge->sensor] = edge->level;
}

static size_t hear_client(struct sim *sim, struct client *client, struct edge *edges, size_t max)
{
    uint64_t latest_us = backend_clock_us() + DAY_US;
    size_t count = 0;
    bool was_full;

    do {
        while (count < max &&
               sim_lines_next(&client->lines, &sim->table, latest_us, &edges[count])) {
            give_time(sim, &edges[count]);
            note_level(sim, &edges[count++]);
        }
        was_full = sim_lines_full(&client->lines);
        send_answers(client);
    } while (was_full && !sim_lines_full(&client->lines) && count < max);
    if (client->finished && client->lines.answers_length == 0 && count < max) {
        drop_client(client);
    } else {
        update_interest(sim, client);
    }
    return count;
}

static int open_spare(void)
{
    return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* A connection that cannot be accepted would wake the thread for ever: it is ended instead. */
static void turn_away(struct sim *sim)
{
    close_fd(sim->spare_fd);
    close_fd(accept4(sim->socket.fd, NULL, NULL, SOCK_CLOEXEC));
    sim->spare_fd = open_spare();
}

/*
 * A place for a new client. When all are taken, the one that has been idle for longest gives way:
 * idle clients must not lock out the others.
 */
static struct client *find_place(struct sim *sim)
{
    static const char full[] = "error: too many clients\n";
    struct client *idle = &sim->clients[0];

    for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
        struct client *client = &sim->clients[i];
        if (client->fd < 0) {
            return client;
        }
        idle = client->heard < idle->heard ? client : idle;
    }
    send(idle->fd, full, sizeof full - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    drop_client(idle);
    return idle;
}

static void accept_client(struct sim *sim)
{
    int fd = accept4(sim->socket.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE) {
            turn_away(sim);
        }
        return;
    }
    struct client *client = find_place(sim);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    *client = (struct client){.fd = fd, .interest = EPOLLIN, .heard = ++sim->occasions};
    if (epoll_ctl(sim->epoll_fd, EPOLL_CTL_ADD, fd, &event)) {
        drop_client(client);
    }
}

static void handle_event(struct sim *sim, const struct epoll_event *event)
{
    eventfd_t count;

    if (event->data.ptr == &sim->socket) {
        return; /* after all others: a new client may take the place of one of them */
    }
    if (event->data.ptr == &sim->wake_fd) {
        eventfd_read(sim->wake_fd, &count);
    } else {
        struct client *client = event->data.ptr;
        if (event->events & EPOLLIN) {
            receive(sim, client);
        }
        if (event->events & (EPOLLHUP | EPOLLERR)) {
            client->deaf = true;
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
        if (events[i].data.ptr == &sim->socket) {
            accept_client(sim);
        }
    }
    size_t count = take_injected(sim, edges, max);
    for (size_t i = 0; i < count; i++) {
        note_level(sim, &edges[i]);
    }
    for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
        struct client *client = &sim->clients[(sim->first_client + i) % SIM_CLIENTS_MAX];
        if (client->fd >= 0) {
            count += hear_client(sim, client, edges + count, max - count);
        }
    }
    sim->first_client = (sim->first_client + 1) % SIM_CLIENTS_MAX;
    return count;
}

static void sim_close(void *self)
{
    struct sim *sim = self;

    for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
        if (sim->clients[i].fd >= 0) {
            drop_client(&sim->clients[i]);
        }
    }
    sim_socket_close(&sim->socket);
    close_fd(sim->wake_fd);
    close_fd(sim->spare_fd);
    close_fd(sim->epoll_fd);
    pthread_mutex_destroy(&sim->lock);
    free(sim);
}

static int watch_fd(const struct sim *sim, int fd, void *mark)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = mark};

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
    int error = sim_socket_open(&sim->socket, path);
    if (!error) {
        error = watch_fd(sim, sim->socket.fd, &sim->socket);
    }
    return error ? error : watch_fd(sim, sim->wake_fd, &sim->wake_fd);
}

int sim_open(struct backend *backend, const char *path, const struct button_names *buttons)
{
    struct sim *sim = calloc(1, sizeof *sim);

    if (!sim) {
        return -ENOMEM;
    }
    sim->socket.fd = -1;
    for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
        sim->clients[i].fd = -1;
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
                                .now_us = sim_now_us,
                                .inject = sim_inject,
                                .close = sim_close};
    return 0;
}
