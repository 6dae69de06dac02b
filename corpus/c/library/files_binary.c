// selvedge: run
// expect: exit 0
// native: same
//
// Records in a temporary file: fwrite, fread, fseek from all three origins, ftell, fgetpos, buffering.
#include <stdio.h>
#include <string.h>

struct record {
    int id;
    char name[12];
    double value;
};

int main(void) {
    FILE *file = tmpfile();
    if (!file)
        return 1;
    setvbuf(file, NULL, _IOFBF, 256);
    for (int i = 0; i < 20; i++) {
        struct record record;
        memset(&record, 0, sizeof record);
        record.id = i;
        snprintf(record.name, sizeof record.name, "name%d", i);
        record.value = i * 1.25;
        if (fwrite(&record, sizeof record, 1, file) != 1)
            return 2;
    }
    printf("size %ld\n", ftell(file));
    struct record record;
    for (long i = 19; i >= 0; i -= 6) {
        fseek(file, i * (long)sizeof record, SEEK_SET);
        printf("%zu", fread(&record, sizeof record, 1, file));
        printf(" %d %s %g\n", record.id, record.name, record.value);
    }
    fseek(file, -(long)sizeof record, SEEK_END);
    fpos_t position;
    fgetpos(file, &position);
    fread(&record, sizeof record, 1, file);
    printf("%d\n", record.id);
    printf("%zu %d\n", fread(&record, sizeof record, 1, file), feof(file) != 0);
    clearerr(file);
    fsetpos(file, &position);
    fseek(file, -(long)sizeof record, SEEK_CUR);
    struct record pair[3];
    printf("%zu", fread(pair, sizeof record, 3, file));
    printf(" %s %s\n", pair[0].name, pair[1].name);
    fclose(file);
    return 0;
}
