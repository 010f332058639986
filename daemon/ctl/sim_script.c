#include "sim_script.h"

#include "rules/nearest.h"
#include "rules/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BALL_US = 4000,     /* a ball of 16 mm at 4 m/s */
    BALL_UM_PER_US = 4, /* how fast that is, for the second beam */
    PRESS_US = 100000,  /* a finger on a button */
    HOLD_US = 1200000,  /* longer than the second that ends the step */
    KNOT_US = 300000,   /* how long a hand takes to pull one knot */
    COUNT_US_MIN = 500, /* and never faster than this, so that no edge comes too late */
    COUNTS_A_CYCLE = 4, /* edges of the two rope lines until both are as before */
    PULL_KNOTS_MAX = 100,
    WORDS_MAX = 2,
    CAPACITY_MIN = 16,
};

/* How contacts chatter: the time that each level lasts before the next, the last one stays. */
static const uint32_t tilt_chatter_us[] = {6000, 3000, 9000, 4000, 14000, 2500};
static const uint32_t button_chatter_us[] = {700, 400, 900, 300};
static const uint32_t beam_chatter_us[] = {80, 60}; /* the edge of a ball is not sharp */

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static int add(struct sim_script *script, const char *sensor, unsigned level, uint32_t delay_us)
{
    if (script->count == script->capacity) {
        size_t capacity = script->capacity ? script->capacity * 2 : CAPACITY_MIN;
        struct sim_edge *edges = reallocarray(script->edges, capacity, sizeof *edges);
        if (!edges) {
            return -ENOMEM;
        }
        script->edges = edges;
        script->capacity = capacity;
    }
    struct sim_edge *edge = &script->edges[script->count++];
    *edge = (struct sim_edge){.level = (uint8_t)level, .delay_us = delay_us};
    snprintf(edge->sensor, sizeof edge->sensor, "%s", sensor);
    return 0;
}

/* A contact changes to level after the delay, with an even number of bounces. */
static int add_change(struct sim_script *script, const char *sensor, unsigned level,
                      uint32_t delay_us, const uint32_t *chatter_us, size_t bounces)
{
    int error = add(script, sensor, level, delay_us);

    for (size_t i = 0; i < bounces && !error; i++) {
        error = add(script, sensor, i % 2 ? level : !level, chatter_us[i]);
    }
    return error;
}

static int add_ball(struct sim_script *script, const char *beam, uint32_t delay_us)
{
    int error = add_change(script, beam, 1, delay_us, beam_chatter_us, COUNT_OF(beam_chatter_us));

    return error ? error : add(script, beam, 0, BALL_US);
}

static int write_fire(struct sim_script *script, char *const *words, const struct sim_scene *scene)
{
    int error = add_ball(script, "cannon.beam", 0);

    (void)words;
    snprintf(script->sentence, sizeof script->sentence, "A ball leaves the barrel.");
    if (!error && scene->hw->lines[SENSOR_CANNON_BEAM2].fitted) {
        uint32_t gap_us = scene->hw->beam_gap_um / BALL_UM_PER_US;
        uint32_t passed_us = BALL_US + beam_chatter_us[0] + beam_chatter_us[1];
        /* Where the beams are closer than the ball is long it is a slower ball: one by one. */
        error = add_ball(script, "cannon.beam2", gap_us > passed_us ? gap_us - passed_us : 0);
    }
    return error;
}

static int add_tilt(struct sim_script *script, enum piece piece, unsigned level)
{
    char sensor[SIM_SENSOR_SIZE];

    snprintf(sensor, sizeof sensor, "%s.tilt", rules_piece_name(piece));
    return add_change(script, sensor, level, 0, tilt_chatter_us, COUNT_OF(tilt_chatter_us));
}

/* The words that are possible in place of a wrong one. */
struct offers {
    struct nearest nearest;
    struct text list;
    char names[SIM_SENTENCE_SIZE];
};

static void offers_begin(struct offers *offers, const char *word)
{
    offers->nearest = nearest_begin(word);
    offers->list = text_begin(offers->names, sizeof offers->names);
}

static void offer(struct offers *offers, const char *name)
{
    nearest_offer(&offers->nearest, name);
    text_add(&offers->list, " ");
    text_add(&offers->list, name);
}

/* The sentence `rde-1: there is no such piece; the nearest is red-1`, or all of them. */
static int refuse_word(struct sim_script *script, const char *kind, const struct offers *offers)
{
    const char *best = offers->nearest.best;
    struct text text = text_begin(script->sentence, sizeof script->sentence);

    text_add(&text, offers->nearest.word);
    text_add(&text, ": there is no such ");
    text_add(&text, kind);
    text_add(&text, best ? "; the nearest is " : "; use one of:");
    text_add(&text, best ? best : offers->names);
    return -EINVAL;
}

/* The piece of that name; PIECE_NONE with a sentence when there is none. */
static enum piece find_piece(struct sim_script *script, const char *name)
{
    enum piece found = rules_piece_named(name);

    if (found == PIECE_NONE) {
        struct offers offers;
        offers_begin(&offers, name);
        for (enum piece piece = 1; piece <= PIECE_MONSTER; piece++) { /* the others are tiles */
            offer(&offers, rules_piece_name(piece));
        }
        refuse_word(script, "piece", &offers);
    }
    return found;
}

static bool lies(const struct sim_scene *scene, enum piece piece)
{
    return scene->lying & bit(piece);
}

static int write_topple(struct sim_script *script, char *const *words,
                        const struct sim_scene *scene)
{
    enum piece piece = find_piece(script, words[0]);

    if (piece == PIECE_NONE) {
        return -EINVAL;
    }
    script->depends_on_lying = true;
    if (lies(scene, piece)) {
        snprintf(script->sentence, sizeof script->sentence, "%s lies already.", words[0]);
        return 0;
    }
    snprintf(script->sentence, sizeof script->sentence, "%s falls over.", words[0]);
    return add_tilt(script, piece, 1);
}

static int raise_all(struct sim_script *script, const struct sim_scene *scene)
{
    struct text text = text_begin(script->sentence, sizeof script->sentence);
    int error = 0;

    for (enum piece piece = 1; piece < PIECE_COUNT && !error; piece++) {
        if (lies(scene, piece)) {
            text_add(&text, text.length ? ", " : "Stood up: ");
            text_add(&text, rules_piece_name(piece));
            error = add_tilt(script, piece, 0);
        }
    }
    text_add(&text, text.length ? "." : "All pieces stand already.");
    return error;
}

static int write_raise(struct sim_script *script, char *const *words, const struct sim_scene *scene)
{
    script->depends_on_lying = true;
    if (strcmp(words[0], "all") == 0) {
        return raise_all(script, scene);
    }
    enum piece piece = find_piece(script, words[0]);
    if (piece == PIECE_NONE) {
        return -EINVAL;
    }
    if (!lies(scene, piece)) {
        snprintf(script->sentence, sizeof script->sentence, "%s stands already.", words[0]);
        return 0;
    }
    snprintf(script->sentence, sizeof script->sentence, "%s is stood up.", words[0]);
    return add_tilt(script, piece, 0);
}

/*
 * Whole cycles only, so that both lines are low again at the end: the next pull cannot know how
 * this one left them.
 */
static int add_cycles(struct sim_script *script, unsigned cycles, bool out, uint32_t count_us)
{
    const char *first = out ? "rope.a" : "rope.b";
    const char *second = out ? "rope.b" : "rope.a";
    int error = 0;

    for (unsigned i = 0; i < cycles && !error; i++) {
        for (unsigned count = 0; count < COUNTS_A_CYCLE && !error; count++) {
            error = add(script, count % 2 ? second : first, count < COUNTS_A_CYCLE / 2, count_us);
        }
    }
    return error;
}

static int write_pull(struct sim_script *script, char *const *words, const struct sim_scene *scene)
{
    char *end;
    double knots = strtod(words[0], &end);
    const struct hw_config *hw = scene->hw;
    uint32_t counts_per_knot = hw->counts_per_knot ? hw->counts_per_knot : 1;

    if (end == words[0] || *end || !(fabs(knots) <= PULL_KNOTS_MAX)) {
        snprintf(script->sentence, sizeof script->sentence, "%s: not a number of knots", words[0]);
        return -EINVAL;
    }
    unsigned cycles = (unsigned)lround(fabs(knots) * counts_per_knot / COUNTS_A_CYCLE);
    uint32_t count_us = KNOT_US / counts_per_knot;
    snprintf(script->sentence, sizeof script->sentence, "The rope is %s %.2f knots.",
             knots < 0 ? "wound back" : "pulled out",
             (double)cycles * COUNTS_A_CYCLE / counts_per_knot);
    return add_cycles(script, cycles, (knots > 0) != hw->rope_reverse,
                      count_us > COUNT_US_MIN ? count_us : COUNT_US_MIN);
}

static int add_press(struct sim_script *script, const char *button, uint32_t held_us)
{
    int error = add_change(script, button, 1, 0, button_chatter_us, COUNT_OF(button_chatter_us));

    return error ? error
                 : add_change(script, button, 0, held_us, button_chatter_us,
                              COUNT_OF(button_chatter_us));
}

static int write_press(struct sim_script *script, char *const *words, const struct sim_scene *scene)
{
    (void)words;
    (void)scene;
    snprintf(script->sentence, sizeof script->sentence, "The rope's button is pressed.");
    return add_press(script, "rope.button", PRESS_US);
}

static int write_hold(struct sim_script *script, char *const *words, const struct sim_scene *scene)
{
    (void)words;
    (void)scene;
    snprintf(script->sentence, sizeof script->sentence, "The rope's button is held.");
    return add_press(script, "rope.button", HOLD_US);
}

static int write_button(struct sim_script *script, char *const *words,
                        const struct sim_scene *scene)
{
    char sensor[SIM_SENSOR_SIZE];

    (void)scene;
    snprintf(sensor, sizeof sensor, "button.%s", words[0]);
    snprintf(script->sentence, sizeof script->sentence, "The button %s is pressed.", words[0]);
    return add_press(script, sensor, PRESS_US);
}

static int write_dock_level(struct sim_script *script, const char *harbour, unsigned level)
{
    char sensor[SIM_SENSOR_SIZE];

    snprintf(sensor, sizeof sensor, "harbour.%s.dock", harbour);
    if (rules_harbour_named(harbour) == HARBOUR_NONE) {
        struct offers offers;
        offers_begin(&offers, harbour);
        for (enum harbour each = 1; each < HARBOUR_COUNT; each++) {
            offer(&offers, rules_harbour_name(each));
        }
        return refuse_word(script, "harbour", &offers);
    }
    snprintf(script->sentence, sizeof script->sentence, "A ship %s harbour %s.",
             level ? "enters" : "leaves", harbour);
    return add_change(script, sensor, level, 0, tilt_chatter_us, COUNT_OF(tilt_chatter_us));
}

static int write_dock(struct sim_script *script, char *const *words, const struct sim_scene *scene)
{
    (void)scene;
    return write_dock_level(script, words[0], 1);
}

static int write_undock(struct sim_script *script, char *const *words,
                        const struct sim_scene *scene)
{
    (void)scene;
    return write_dock_level(script, words[0], 0);
}

static int write_edge(struct sim_script *script, char *const *words, const struct sim_scene *scene)
{
    bool is_level = strcmp(words[1], "0") == 0 || strcmp(words[1], "1") == 0;

    (void)scene;
    if (!is_level || strlen(words[0]) >= SIM_SENSOR_SIZE || strpbrk(words[0], " \t\r\n")) {
        snprintf(script->sentence, sizeof script->sentence,
                 "an edge is the name of a sensor and 0 or 1");
        return -EINVAL;
    }
    snprintf(script->sentence, sizeof script->sentence, "%s is %s.", words[0], words[1]);
    return add(script, words[0], words[1][0] == '1', 0);
}

static const struct verb {
    const char *name;
    const char *words;
    const char *help;
    int word_count;
    int (*write)(struct sim_script *script, char *const *words, const struct sim_scene *scene);
} verbs[] = {
    {"fire", "", "a ball leaves the barrel", 0, write_fire},
    {"topple", " PIECE", "a piece falls over", 1, write_topple},
    {"raise", " PIECE|all", "a piece is stood up, or all that lie", 1, write_raise},
    {"pull", " KNOTS", "the rope is pulled out; with a minus wound back", 1, write_pull},
    {"press", "", "the rope's button is pressed: it confirms a move", 0, write_press},
    {"hold", "", "the rope's button is held: it ends the step", 0, write_hold},
    {"dock", " COLOUR", "a ship enters a harbour", 1, write_dock},
    {"undock", " COLOUR", "it leaves", 1, write_undock},
    {"button", " NAME", "a push button of the table is pressed", 1, write_button},
    {"edge", " SENSOR LEVEL", "one edge as it is: cannon.beam 1", WORDS_MAX, write_edge},
};

static int refuse_verb(struct sim_script *script, const char *name)
{
    struct offers offers;

    offers_begin(&offers, name);
    for (size_t i = 0; i < COUNT_OF(verbs); i++) {
        offer(&offers, verbs[i].name);
    }
    return refuse_word(script, "movement", &offers);
}

int sim_script_write(struct sim_script *script, char *const *words, int count,
                     const struct sim_scene *scene)
{
    const char *name = count > 0 ? words[0] : "";

    for (size_t i = 0; i < COUNT_OF(verbs); i++) {
        if (strcmp(verbs[i].name, name) != 0) {
            continue;
        }
        if (count - 1 != verbs[i].word_count) {
            snprintf(script->sentence, sizeof script->sentence, "use sim %s%s", name,
                     verbs[i].words);
            return -EINVAL;
        }
        return verbs[i].write(script, words + 1, scene);
    }
    return refuse_verb(script, name);
}

void sim_script_free(struct sim_script *script)
{
    free(script->edges);
    *script = (struct sim_script){0};
}

void sim_script_print_words(FILE *file)
{
    for (size_t i = 0; i < COUNT_OF(verbs); i++) {
        fprintf(file, "  sim %s%s: %s\n", verbs[i].name, verbs[i].words, verbs[i].help);
    }
}
