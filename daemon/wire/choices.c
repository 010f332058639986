/* The commands that would be accepted now, as clients offer them. */
#include "wire/wire.h"

#include "json_internal.h"

/* Numbers of one die, names of faces of the other. */
static void put_values(struct json_text *json, uint32_t values, bool are_faces)
{
    open_list(json, "values");
    for (unsigned value = 1; value < 32; value++) {
        if (!(values & bit(value))) {
            continue;
        }
        if (are_faces) {
            put_word(json, NULL, rules_face_name((enum face)value));
        } else {
            put_number(json, NULL, value);
        }
    }
    close_list(json);
}

static void put_choice(struct json_text *json, const struct choice *choice)
{
    bool is_fight = rules_input_needs(choice->verb) & FIELD(ATTACKER);

    put_word(json, "verb", rules_input_name(choice->verb));
    if (choice->piece || choice->knots) {
        put_piece(json, is_fight ? "attacker" : "piece", choice->piece);
    }
    if (choice->target) {
        put_piece(json, "target", choice->target);
    }
    if (choice->pieces) {
        put_pieces(json, is_fight ? "targets" : "pieces", choice->pieces);
    }
    if (choice->harbours) {
        put_harbours(json, choice->harbours);
    }
    if (choice->values) {
        put_values(json, choice->values, is_fight);
    }
    if (choice->knots) {
        put_number(json, "knots", choice->knots);
    }
    if (choice->verb == INPUT_END_PHASE) {
        put_word(json, "to", rules_phase_name(choice->to));
    }
    if (choice->foul) {
        put_truth(json, "foul", true);
    }
    if (choice->disturbance) {
        put_truth(json, "disturbance", true);
    }
}

char *wire_choices(const struct game *game, const struct choices *choices,
                   const struct wire_names *names)
{
    struct json_text json = json_begin();

    put_number(&json, "v", WIRE_VERSION);
    put_text_or_null(&json, "game", names->game);
    put_number(&json, "seq", game->seq);
    put_player(&json, "player", game->player);
    open_list(&json, "choices");
    for (unsigned i = 0; i < choices->count; i++) {
        open_object(&json, NULL);
        put_choice(&json, &choices->list[i]);
        if (choices->list[i].verb == INPUT_UNDO) {
            put_text(&json, "message", choices->undo);
        }
        close_object(&json);
    }
    close_list(&json);
    return json_end(&json);
}
