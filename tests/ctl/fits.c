#include "fits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

void assert_fits(const char *text, unsigned rows, unsigned columns)
{
    unsigned lines = 1;

    assert_true(strcspn(text, "\n") <= columns);
    for (const char *end = strchr(text, '\n'); end; end = strchr(end + 1, '\n')) {
        assert_true(strcspn(end + 1, "\n") <= columns);
        lines++;
    }
    assert_int_equal(lines, rows);
}
