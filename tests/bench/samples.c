#include "samples.h"

#include <stdlib.h>

void samples_add(struct samples *samples, double value)
{
    if (samples->count < SAMPLES_MAX) {
        samples->values[samples->count++] = value;
    }
}

static int compare(const void *left, const void *right)
{
    double one = *(const double *)left;
    double other = *(const double *)right;

    return (one > other) - (one < other);
}

double samples_percentile(struct samples *samples, unsigned percent)
{
    if (samples->count == 0) {
        return 0;
    }
    qsort(samples->values, samples->count, sizeof samples->values[0], compare);
    return samples->values[(samples->count - 1) * percent / 100];
}
