/* The tables of names, generated from the lists of words.h. */
#include "rules/words.h"

#include <stddef.h>
#include <string.h>

static const char *name_at(const char *const *names, size_t count, unsigned value)
{
    return value < count && names[value] ? names[value] : "?";
}

/* Linear: the longest list has a few dozen names, and each command looks up only a few. */
static unsigned value_named(const char *const *names, size_t count, const char *name)
{
    for (unsigned value = 0; value < count; value++) {
        if (names[value] && strcmp(names[value], name) == 0) {
            return value;
        }
    }
    return 0;
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define NAMES_OF(word, tag, type, LIST)                                                            \
    static const char *const word##_names[tag##_COUNT] = {LIST(ENTRY_##tag)};                      \
    const char *rules_##word##_name(type word)                                                     \
    {                                                                                              \
        return name_at(word##_names, COUNT_OF(word##_names), (unsigned)(word));                    \
    }

#define LOOKUP_OF(word, type)                                                                      \
    type rules_##word##_named(const char *name)                                                    \
    {                                                                                              \
        return (type)value_named(word##_names, COUNT_OF(word##_names), name);                      \
    }

#define ENTRY_HARBOUR(name, word) [HARBOUR_##name] = (word),
#define ENTRY_PIECE(name, word) [PIECE_##name] = (word),
#define ENTRY_PHASE(name, word) [PHASE_##name] = (word),
#define ENTRY_VARIANT(name, word) [VARIANT_##name] = (word),
#define ENTRY_SCENARIO(name, word, hooks) [SCENARIO_##name] = (word),
#define ENTRY_STATUS(name, word) [STATUS_##name] = (word),
#define ENTRY_SHOT(name, word) [SHOT_##name] = (word),
#define ENTRY_FACE(name, word) [FACE_##name] = (word),
#define ENTRY_HOW(name, word) [HOW_##name] = (word),
#define ENTRY_HEALTH(name, word) [HEALTH_##name] = (word),
#define ENTRY_DICE(name, word) [DICE_##name] = (word),
#define ENTRY_INPUT(name, word, ...) [INPUT_##name] = (word),
#define ENTRY_EVENT(name, word, fields) [EVENT_##name] = (word),
#define ENTRY_REFUSAL(name, word, sentence) [REFUSED_##name] = (word),
#define ENTRY_RULE(name) [RULE_##name] = #name,

NAMES_OF(harbour, HARBOUR, enum harbour, RULES_HARBOURS)
NAMES_OF(piece, PIECE, enum piece, RULES_PIECES)
NAMES_OF(phase, PHASE, enum phase, RULES_PHASES)
NAMES_OF(variant, VARIANT, enum variant, RULES_VARIANTS)
NAMES_OF(scenario, SCENARIO, enum scenario_id, RULES_SCENARIOS)
NAMES_OF(status, STATUS, enum status, RULES_STATUSES)
NAMES_OF(shot, SHOT, enum shot, RULES_SHOTS)
NAMES_OF(face, FACE, enum face, RULES_FACES)
NAMES_OF(how, HOW, enum how, RULES_HOWS)
NAMES_OF(health, HEALTH, enum health, RULES_HEALTHS)
NAMES_OF(dice, DICE, enum dice, RULES_DICE)
NAMES_OF(input, INPUT, enum input_kind, RULES_INPUTS)
NAMES_OF(event, EVENT, enum event_kind, RULES_EVENTS)
NAMES_OF(refusal, REFUSAL, enum refusal, RULES_REFUSALS)
NAMES_OF(rule, RULE, enum rule, RULES_IDS)

LOOKUP_OF(harbour, enum harbour)
LOOKUP_OF(piece, enum piece)
LOOKUP_OF(variant, enum variant)
LOOKUP_OF(scenario, enum scenario_id)
LOOKUP_OF(face, enum face)
LOOKUP_OF(health, enum health)
LOOKUP_OF(dice, enum dice)
LOOKUP_OF(input, enum input_kind)
LOOKUP_OF(event, enum event_kind)
LOOKUP_OF(rule, enum rule)

#define INPUT_ROW(name, word, source, needs, may)                                                  \
    [INPUT_##name] = {SOURCE_##source, (needs), (needs) | (may)},

static const struct {
    enum source source;
    uint32_t needs;
    uint32_t fields;
} inputs[INPUT_COUNT] = {RULES_INPUTS(INPUT_ROW)};

enum source rules_input_source(enum input_kind kind)
{
    return (unsigned)kind < INPUT_COUNT ? inputs[kind].source : SOURCE_NONE;
}

uint32_t rules_input_needs(enum input_kind kind)
{
    return (unsigned)kind < INPUT_COUNT ? inputs[kind].needs : 0;
}

uint32_t rules_input_fields(enum input_kind kind)
{
    return (unsigned)kind < INPUT_COUNT ? inputs[kind].fields : 0;
}

#define EVENT_ROW(name, word, fields) [EVENT_##name] = (fields),

static const uint32_t event_fields[EVENT_COUNT] = {RULES_EVENTS(EVENT_ROW)};

uint32_t rules_event_fields(enum event_kind kind)
{
    return (unsigned)kind < EVENT_COUNT ? event_fields[kind] : 0;
}

#define SENTENCE_ROW(name, word, sentence) [REFUSED_##name] = (sentence),

static const char *const refusal_sentences[REFUSAL_COUNT] = {RULES_REFUSALS(SENTENCE_ROW)};

const char *rules_refusal_sentence(enum refusal refusal)
{
    return name_at(refusal_sentences, COUNT_OF(refusal_sentences), (unsigned)refusal);
}
