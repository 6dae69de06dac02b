// selvedge: run
// expect: exit 0
// native: same
//
// ctype.h over the whole range of unsigned char, and EOF.
#include <ctype.h>
#include <stdio.h>

typedef int classifier(int);

static const struct {
    const char *name;
    classifier *is;
} classes[] = {
    {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl},
    {"digit", isdigit}, {"graph", isgraph}, {"lower", islower}, {"print", isprint},
    {"punct", ispunct}, {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit},
};

static void capitalise(char *text) {
    int start = 1;
    for (; *text; text++) {
        *text = (char)(start ? toupper((unsigned char)*text) : tolower((unsigned char)*text));
        start = isspace((unsigned char)*text);
    }
}

int main(void) {
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        int count = 0, sum = 0;
        for (int c = 0; c < 256; c++)
            if (classes[i].is(c)) {
                count++;
                sum += c;
            }
        printf("%-6s %3d %5d %d\n", classes[i].name, count, sum, classes[i].is(EOF) != 0);
    }
    char text[] = "tHE qUICK\tbrown fOX 42nd";
    capitalise(text);
    printf("%s\n", text);
    printf("%d %d %d %d\n", toupper('1'), tolower(EOF), isascii(200) != 0, toascii(0x1c1));
    return 0;
}
