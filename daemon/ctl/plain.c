#include "plain.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <string.h>
#include <wchar.h>

bool plain_use_utf8(void)
{
    bool terminal_is_utf8 = setlocale(LC_CTYPE, "") && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;

    setlocale(LC_CTYPE, "C.UTF-8");
    return terminal_is_utf8;
}

static struct glyph glyph_of(const char *bytes, size_t length, int columns)
{
    struct glyph glyph = {.columns = (unsigned)columns};

    memcpy(glyph.bytes, bytes, length);
    return glyph;
}

bool plain_next(const char **text, struct glyph *glyph)
{
    while (**text) {
        mbstate_t state = {0};
        wchar_t character = 0;
        const char *start = *text;
        size_t length = mbrtowc(&character, start, MB_LEN_MAX, &state);
        bool is_valid = length < GLYPH_SIZE;
        int columns = is_valid ? wcwidth(character) : -1;

        *text += is_valid ? length : 1;
        if (columns !=
            0) { /* marks without a width of their own, bidi controls too, are left out */
            *glyph = columns > 0 ? glyph_of(start, length, columns) : glyph_of("?", 1, 1);
            return true;
        }
    }
    return false;
}

void plain_print(FILE *file, const char *text)
{
    struct glyph glyph;

    while (plain_next(&text, &glyph)) {
        fputs(glyph.bytes, file);
    }
}
