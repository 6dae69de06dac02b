// selvedge: check --symbolic-args 1x3
// expect: violation assertion
//
// One text of three characters is the wrong one.
#include <assert.h>

int main(int argc, char **argv) {
    if (argc == 2 && argv[1][0] == 'n' && argv[1][1] == 'o')
        assert(argv[1][2] != '!');
    return 0;
}
