/* Command line options. Arguments that are no options are moved behind the options, as GNU programs expect, unless
 * the option string starts with '+' (stop at the first one) or '-' (return them as the argument of option 1). */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* The rest of a cluster of short options. */
static char *rest;
/* Arguments from `skipped` up to `skipped_end` are no options and come before optind. */
static int skipped = 1, skipped_end = 1;

enum order { PERMUTE, STOP, IN_ORDER };

struct command {
    int argc;
    char **argv;
    const char *options;
    const struct option *long_options;
    int *long_index;
    int report;
    int missing;
};

static int is_option(const char *argument) { return argument[0] == '-' && argument[1]; }

/* Moves the options between `skipped_end` and optind in front of the skipped arguments. */
static void move_options(char **argv) {
    int options = optind - skipped_end;
    for (int i = 0; i < options; i++) {
        char *option = argv[skipped_end + i];
        for (int at = skipped_end + i; at > skipped + i; at--)
            argv[at] = argv[at - 1];
        argv[skipped + i] = option;
    }
    skipped += options;
    skipped_end = optind;
}

static void settle(char **argv) {
    if (skipped != skipped_end && skipped_end != optind)
        move_options(argv);
    else if (skipped_end != optind)
        skipped = optind;
}

static int argument_missing(const struct command *command, int value) {
    optopt = value;
    return command->missing;
}

static const struct option *find_long(const struct command *command, const char *prefix, size_t length,
                                      int *ambiguous) {
    const struct option *found = NULL;
    *ambiguous = 0;
    for (const struct option *option = command->long_options; option->name; option++) {
        if (strncmp(option->name, rest, length))
            continue;
        if (strlen(option->name) == length) {
            *ambiguous = 0;
            return option;
        }
        if (found && (found->has_arg != option->has_arg || found->flag != option->flag || found->val != option->val))
            *ambiguous = 1;
        if (!found)
            found = option;
    }
    if (*ambiguous && command->report) {
        fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", command->argv[0], prefix, rest);
        for (const struct option *option = command->long_options; option->name; option++)
            if (!strncmp(option->name, rest, length))
                fprintf(stderr, " '%s%s'", prefix, option->name);
        fputc('\n', stderr);
    }
    return found;
}

static int long_option(const struct command *command, const char *prefix, int only) {
    size_t length = strcspn(rest, "=");
    int ambiguous;
    const struct option *option = find_long(command, prefix, length, &ambiguous);
    char *name = rest, *value = rest[length] ? rest + length + 1 : NULL;
    if (!option || ambiguous) {
        if (!ambiguous) {
            /* With getopt_long_only it may still be a cluster of short options. */
            if (only && command->argv[optind][1] != '-' && strchr(command->options, *rest))
                return -1;
            if (command->report)
                fprintf(stderr, "%s: unrecognized option '%s%s'\n", command->argv[0], prefix, name);
        }
        rest = NULL;
        optind++;
        optopt = 0;
        return '?';
    }
    rest = NULL;
    optind++;
    if (value && option->has_arg == no_argument) {
        if (command->report)
            fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", command->argv[0], prefix, option->name);
        optopt = option->val;
        return '?';
    }
    if (!value && option->has_arg == required_argument) {
        if (optind >= command->argc) {
            if (command->report)
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", command->argv[0], prefix, option->name);
            return argument_missing(command, option->val);
        }
        value = command->argv[optind++];
    }
    optarg = value;
    if (command->long_index)
        *command->long_index = option - command->long_options;
    if (option->flag) {
        *option->flag = option->val;
        return 0;
    }
    return option->val;
}

static int short_option(const struct command *command) {
    char letter = *rest++;
    const char *known = strchr(command->options, letter);
    if (!*rest)
        optind++;
    if (!known || letter == ':' || letter == ';') {
        if (command->report)
            fprintf(stderr, "%s: invalid option -- '%c'\n", command->argv[0], letter);
        optopt = letter;
        return '?';
    }
    if (known[1] != ':')
        return letter;
    int optional = known[2] == ':', result = letter;
    if (*rest) {
        optarg = rest;
        optind++;
    } else if (!optional && optind == command->argc) {
        if (command->report)
            fprintf(stderr, "%s: option requires an argument -- '%c'\n", command->argv[0], letter);
        result = argument_missing(command, letter);
    } else if (!optional) {
        optarg = command->argv[optind++];
    }
    rest = NULL;
    return result;
}

static int next_option(int argc, char **argv, const char *options, const struct option *long_options,
                       int *long_index, int only) {
    static int started;
    if (argc < 1)
        return -1;
    if (!started) {
        started = 1;
        optopt = 0;
    }
    if (optind == 0) {
        optind = skipped = skipped_end = 1;
        rest = NULL;
    }
    optarg = NULL;
    enum order order = *options == '-' ? IN_ORDER : *options == '+' || getenv("POSIXLY_CORRECT") ? STOP : PERMUTE;
    if (*options == '-' || *options == '+')
        options++;
    int missing = *options == ':' ? ':' : '?';
    struct command command = {argc, argv, options, long_options, long_index, opterr && *options != ':', missing};
    if (rest && *rest)
        return short_option(&command);
    if (skipped_end > optind)
        skipped_end = optind;
    if (skipped > optind)
        skipped = optind;
    if (order == PERMUTE) {
        settle(argv);
        while (optind < argc && !is_option(argv[optind]))
            optind++;
        skipped_end = optind;
    }
    if (optind < argc && !strcmp(argv[optind], "--")) {
        optind++;
        if (skipped != skipped_end && skipped_end != optind)
            move_options(argv);
        else if (skipped == skipped_end)
            skipped = optind;
        skipped_end = optind = argc;
    }
    if (optind >= argc) {
        if (skipped != skipped_end)
            optind = skipped;
        return -1;
    }
    if (!is_option(argv[optind])) {
        if (order == STOP)
            return -1;
        optarg = argv[optind++];
        return 1;
    }
    if (long_options) {
        if (argv[optind][1] == '-') {
            rest = argv[optind] + 2;
            return long_option(&command, "--", only);
        }
        if (only && (argv[optind][2] || !strchr(options, argv[optind][1]))) {
            rest = argv[optind] + 1;
            int found = long_option(&command, "-", only);
            if (found != -1)
                return found;
        }
    }
    rest = argv[optind] + 1;
    return short_option(&command);
}

int getopt(int argc, char *const argv[], const char *options) {
    return next_option(argc, (char **)argv, options, NULL, NULL, 0);
}

int __posix_getopt(int argc, char *const argv[], const char *options) {
    return next_option(argc, (char **)argv, options, NULL, NULL, 0);
}

int getopt_long(int argc, char *const argv[], const char *options, const struct option *long_options,
                int *long_index) {
    return next_option(argc, (char **)argv, options, long_options, long_index, 0);
}

int getopt_long_only(int argc, char *const argv[], const char *options, const struct option *long_options,
                     int *long_index) {
    return next_option(argc, (char **)argv, options, long_options, long_index, 1);
}
