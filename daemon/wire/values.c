#include "command_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    DECIMALS_MAX = 6,
    MILLION = 1000000,
    QUOTE_SIZE = 40, /* bytes of an unknown word that a message repeats */
};

/* true and false are words of JSON, not strings: a message does not quote them. */
static const char word_true[] = "true";
static const char word_false[] = "false";
static const char *const truths[] = {word_true, word_false, "yes", "no", NULL};

/* Jansson limits the depth. */
json_t *command_parse(const void *payload, size_t size, struct command *command)
{
    json_error_t error;

    if (size > COMMAND_SIZE_MAX) {
        command_refuse(command, REFUSED_TOO_LARGE, "The command is larger than %d bytes.",
                       COMMAND_SIZE_MAX);
        return NULL;
    }
    if (size == 0) {
        payload = "{}";
        size = strlen(payload);
    }
    /* Integers as reals, so that one beyond 64 bits is a bad value and not bad JSON. */
    json_t *json =
        json_loadb(payload, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (json_is_object(json)) {
        return json;
    }
    if (json) {
        command_refuse(command, REFUSED_BAD_JSON, "A command must be a JSON object, such as {}.");
    } else if (json_error_code(&error) == json_error_numeric_overflow) {
        command_refuse(command, REFUSED_BAD_VALUE, "A number in the command is too large.");
    } else if (json_error_code(&error) == json_error_null_character) {
        command_refuse(command, REFUSED_BAD_JSON, "A string in the command contains NUL.");
    } else {
        command_refuse(command, REFUSED_BAD_JSON, "Invalid JSON: %s at byte %d.", error.text,
                       error.position);
    }
    json_decref(json);
    return NULL;
}

bool command_read_id(const json_t *object, struct command *command)
{
    const json_t *value = json_object_get(object, "id");

    return !value || command_read_text(command, "id", value, command->id, sizeof command->id);
}

/*
 * Refusals
 */

bool command_refuse(struct command *command, enum refusal refusal, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(command->message, sizeof command->message, format, arguments);
    va_end(arguments);
    command->refusal = refusal;
    return false;
}

bool command_refuse_value(struct command *command, const char *field, const char *description)
{
    return command_refuse(command, REFUSED_BAD_VALUE, "\"%s\" must be %s.", field, description);
}

bool command_refuse_near(struct command *command, const char *field, const char *description,
                         const char *near)
{
    const char *mark = near == word_true || near == word_false ? "" : "\"";

    return near ? command_refuse(command, REFUSED_BAD_VALUE,
                                 "\"%s\" must be %s; did you mean %s%s%s?", field, description,
                                 mark, near, mark)
                : command_refuse_value(command, field, description);
}

void command_add_words(struct text *text, const char *const *words)
{
    for (unsigned i = 0; words[i]; i++) {
        text_add(text, i == 0 ? "\"" : words[i + 1] ? ", \"" : " or \"");
        text_add(text, words[i]);
        text_add(text, "\"");
    }
}

bool command_refuse_name(struct command *command, const char *field, const char *value,
                         const char *const *words)
{
    char list[sizeof command->message];
    struct text text = text_begin(list, sizeof list);

    command_add_words(&text, words);
    return command_refuse_near(command, field, list, nearest_word(value, words));
}

bool command_refuse_word(struct command *command, enum refusal refusal, const char *what,
                         const struct nearest *nearest)
{
    char word[QUOTE_SIZE];

    text_quote(nearest->word, word, sizeof word);
    if (nearest->best) {
        return command_refuse(command, refusal, "Unknown %s \"%s\"; did you mean \"%s\"?", what,
                              word, nearest->best);
    }
    return command_refuse(command, refusal, "Unknown %s \"%s\".", what, word);
}

/*
 * Values
 */

/* The number with up to six decimals. printf would use the decimal point of the locale. */
static const char *number_text(double number, char buffer[VALUE_TEXT_SIZE])
{
    struct text text = text_begin(buffer, VALUE_TEXT_SIZE);

    if (!(fabs(number) < INT32_MAX)) {
        return NULL;
    }
    /* Rounded by hand: linking libm for this alone would cost 300 KiB. */
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

const char *value_text(const json_t *value, char buffer[VALUE_TEXT_SIZE])
{
    if (json_is_string(value)) {
        return json_string_value(value);
    }
    return json_is_number(value) ? number_text(json_number_value(value), buffer) : NULL;
}

const char *value_word(const json_t *value)
{
    return json_is_string(value) ? json_string_value(value) : "";
}

bool command_read_truth(struct command *command, const char *field, const json_t *value, bool *is)
{
    bool yes = json_is_true(value) || strcmp(value_word(value), "yes") == 0;

    if (!yes && !json_is_false(value) && strcmp(value_word(value), "no") != 0) {
        return command_refuse_near(command, field, "true, false, \"yes\" or \"no\"",
                                   nearest_word(value_word(value), truths));
    }
    *is = yes;
    return true;
}

bool command_read_text(struct command *command, const char *field, const json_t *value,
                       char *buffer, size_t size)
{
    const char *text = value_word(value);
    size_t length = strlen(text);

    if (length == 0 || length >= size || !text_is_plain(text)) {
        return command_refuse(
            command, REFUSED_BAD_VALUE,
            "\"%s\" must be a string of 1 to %zu bytes without control characters.", field,
            size - 1);
    }
    memset(buffer, 0, size);
    memcpy(buffer, text, length + 1);
    return true;
}
