// selvedge: run
// expect: exit 0
// stdout: missing 1
// stdout: default hook
// stdout: alias 42 42
// stdout: same 1
// native: same
//
// A weak reference that nothing defines is null; a weak definition is used; an alias is the same function.
#include <stdio.h>

__attribute__((weak)) void nobody_defines_this(void);
__attribute__((weak)) extern int no_such_variable;

__attribute__((weak)) void hook(void) { printf("default hook\n"); }

int original(int x) { return 2 * x; }
int another(int x) __attribute__((alias("original")));

int shared_value = 5;
extern int shared_alias __attribute__((alias("shared_value")));

int main(void) {
    void (*volatile missing)(void) = nobody_defines_this;
    int *volatile variable = &no_such_variable;
    printf("missing %d\n", missing == NULL && variable == NULL);
    if (missing)
        missing();
    hook();
    printf("alias %d %d\n", original(21), another(21));
    shared_alias++;
    printf("same %d\n", shared_value == 6 && &shared_value == &shared_alias);
    return 0;
}
