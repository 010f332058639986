/*
 * Messages of sensors over MQTT from anybody, on their whole way: through the table and the real
 * filters back to the table, with a simulated disk, broker and clock. Each line of the input is a
 * message, its topic and its payload with a space between; after an exclamation mark a retained
 * one. Lines with another beginning are shorter: a tab lets time pass, an asterisk is a command, a
 * minus sign loses the connection. Whatever is heard, the rules hold, table time does not run away,
 * and what pairing has found can be read from a file.
 */
#include "tests/table/radio_stage.h"

#include "rules/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 64, MS_PER_STEP = 50, INI_SIZE = 2048 };

#define SENSORS                                                                                    \
    "[cannon]\nbeam = node c beam\nbeam2 = node c beam2\nbeam_gap_mm = 20\n"                       \
    "[rope]\na = node c a\nb = node c b\nbutton = mqtt b action=single once\n"                     \
    "[piece.blue-1]\ntilt = mqtt s contact=false alive=s/a alive=g\n"                              \
    "[piece.blue-2]\ntilt = mqtt s x.rot>45 once late=2000\nbeam = mqtt w\n"                       \
    "[piece.blue-3]\ntilt = mqtt v VALUE\n"                                                        \
    "[piece.red-1]\ntilt = node c t\n"                                                             \
    "[harbour.red]\ndock = mqtt d x=null\n"                                                        \
    "[radio]\nquiet_s = 5\n"

static struct radio_stage radio;

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static void message(const char *line, size_t size, bool retained)
{
    const char *space = memchr(line, ' ', size);
    size_t length = space ? (size_t)(space - line) : size;
    char topic[TOPIC_SIZE];

    if (length == 0 || length >= sizeof topic) {
        return;
    }
    memcpy(topic, line, length);
    topic[length] = '\0';
    fake_table_message(&radio.stage.fake, &(struct bus_news){
                                              .kind = BUS_MESSAGE,
                                              .topic = topic,
                                              .payload = space ? space + 1 : "",
                                              .size = space ? size - length - 1 : 0,
                                              .retained = retained,
                                          });
}

static void command(const char *line, size_t size)
{
    char text[TOPIC_SIZE];

    if (size < sizeof text - sizeof FAKE_BASE "command/") {
        snprintf(text, sizeof text, FAKE_BASE "command/%.*s", (int)size, line);
        message(text, strlen(text), false);
    }
}

/* As the daemon does when it has stored the pair. */
static void apply_pair(void)
{
    struct fake_table *fake = &radio.stage.fake;
    const char *source = strchr(fake->paired, ' ');
    char ini[INI_SIZE];

    if (source && strcmp(source, " -") != 0) {
        snprintf(ini, sizeof ini, SENSORS "[piece.yellow-1]\ntilt =%s\n", source);
        fake_table_read_config(&fake->config, ini);
        table_configured(fake->table);
    }
    fake->paired[0] = '\0';
    table_paired(fake->table, 0);
}

static void play_line(const char *line, size_t size)
{
    switch (size ? line[0] : '\0') {
    case '\0':
        break;
    case '\t':
        radio_wait_ms(&radio, size > 1 ? (unsigned char)line[1] * MS_PER_STEP : 1);
        break;
    case '*':
        command(line + 1, size - 1);
        break;
    case '-':
        radio_disconnect(&radio);
        radio_connect(&radio);
        break;
    case '!':
        message(line + 1, size - 1, true);
        break;
    default:
        message(line, size, false);
        break;
    }
    radio_filter(&radio);
    if (radio.stage.fake.paired[0]) {
        apply_pair();
        radio_filter(&radio);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line = (const char *)data;
    const char *end = line + size;

    radio_begin(&radio, SENSORS);
    for (unsigned lines = 0; line < end && lines < LINES_MAX; lines++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((stop ? stop : end) - line);
        play_line(line, length);
        const struct game *game = table_game(radio.stage.fake.table);
        require(rules_violation(game) == NULL);
        require(game->turn.shot_at_us <= radio.stage.fake.now_us);
        line += length + 1;
    }
    radio_end(&radio);
    return 0;
}
