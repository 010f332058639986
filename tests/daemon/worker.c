/* The thread for what may have to wait for a disk. */
#include "tests/support/test.h"

#include "daemon/worker.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { DEADLINE_MS = 20000, JOBS = 5 };

/* The names of the jobs, in the order in which something happened to them. */
struct story {
    char text[4 * JOBS];
    unsigned length;
};

struct task {
    struct job job;
    struct story *worked; /* written in the worker's thread */
    struct story *done;
    char name;
    pthread_t worker;
    sem_t *gate; /* to be opened before the work can end, or NULL */
    sem_t *began;
};

static void work(void *self)
{
    struct task *task = self;

    task->worker = pthread_self();
    if (task->gate) {
        sem_post(task->began);
        sem_wait(task->gate);
    }
    task->worked->text[task->worked->length++] = task->name;
}

static void finish(void *self)
{
    struct task *task = self;

    task->done->text[task->done->length++] = task->name;
}

static void begin(struct worker *worker, struct task *task)
{
    struct jobs jobs = worker_jobs(worker);

    task->job = (struct job){.self = task, .work = work, .done = finish};
    assert_int_equal(jobs.begin(jobs.self, &task->job), 0);
}

static void finish_one(struct worker *worker)
{
    struct pollfd ready = {.fd = worker_fd(worker), .events = POLLIN};

    assert_int_equal(poll(&ready, 1, DEADLINE_MS), 1);
    worker_finish(worker);
}

TEST(jobs_are_worked_one_after_the_other_and_done_in_this_thread)
{
    struct story worked = {0};
    struct story done = {0};
    struct task tasks[JOBS];
    struct worker *worker;

    assert_int_equal(worker_open(&worker), 0);
    for (unsigned i = 0; i < JOBS; i++) {
        tasks[i] = (struct task){.worked = &worked, .done = &done, .name = (char)('a' + i)};
        begin(worker, &tasks[i]);
    }
    for (unsigned i = 0; i < JOBS; i++) {
        assert_int_equal(done.length, i);
        finish_one(worker);
    }
    assert_string_equal(worked.text, "abcde");
    assert_string_equal(done.text, "abcde");
    assert_false(pthread_equal(tasks[0].worker, pthread_self()));
    assert_true(pthread_equal(tasks[0].worker, tasks[JOBS - 1].worker));
    assert_true(worker_close(worker));
}

/* A worker in the middle of a job that goes on when the gate is opened. */
struct busy {
    struct story worked;
    struct story done;
    struct worker *worker;
    sem_t began;
    sem_t gate;
    struct task slow;
};

static void begin_busy(struct busy *busy)
{
    memset(busy, 0, sizeof *busy);
    sem_init(&busy->began, 0, 0);
    sem_init(&busy->gate, 0, 0);
    busy->slow = (struct task){.worked = &busy->worked,
                               .done = &busy->done,
                               .name = 's',
                               .gate = &busy->gate,
                               .began = &busy->began};
    assert_int_equal(worker_open(&busy->worker), 0);
    begin(busy->worker, &busy->slow);
    sem_wait(&busy->began);
}

TEST(beginning_a_job_does_not_wait_for_the_one_under_way)
{
    struct busy busy;
    struct task next = {.worked = &busy.worked, .done = &busy.done, .name = 'n'};

    begin_busy(&busy);
    begin(busy.worker, &next);
    struct pollfd done = {.fd = worker_fd(busy.worker), .events = POLLIN};
    assert_int_equal(poll(&done, 1, 0), 0);
    sem_post(&busy.gate);
    finish_one(busy.worker);
    finish_one(busy.worker);
    assert_string_equal(busy.worked.text, "sn");
    assert_string_equal(busy.done.text, "sn");
    assert_true(worker_close(busy.worker));
}

TEST(closing_waits_for_the_job_under_way_and_nobody_hears_of_it)
{
    struct busy busy;

    begin_busy(&busy);
    sem_post(&busy.gate);
    assert_true(worker_close(busy.worker));
    assert_string_equal(busy.worked.text, "s");
    assert_string_equal(busy.done.text, "");
}

TEST(no_worker_is_closed_already)
{
    assert_true(worker_close(NULL));
}
