/* What is in the files that the configuration names. */
#include "config/config.h"
#include "hw/regular_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 256, MESSAGE_SIZE = 160 };

int config_read_password(const struct mqtt_config *config, char password[CONFIG_PASSWORD_SIZE])
{
    const char *path = config->password_file;
    int error = 0;
    FILE *file = path[0] ? regular_file_read(path, &error) : NULL;

    password[0] = '\0';
    if (!file) {
        return error;
    }
    bool is_read = fgets(password, CONFIG_PASSWORD_SIZE, file) || !ferror(file);
    size_t length = strcspn(password, "\r\n");
    bool is_cut = !password[length] && length == CONFIG_PASSWORD_SIZE - 1;
    password[is_cut ? 0 : length] = '\0';
    fclose(file);
    return is_cut ? -EFBIG : is_read ? 0 : -EIO;
}

static bool is_pem(const char *path)
{
    static const char marker[] = "-----BEGIN ";
    char line[LINE_SIZE];
    int error;
    FILE *file = regular_file_read(path, &error);
    bool is_marked = false;

    while (file && !is_marked && fgets(line, sizeof line, file)) {
        is_marked = strncmp(line, marker, strlen(marker)) == 0;
    }
    if (file) {
        fclose(file);
    }
    return is_marked;
}

static int check_password(const struct mqtt_config *config, config_problem_fn *problem,
                          void *context)
{
    char password[CONFIG_PASSWORD_SIZE];
    char message[MESSAGE_SIZE];
    int error = config_read_password(config, password);

    explicit_bzero(password, sizeof password);
    if (!error) {
        return 0;
    }
    if (error == -EFBIG) {
        snprintf(message, sizeof message,
                 "[mqtt] password_file: a password of at most %d bytes is expected",
                 CONFIG_PASSWORD_SIZE - 1);
    } else {
        snprintf(message, sizeof message, "[mqtt] password_file: %s", regular_file_problem(error));
    }
    problem(context, config->password_file, 0, message);
    return 1;
}

int config_check_files(const struct mqtt_config *config, config_problem_fn *problem, void *context)
{
    const struct {
        const char *key;
        const char *path;
    } files[] = {
        {"tls_ca", config->tls_ca}, {"tls_cert", config->tls_cert}, {"tls_key", config->tls_key}};
    int problems = check_password(config, problem, context);

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (files[i].path[0] && !is_pem(files[i].path)) {
            char message[MESSAGE_SIZE];
            snprintf(message, sizeof message,
                     "[mqtt] %s: a PEM file is expected, with a line -----BEGIN ...", files[i].key);
            problem(context, files[i].path, 0, message);
            problems++;
        }
    }
    return problems;
}
