// selvedge: run
// expect: exit 0
// stdin: 1 + 2 * 3
// stdin: 2 * (3 + 4) - 10 / 4
// stdin: 1 / 0
// stdin: 7 +
// stdout: 7
// stdout: 11.5
// stdout: division by zero
// stdout: syntax error
// native: same
//
// Lines by getline, and a recursive-descent calculator that leaves by longjmp.
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static const char *cursor;
static jmp_buf failed;
static double expression(void);

static char next(void) {
    while (isspace((unsigned char)*cursor))
        cursor++;
    return *cursor;
}

static double atom(void) {
    if (next() == '(') {
        cursor++;
        double value = expression();
        if (next() != ')')
            longjmp(failed, 1);
        cursor++;
        return value;
    }
    char *end;
    double value = strtod(cursor, &end);
    if (end == cursor)
        longjmp(failed, 1);
    cursor = end;
    return value;
}

static double term(void) {
    double value = atom();
    for (char operator; (operator = next()) == '*' || operator == '/';) {
        cursor++;
        double right = atom();
        if (operator == '/' && right == 0)
            longjmp(failed, 2);
        value = operator == '*' ? value * right : value / right;
    }
    return value;
}

static double expression(void) {
    double value = term();
    for (char operator; (operator = next()) == '+' || operator == '-';) {
        cursor++;
        value = operator == '+' ? value + term() : value - term();
    }
    return value;
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        cursor = line;
        int code = setjmp(failed);
        if (code == 0)
            printf("%g\n", expression());
        else
            puts(code == 1 ? "syntax error" : "division by zero");
    }
    free(line);
    return 0;
}
