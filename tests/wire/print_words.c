/* Prints the lists of rules/words.h as JSON, for tests/tools/check_schemas.py. */
#include "rules/fields.h"
#include "wire/wire.h"

#include <stdio.h>

static const char *between = "";

static void print_word(const char *word)
{
    printf("%s\"%s\"", between, word);
    between = ",";
}

static void begin(const char *name, char bracket)
{
    print_word(name);
    printf(":%c", bracket);
    between = "";
}

static void end(char bracket)
{
    printf("%c", bracket);
    between = ",\n";
}

static void print_fields(const char *name, uint32_t fields)
{
    begin(name, '[');
    for (unsigned field = 0; field < FIELD_COUNT; field++) {
        if (fields & bit(field)) {
            print_word(field_key((enum field)field));
        }
    }
    end(']');
}

static void print_query_fields(const char *name, enum query_kind kind, bool only_needed)
{
    bool is_needed;
    const char *key;

    begin(name, '[');
    for (unsigned i = 0; (key = wire_query_field(kind, i, &is_needed)) != NULL; i++) {
        if (is_needed || !only_needed) {
            print_word(key);
        }
    }
    end(']');
}

#define WORD(name, ...) print_word(FIRST_OF(__VA_ARGS__, ));
#define FIRST_OF(word, ...) word
#define RULE_WORD(name) print_word(#name);
#define PRINT_LIST(name, LIST, WORD_OF)                                                            \
    begin(name, '[');                                                                              \
    LIST(WORD_OF)                                                                                  \
    end(']');

static void print_lists(void)
{
    PRINT_LIST("harbour", RULES_HARBOURS, WORD)
    PRINT_LIST("piece", RULES_PIECES, WORD)
    PRINT_LIST("phase", RULES_PHASES, WORD)
    PRINT_LIST("variant", RULES_VARIANTS, WORD)
    PRINT_LIST("scenario", RULES_SCENARIOS, WORD)
    PRINT_LIST("status", RULES_STATUSES, WORD)
    PRINT_LIST("shot", RULES_SHOTS, WORD)
    PRINT_LIST("face", RULES_FACES, WORD)
    PRINT_LIST("how", RULES_HOWS, WORD)
    PRINT_LIST("health", RULES_HEALTHS, WORD)
    PRINT_LIST("dice", RULES_DICE, WORD)
    PRINT_LIST("event", RULES_EVENTS, WORD)
    PRINT_LIST("refusal", RULES_REFUSALS, WORD)
    PRINT_LIST("rule", RULES_IDS, RULE_WORD)
}

int main(void)
{
    printf("{");
    begin("words", '{');
    print_lists();
    end('}');
    begin("events", '{');
    for (enum event_kind kind = 1; kind < EVENT_COUNT; kind++) {
        print_fields(rules_event_name(kind), rules_event_fields(kind));
    }
    end('}');
    begin("commands", '{');
    for (enum input_kind kind = 1; kind < INPUT_COUNT; kind++) {
        if (rules_input_source(kind) == SOURCE_COMMAND) {
            begin(rules_input_name(kind), '{');
            print_fields("fields", rules_input_fields(kind));
            print_fields("needs", rules_input_needs(kind));
            end('}');
        }
    }
    for (enum query_kind kind = 1; kind < QUERY_COUNT; kind++) {
        begin(wire_query_name(kind), '{');
        print_query_fields("fields", kind, false);
        print_query_fields("needs", kind, true);
        end('}');
    }
    printf("}}\n");
    return 0;
}
