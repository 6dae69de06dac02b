// selvedge: run
// expect: exit 0
// stdin: 3
// stdin: apple 12 0.5
// stdin: pear 7 1.25
// stdin: fig 100 0.01
// stdin: the last line, read whole
// stdin: xyz
// native: same
//
// Standard input through scanf, fgets, getchar and ungetc, to its end.
#include <stdio.h>
#include <string.h>

int main(void) {
    int count = 0;
    if (scanf("%d", &count) != 1)
        return 1;
    double total = 0;
    for (int i = 0; i < count; i++) {
        char name[20];
        int amount;
        double price;
        if (scanf("%19s %d %lf", name, &amount, &price) != 3)
            return 2;
        printf("%-6s %4d x %.2f\n", name, amount, price);
        total += amount * price;
    }
    printf("total %.2f\n", total);

    char line[80];
    fgets(line, sizeof line, stdin); /* the end of the line that scanf left */
    if (!fgets(line, sizeof line, stdin))
        return 3;
    line[strcspn(line, "\n")] = 0;
    printf("[%s]\n", line);

    int c = getchar();
    ungetc('w', stdin);
    printf("%c %c %c\n", c, getchar(), getc(stdin));
    printf("%c%d\n", getchar(), getchar() == '\n');
    printf("%d %d\n", getchar() == EOF, feof(stdin) != 0);
    return 0;
}
