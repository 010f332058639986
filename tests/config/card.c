/* The settings of the computer in table.ini. tests/card tries what is done with them. */
#include "loaded.h"

#include "config/config_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUTPUT_SIZE = 4096 };

static struct config config;
static char problems[OUTPUT_SIZE];
static char path[] = "/tmp/shipahoy-card-XXXXXX";

/* Returns the number of problems, which are then in the text above, without the path. */
static int load_card(const char *text)
{
    char output[OUTPUT_SIZE] = "";
    FILE *stream = fmemopen(output, sizeof output, "w");
    struct text kept = text_begin(problems, sizeof problems);

    memcpy(strrchr(path, '-'), "-XXXXXX", sizeof "-XXXXXX");
    int file = mkstemp(path);
    assert_non_null(stream);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    int result = config_load_card(path, &config, config_print_problem, stream);
    fclose(stream);
    unlink(path);
    for (const char *line = output; *line; line += strcspn(line, "\n") + 1) {
        line += strlen(path) + 1;
        text_add_some(&kept, line, strcspn(line, "\n") + 1);
    }
    return result;
}

TEST(every_setting_is_read_and_printed_for_a_shell)
{
    char output[OUTPUT_SIZE] = "";
    FILE *stream = fmemopen(output, sizeof output, "w");

    assert_int_equal(load_card("[wifi]\nname = Mum's net\npassword = a b;c#d=e\ncountry = CZ\n"
                               "[referee]\nname = anna\npassword = a.b_c~d-e\n"
                               "[tv]\nshow = no\nvoice = no\n"
                               "[computer]\nlanguage = cs\ntime_zone = Etc/UTC\nhost_name = pi-2\n"
                               "ssh_key = ssh-ed25519 AAAA anna\nhttps = yes\n"
                               "[table]\nname = den\n"),
                     0);
    config_print_card(&config, stream);
    fclose(stream);
    assert_string_equal(output, "wifi_name='Mum'\\''s net'\nwifi_password='a b;c#d=e'\n"
                                "wifi_country='CZ'\nreferee_name='anna'\n"
                                "referee_password='a.b_c~d-e'\ntv_show='no'\ntv_voice='no'\n"
                                "computer_language='cs'\ncomputer_time_zone='Etc/UTC'\n"
                                "computer_host_name='pi-2'\n"
                                "computer_ssh_key='ssh-ed25519 AAAA anna'\ncomputer_https='yes'\n");
    assert_string_equal(config.table, "den");
}

TEST(a_bad_value_is_refused_and_the_others_are_read)
{
    assert_int_equal(load_card("[wifi]\nname = net\npassword = seven77\ncountry = cz\n"
                               "[referee]\nname = an na\npassword = a b\n"
                               "[computer]\nlanguage = fr\ntime_zone = ../passwd\nhost_name = -pi\n"
                               "ssh_key = AAAA\n[tv]\nshow = maybe\n"),
                     9);
    assert_string_equal(
        problems,
        "3: [wifi] password = ***: expected 8 to 63 letters, digits and signs, without umlauts or "
        "accents\n"
        "4: [wifi] country = cz: expected two capital letters such as CZ, DE or GB\n"
        "6: [referee] name = an na: expected 1 to 64 letters, digits, - or _\n"
        "7: [referee] password = ***: expected letters, digits, or . _ ~ -\n"
        "9: [computer] language = fr: expected en, de or cs\n"
        "10: [computer] time_zone = ../passwd: expected a time zone such as Europe/Prague\n"
        "11: [computer] host_name = -pi: expected 1 to 63 small letters, digits or -, without - at "
        "the ends\n"
        "12: [computer] ssh_key = AAAA: expected the line of a public key, which begins with "
        "ssh-ed25519 or the like\n"
        "14: [tv] show = maybe: expected no or yes\n");
    assert_string_equal(config.card.wifi_name, "net");
    assert_string_equal(config.card.host_name, "shipahoy");
    assert_true(config.card.tv);
}

TEST(the_configuration_of_a_daemon_has_no_settings_of_the_computer)
{
    assert_non_null(strstr(problems_in("[wifi]\nname = net\n"), "t:1: [wifi]: unknown section;"));
}
