/* Times that were measured, and what is to be said of them. */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

enum { SAMPLES_MAX = 4000 };

/* Zeroed: none. */
struct samples {
    double values[SAMPLES_MAX];
    unsigned count;
};

/* What does not fit any more is left out. */
void samples_add(struct samples *samples, double value);

/* The value that so many percent of the others are not above; 50 is the median. Sorts them. */
double samples_percentile(struct samples *samples, unsigned percent);

#endif
