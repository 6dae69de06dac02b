// selvedge: run -- -v -o out.txt -n5 --level=3 --quiet first second
// expect: exit 0
// native: same
//
// getopt_long: flags, values attached and apart, long options, what remains.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    static int quiet;
    static const struct option options[] = {
        {"verbose", no_argument, NULL, 'v'},
        {"level", required_argument, NULL, 'l'},
        {"quiet", no_argument, &quiet, 1},
        {0},
    };
    int verbose = 0, number = 0, level = 0, option;
    const char *output = "(none)";
    while ((option = getopt_long(argc, argv, "vo:n:l:", options, NULL)) != -1) {
        switch (option) {
        case 'v': verbose++; break;
        case 'o': output = optarg; break;
        case 'n': number = atoi(optarg); break;
        case 'l': level = atoi(optarg); break;
        case 0: break;
        default: return 2;
        }
    }
    printf("verbose %d, output %s, number %d, level %d, quiet %d\n", verbose, output, number, level, quiet);
    for (int i = optind; i < argc; i++)
        printf("operand %s\n", argv[i]);

    char *short_arguments[] = {"program", "-ab", "-cvalue", "-x", NULL};
    optind = 1;
    opterr = 0;
    while ((option = getopt(4, short_arguments, "abc:")) != -1)
        printf("%c %s\n", option, option == 'c' ? optarg : "-");
    printf("%d %c\n", optind, optopt);
    return 0;
}
