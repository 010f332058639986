/* Values out of JSON, and sentences about those that do not fit. */
#include "read.h"

#include "rules/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DECIMALS_MAX = 6, MILLION = 1000000, WORDS_SIZE = 128 };

bool refuse_command(struct command *command, enum refusal refusal, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command->message, sizeof command->message, format, arguments);
    va_end(arguments);
    command->refusal = refusal;
    return false;
}

bool refuse_value(struct command *command, const char *field, const char *fits)
{
    return refuse_command(command, REFUSED_BAD_VALUE, "\"%s\" does not fit: it must be %s.", field,
                          fits);
}

bool refuse_name(struct command *command, const char *field, const char *fits, const char *word,
                 const char *const *words)
{
    struct nearest nearest = nearest_begin(word);

    for (; *words; words++) {
        nearest_offer(&nearest, *words);
    }
    if (!nearest.best) {
        return refuse_value(command, field, fits);
    }
    return refuse_command(command, REFUSED_BAD_VALUE,
                          "\"%s\" does not fit: it must be %s; did you mean \"%s\"?", field, fits,
                          nearest.best);
}

static bool continues_character(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* The beginning of a word from outside, fit to be shown: whole characters, none of them control. */
static void quote(const char *word, char buffer[QUOTE_SIZE])
{
    size_t length = strnlen(word, QUOTE_SIZE);

    if (length == QUOTE_SIZE) {
        length--;
        while (length > 0 && continues_character(word[length])) {
            length--;
        }
    }
    memcpy(buffer, word, length);
    buffer[length] = '\0';
    text_replace_controls(buffer);
}

bool refuse_word(struct command *command, enum refusal refusal, const char *what,
                 const struct nearest *nearest)
{
    char word[QUOTE_SIZE];

    quote(nearest->word, word);
    if (nearest->best) {
        return refuse_command(command, refusal, "There is no %s \"%s\" here; did you mean \"%s\"?",
                              what, word, nearest->best);
    }
    return refuse_command(command, refusal, "There is no %s \"%s\" here.", what, word);
}

/*
 * printf would use the decimal point of the locale. Reading goes only a few digits deep, so what
 * has more of them is as good as refused.
 */
static const char *number_text(double number, char buffer[NUMBER_TEXT_SIZE])
{
    struct text text = text_begin(buffer, NUMBER_TEXT_SIZE);

    if (!(fabs(number) < INT32_MAX)) {
        return NULL;
    }
    /* Rounded by hand: for this alone libm would cost the daemon 300 KiB. */
    int64_t millionths = (int64_t)(fabs(number) * MILLION + 0.5);
    if (number < 0 && millionths > 0) {
        text_add(&text, "-");
    }
    text_add_number(&text, millionths / MILLION);
    if (millionths % MILLION) {
        char digits[DECIMALS_MAX + 2];
        size_t length =
            (size_t)snprintf(digits, sizeof digits, ".%06d", (int)(millionths % MILLION));
        while (digits[length - 1] == '0') {
            length--;
        }
        text_add_some(&text, digits, length);
    }
    return buffer;
}

const char *scalar_text(const json_t *value, char buffer[NUMBER_TEXT_SIZE])
{
    if (json_is_string(value)) {
        return json_string_value(value);
    }
    return json_is_number(value) ? number_text(json_number_value(value), buffer) : NULL;
}

const char *json_word(const json_t *value)
{
    return json_is_string(value) ? json_string_value(value) : "";
}

uint8_t small_number(const json_t *value, unsigned most)
{
    char buffer[NUMBER_TEXT_SIZE];
    const char *text = scalar_text(value, buffer);

    if (!text || strlen(text) != 1 || text[0] < '1' || text[0] > (char)('0' + most)) {
        return 0;
    }
    return (uint8_t)(text[0] - '0');
}

bool read_words(const char *list, word_fn *take, void *context)
{
    char copy[WORDS_SIZE];
    char *rest;

    if (strlen(list) >= sizeof copy) {
        return false;
    }
    memcpy(copy, list, strlen(list) + 1);
    for (char *word = strtok_r(copy, ", ", &rest); word; word = strtok_r(NULL, ", ", &rest)) {
        if (!take(context, word)) {
            return false;
        }
    }
    return true;
}

bool read_printable(struct command *command, const char *field, const json_t *value, char *buffer,
                    size_t size)
{
    const char *text = json_word(value);
    size_t length = strlen(text);

    if (length == 0 || length >= size || !text_is_plain(text)) {
        return refuse_command(command, REFUSED_BAD_VALUE,
                              "\"%s\" does not fit: it must be a string of 1 to %zu bytes without "
                              "control characters.",
                              field, size - 1);
    }
    memset(buffer, 0, size);
    memcpy(buffer, text, length + 1);
    return true;
}
