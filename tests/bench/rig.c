#include "rig.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_US = 10000000, RETRY_MS = 2, FTW_DESCRIPTORS = 8, NOTICE_SIZE = 512 };

void rig_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

double rig_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

void rig_pause_ms(unsigned ms)
{
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};

    nanosleep(&pause, NULL);
}

/*
 * Folders and files
 */

static void make_folder(char folder[RIG_PATH_SIZE], const char *parent)
{
    snprintf(folder, RIG_PATH_SIZE, "%s/shipahoy-bench-XXXXXX", parent);
    if (!mkdtemp(folder)) {
        rig_fail("%s: %s", folder, strerror(errno));
    }
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

void rig_path(const struct rig *rig, const char *name, char path[RIG_PATH_SIZE])
{
    snprintf(path, RIG_PATH_SIZE, "%.200s/%.50s", rig->folders[RIG_MEMORY], name);
}

FILE *rig_create(const struct rig *rig, const char *name, char path[RIG_PATH_SIZE])
{
    rig_path(rig, name, path);
    FILE *file = fopen(path, "we");
    if (!file) {
        rig_fail("%s: %s", path, strerror(errno));
    }
    return file;
}

/*
 * Processes
 */

/* In the child: it ends when we do, even if we are killed. */
static void become(const struct rig *rig, const char *const arguments[])
{
    char *copies[RIG_ARGUMENTS_MAX + 1] = {NULL};
    char path[RIG_PATH_SIZE];

    for (unsigned i = 0; i < RIG_ARGUMENTS_MAX && arguments[i]; i++) {
        copies[i] = strdup(arguments[i]);
    }
    rig_path(rig, "log", path);
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    execvp(copies[0], copies);
    _exit(127);
}

pid_t rig_start(struct rig *rig, const char *const arguments[])
{
    if (rig->count == RIG_PROCESSES_MAX) {
        rig_fail("too many processes at once");
    }
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        become(rig, arguments);
    }
    if (pid < 0) {
        rig_fail("fork: %s", strerror(errno));
    }
    rig->pids[rig->count++] = pid;
    return pid;
}

void rig_stop(struct rig *rig, pid_t pid)
{
    for (unsigned i = 0; i < rig->count; i++) {
        if (rig->pids[i] == pid) {
            kill(pid, SIGTERM);
            waitpid(pid, NULL, 0);
            rig->pids[i] = rig->pids[--rig->count];
            return;
        }
    }
}

/* Whether time is left to wait for a child that has not ended by itself. */
static void keep_waiting(const struct rig *rig, pid_t pid, double began_us, const char *what)
{
    if (waitpid(pid, NULL, WNOHANG) != 0 || rig_now_us() - began_us > PATIENCE_US) {
        rig_fail("%s does not start, see %s/log", what, rig->folders[RIG_MEMORY]);
    }
    rig_pause_ms(RETRY_MS);
}

/*
 * The broker
 */

static struct sockaddr_in loopback(unsigned port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_addr = {htonl(INADDR_LOOPBACK)},
                                .sin_port = htons((uint16_t)port)};
}

unsigned rig_free_port(void)
{
    struct sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, size) ||
        getsockname(fd, (struct sockaddr *)&address, &size)) {
        rig_fail("no free port: %s", strerror(errno));
    }
    close(fd);
    return ntohs(address.sin_port);
}

static bool answers(const struct sockaddr_in *address)
{
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool connected = connect(fd, (const struct sockaddr *)address, sizeof *address) == 0;

    close(fd);
    return connected;
}

static void start_broker(struct rig *rig)
{
    char path[RIG_PATH_SIZE];
    FILE *file = rig_create(rig, "mosquitto.conf", path);

    rig->port = rig_free_port();
    struct sockaddr_in address = loopback(rig->port);
    fprintf(file, "listener %u 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n", rig->port);
    fprintf(file, "%s", geteuid() == 0 ? "user root\n" : "");
    fclose(file);
    rig->broker = rig_start(rig, (const char *const[]){"mosquitto", "-c", path, NULL});
    double began_us = rig_now_us();
    while (!answers(&address)) {
        keep_waiting(rig, rig->broker, began_us, "mosquitto");
    }
}

void rig_open(struct rig *rig)
{
    *rig = (struct rig){.daemon = SHIPAHOYD, .other = getenv("BENCH_AGAINST")};
    make_folder(rig->folders[RIG_MEMORY], "/dev/shm");
    make_folder(rig->folders[RIG_DISK], BENCH_DISK);
    start_broker(rig);
}

void rig_close(struct rig *rig)
{
    while (rig->count > 0) {
        rig_stop(rig, rig->pids[rig->count - 1]);
    }
    for (unsigned place = 0; place < RIG_PLACES; place++) {
        nftw(rig->folders[place], remove_entry, FTW_DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
    }
}

/*
 * The daemon
 */

static void write_config(const struct rig *rig, const char *name, char path[RIG_PATH_SIZE])
{
    char file_name[RIG_PATH_SIZE];

    snprintf(file_name, sizeof file_name, "%.40s.ini", name);
    FILE *file = rig_create(rig, file_name, path);
    fprintf(file,
            "[table]\nname = %s\n"
            "[mqtt]\nhost = 127.0.0.1\nport = %u\nprefix = bench\n"
            "[hw]\nbackend = sim\nsocket = %s/%s.sock\n"
            "[rope]\ncounts_per_knot = 1\n%s",
            name, rig->port, rig->folders[RIG_MEMORY], name, rig->sections ? rig->sections : "");
    fclose(file);
}

static struct sockaddr_un unix_address(const struct rig *rig, const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    snprintf(address.sun_path, sizeof address.sun_path, "%.60s/%.40s", rig->folders[RIG_MEMORY],
             name);
    return address;
}

static int open_notify(const struct rig *rig)
{
    struct sockaddr_un address = unix_address(rig, "notify");
    struct timeval patience = {.tv_sec = PATIENCE_US / 1000000};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    unlink(address.sun_path);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address)) {
        rig_fail("%s: %s", address.sun_path, strerror(errno));
    }
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setenv("NOTIFY_SOCKET", address.sun_path, 1);
    setenv("WATCHDOG_USEC", "30000000", 1); /* as in the unit: it costs wakeups */
    return fd;
}

static bool says_ready(int notify)
{
    char notice[NOTICE_SIZE];
    ssize_t size = recv(notify, notice, sizeof notice - 1, 0);

    if (size < 0) {
        rig_fail("shipahoyd does not say READY=1");
    }
    notice[size] = '\0';
    return strstr(notice, "READY=1");
}

pid_t rig_start_daemon(struct rig *rig, const char *program, const char *name, enum rig_place place)
{
    char config[RIG_PATH_SIZE];
    char state[RIG_PATH_SIZE];

    write_config(rig, name, config);
    snprintf(state, sizeof state, "%.200s/%.40s", rig->folders[place], name);
    int notify = open_notify(rig);
    double began_us = rig_now_us();
    pid_t pid = rig_start(
        rig, (const char *const[]){program, "--config", config, "--state-dir", state, NULL});
    while (!says_ready(notify)) {
    }
    rig->start_ms = (rig_now_us() - began_us) / 1e3;
    close(notify);
    return pid;
}

static int connect_to(const struct sockaddr *address, socklen_t size, const char *name)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    double began_us = rig_now_us();

    while (connect(fd, address, size)) {
        if (rig_now_us() - began_us > PATIENCE_US) {
            rig_fail("%s: %s", name, strerror(errno));
        }
        rig_pause_ms(RETRY_MS);
    }
    return fd;
}

int rig_connect(const struct rig *rig, const char *socket_name)
{
    struct sockaddr_un address = unix_address(rig, socket_name);

    return connect_to((const struct sockaddr *)&address, sizeof address, address.sun_path);
}

int rig_connect_port(unsigned port)
{
    struct sockaddr_in address = loopback(port);
    int nodelay = 1;
    int fd = connect_to((const struct sockaddr *)&address, sizeof address, "TCP");

    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &nodelay, sizeof nodelay);
    return fd;
}
