/* Whatever the window: no row is longer, and none is missing or too many. */
#ifndef TESTS_CTL_FITS_H
#define TESTS_CTL_FITS_H

/* text is ASCII, with a newline between two rows. */
void assert_fits(const char *text, unsigned rows, unsigned columns);

#endif
