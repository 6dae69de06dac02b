// selvedge: check --symbolic-file settings.txt:6
// expect: violation memory
//
// A length in a file is believed.
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char text[4] = {0};
    unsigned char head[2];
    int file = open("settings.txt", O_RDONLY);
    if (file < 0 || read(file, head, 2) != 2 || head[0] != 'L')
        return 0;
    for (unsigned i = 0; i < head[1] && i < 5; i++)
        text[i] = 'x';
    return text[0] == 'y';
}
