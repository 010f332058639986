/*
 * Values go to the formula as they come, operators wait on a stack until one that binds no stronger
 * follows (E. Dijkstra's shunting yard): no recursion, whatever the formula.
 */
#include "sheet/formula.h"

#include <ctype.h>
#include <string.h>

enum { WORD_SIZE = 32, NUMBER_MAX = 1000000 };

enum operation {
    BRACKET, /* on the stack only */
    OR,
    AND,
    NOT,
    EQUAL,
    UNEQUAL,
    LESS,
    LESS_OR_EQUAL,
    MORE,
    MORE_OR_EQUAL,
    PLUS,
    MINUS,
    TIMES,
    NEGATIVE,
};

/* Operators between two values, and how strongly they and the others bind. */
static const struct {
    const char *token;
    enum operation operation;
} operators[] = {
    {"or", OR},  {"and", AND},          {"=", EQUAL}, {"!=", UNEQUAL},
    {"<", LESS}, {"<=", LESS_OR_EQUAL}, {">", MORE},  {">=", MORE_OR_EQUAL},
    {"+", PLUS}, {"-", MINUS},          {"*", TIMES},
};
static const uint8_t strengths[] = {
    [BRACKET] = 0, [OR] = 1,    [AND] = 2,           [NOT] = 3,      [EQUAL] = 4,
    [UNEQUAL] = 4, [LESS] = 4,  [LESS_OR_EQUAL] = 4, [MORE] = 4,     [MORE_OR_EQUAL] = 4,
    [PLUS] = 5,    [MINUS] = 5, [TIMES] = 6,         [NEGATIVE] = 7,
};

struct reader {
    const char *rest;
    char token[WORD_SIZE]; /* "" at the end */
    formula_find_fn *find;
    const void *self;
    struct formula *formula;
    struct text *problem;
    enum operation stack[FORMULA_STEPS_MAX];
    unsigned height;
    bool failed;
};

/* Only the first problem is kept: the others follow from it. */
static void fail(struct reader *reader, const char *expected)
{
    if (!reader->failed) {
        reader->failed = true;
        text_add(reader->problem, "expected ");
        text_add(reader->problem, expected);
        text_add(reader->problem, reader->token[0] ? " instead of " : " at the end");
        text_add(reader->problem, reader->token);
    }
}

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '-';
}

/* A word begins with a letter, so `-` before it is a sign, and within it a hyphen. */
static void next_token(struct reader *reader)
{
    const char *start = reader->rest + strspn(reader->rest, " \t");
    size_t length = 0;

    if (isalpha((unsigned char)start[0])) {
        while (is_word(start[length])) {
            length++;
        }
    } else if (isdigit((unsigned char)start[0])) {
        length = strspn(start, "0123456789");
    } else if (start[0]) {
        length = strchr("!<>", start[0]) && start[1] == '=' ? 2 : 1;
    }
    reader->rest = start + length;
    struct text token = text_begin(reader->token, sizeof reader->token);
    text_add_some(&token, start, length);
}

static bool take(struct reader *reader, const char *token)
{
    if (strcmp(reader->token, token) != 0) {
        return false;
    }
    next_token(reader);
    return true;
}

static void add(struct reader *reader, enum formula_kind kind, int32_t number,
                enum operation operation)
{
    struct formula *formula = reader->formula;

    if (formula->count == FORMULA_STEPS_MAX) {
        fail(reader, "a shorter formula");
        return;
    }
    formula->steps[formula->count++] = (struct formula_step){
        .kind = (uint8_t)kind, .operation = (uint8_t)operation, .number = number};
}

static void add_operation(struct reader *reader, enum operation operation)
{
    add(reader, FORMULA_OPERATION, 0, operation);
}

static void read_number(struct reader *reader)
{
    int32_t number = 0;

    for (const char *at = reader->token; *at && number <= NUMBER_MAX; at++) {
        number = number * 10 + (*at - '0');
    }
    if (number > NUMBER_MAX) {
        fail(reader, "a number up to 1000000");
    }
    add(reader, FORMULA_NUMBER, number, 0);
    next_token(reader);
}

static void read_highest(struct reader *reader)
{
    if (!take(reader, "(")) {
        fail(reader, "( and the name of a counter");
    }
    int index = reader->find(reader->self, FORMULA_COUNTER, reader->token);
    if (index < 0) {
        fail(reader, "the name of a counter");
    }
    next_token(reader);
    add(reader, FORMULA_HIGHEST, index, 0);
    if (!take(reader, ")")) {
        fail(reader, ")");
    }
}

static void read_name(struct reader *reader)
{
    static const struct {
        const char *name;
        enum formula_kind kind;
    } known[] = {{"round", FORMULA_ROUND}, {"players", FORMULA_PLAYERS}, {"score", FORMULA_SCORE}};
    static const enum formula_kind own[] = {FORMULA_COUNTER, FORMULA_FLAG};

    for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
        if (take(reader, known[i].name)) {
            add(reader, known[i].kind, 0, 0);
            return;
        }
    }
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++) {
        int index = reader->find(reader->self, own[i], reader->token);
        if (index >= 0) {
            add(reader, own[i], index, 0);
            next_token(reader);
            return;
        }
    }
    fail(reader, "a number, or the name of a counter or flag,");
}

static void push(struct reader *reader, enum operation operation)
{
    if (reader->height == FORMULA_STEPS_MAX) {
        fail(reader, "a shorter formula");
        return;
    }
    reader->stack[reader->height++] = operation;
}

/* The operators since the last bracket that bind at least as strongly get their values. */
static void pop(struct reader *reader, unsigned strength)
{
    while (reader->height > 0 && reader->stack[reader->height - 1] != BRACKET &&
           strengths[reader->stack[reader->height - 1]] >= strength) {
        add_operation(reader, reader->stack[--reader->height]);
    }
}

/* What comes before a value, or the value; returns whether another one is expected. */
static bool read_value(struct reader *reader)
{
    static const struct {
        const char *token;
        enum operation operation;
    } prefixes[] = {{"(", BRACKET}, {"-", NEGATIVE}, {"not", NOT}};

    for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (take(reader, prefixes[i].token)) {
            push(reader, prefixes[i].operation);
            return true;
        }
    }
    if (take(reader, "highest")) {
        read_highest(reader);
    } else if (isdigit((unsigned char)reader->token[0])) {
        read_number(reader);
    } else {
        read_name(reader);
    }
    return false;
}

/* What comes after a value; returns whether another one is expected. */
static bool read_operator(struct reader *reader)
{
    if (strcmp(reader->token, ")") == 0) {
        pop(reader, 0);
        if (reader->height == 0) {
            fail(reader, "an operator");
            return false;
        }
        reader->height--;
        next_token(reader);
        return false;
    }
    for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++) {
        if (take(reader, operators[i].token)) {
            pop(reader, strengths[operators[i].operation]);
            push(reader, operators[i].operation);
            return true;
        }
    }
    fail(reader, "an operator");
    return false;
}

bool formula_read(const char *source, formula_find_fn *find, const void *self,
                  struct formula *formula, struct text *problem)
{
    struct reader reader = {
        .rest = source, .find = find, .self = self, .formula = formula, .problem = problem};

    *formula = (struct formula){0};
    next_token(&reader);
    for (bool expects_value = true; !reader.failed && (expects_value || reader.token[0]);) {
        expects_value = expects_value ? read_value(&reader) : read_operator(&reader);
    }
    pop(&reader, 0);
    if (reader.height > 0) {
        fail(&reader, ")");
    }
    if (reader.failed) {
        formula->count = 0;
    }
    return !reader.failed;
}

bool formula_uses(const struct formula *formula, enum formula_kind kind, int32_t index)
{
    for (unsigned i = 0; i < formula->count; i++) {
        const struct formula_step *step = &formula->steps[i];
        if (step->kind == kind && (index < 0 || step->number == index)) {
            return true;
        }
    }
    return false;
}

static int64_t limit(int64_t number)
{
    return number > INT32_MAX ? INT32_MAX : number < INT32_MIN ? INT32_MIN : number;
}

static int64_t apply(enum operation operation, int64_t left, int64_t right)
{
    switch (operation) {
    case BRACKET:
        break;
    case OR:
        return left || right;
    case AND:
        return left && right;
    case NOT:
        return !right;
    case EQUAL:
        return left == right;
    case UNEQUAL:
        return left != right;
    case LESS:
        return left < right;
    case LESS_OR_EQUAL:
        return left <= right;
    case MORE:
        return left > right;
    case MORE_OR_EQUAL:
        return left >= right;
    case PLUS:
        return limit(left + right);
    case MINUS:
        return limit(left - right);
    case TIMES:
        return limit(left * right);
    case NEGATIVE:
        return limit(-right);
    }
    return 0;
}

static bool has_one_operand(enum operation operation)
{
    return operation == NOT || operation == NEGATIVE;
}

int64_t formula_evaluate(const struct formula *formula, formula_value_fn *value, const void *self)
{
    int64_t stack[FORMULA_STEPS_MAX] = {0};
    unsigned height = 0;

    for (unsigned i = 0; i < formula->count; i++) {
        const struct formula_step *step = &formula->steps[i];
        if (step->kind == FORMULA_OPERATION) {
            int64_t right = stack[--height];
            int64_t left = has_one_operand(step->operation) ? 0 : stack[--height];
            stack[height++] = apply(step->operation, left, right);
        } else {
            stack[height++] = step->kind == FORMULA_NUMBER
                                  ? step->number
                                  : limit(value(self, step->kind, step->number));
        }
    }
    return stack[0];
}
